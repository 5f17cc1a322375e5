import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCheck } from '../../tools/check.mjs';
import { RULES } from '../../tools/layers.mjs';
import { ROOT, smallHouse } from '../support/project/small-house.js';

interface LintConfiguration {
  readonly overrides: readonly {
    readonly files: readonly string[];
    readonly rules: Record<string, unknown>;
  }[];
}

const configuration = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as LintConfiguration;
/** Another rule forbids commands a timer of Node.js, for a reason of its own. */
const bans = configuration.overrides.filter(({ rules }) =>
  JSON.stringify(rules['no-restricted-globals'] ?? []).includes('"Date"'),
);

/** Reads of the outside world, as someone in a hurry would write them. */
const IMPURE = {
  Date: 'Date.now()',
  'new Date': 'new Date().getTime()',
  performance: 'performance.now()',
  setTimeout: 'setTimeout(Number, 1)',
  setInterval: 'setInterval(Number, 1)',
  setImmediate: 'setImmediate(Number)',
  queueMicrotask: 'queueMicrotask(Number)',
  'Math.random': 'Math.random()',
  'Math[random]': "Math['random']()",
  crypto: 'crypto.randomUUID()',
  process: 'process.pid',
  console: 'console.log(1)',
  globalThis: 'globalThis.performance.now()',
};

const source = (expression: string): string => `export const read = (): unknown => ${expression};\n`;

describe('the ban on clocks, timers, chance and process', () => {
  it('covers exactly the rooms that are free of Node, and the strategies', () => {
    expect(bans.map(({ files }) => files)).toEqual([
      [...RULES.pure.map((room) => `src/${room}/**`), 'strategies/**'],
    ]);
  });

  it('is reported in the core and in strategies for every one of them', async () => {
    const planted = Object.values(IMPURE).flatMap((expression, index) =>
      ['src/core/engine', 'strategies'].map(
        (room) => [`${room}/read-${index}.ts`, source(expression)] as const,
      ),
    );
    const { output } = await runCheck('lint', smallHouse(Object.fromEntries(planted)));
    const silent = planted.filter(([path]) => !output.includes(`${path}:1:`));
    expect(silent, output).toEqual([]);
  });

  it('leaves the adapters alone', async () => {
    const planted = { 'src/storage/clock.ts': 'export const now = (): number => Date.now();\n' };
    const { output, passed } = await runCheck('lint', smallHouse(planted));
    expect(passed, output).toBe(true);
  });
});
