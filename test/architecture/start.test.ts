/** What a program loads before it does anything: schemas of the venue's messages take as long as all the rest. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { importsOf } from '../../tools/imports.mjs';
import { ROOT } from '../support/project/small-house.js';

/** Packages that a file loads with everything that it imports; what is imported when it is needed is left out. */
function packagesOf(entry: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const files = new Set([join(ROOT, 'src', entry)]);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const lines = text.split('\n');
    for (const { target, typeOnly, line } of importsOf(file, text)) {
      if (target === null || typeOnly || lines[line - 1]!.includes('import(')) continue;
      if (target.startsWith('.')) files.add(join(dirname(file), target.replace(/\.js$/, '.ts')));
      else packages.add(target);
    }
  }
  return packages;
}

it.each(['cli/main.ts', 'cli/commands/backtest.ts'])(
  '%s loads no schema of messages, and nothing that speaks to a venue',
  (entry) => {
    const packages = [...packagesOf(entry)];
    expect(packages).toContain('zod');
    expect(packages.filter((name) => /^(typebox|undici|pusher-js|fastify|ws)\b/.test(name))).toEqual([]);
  },
);

it('reads of messages load their schemas', () => {
  expect([...packagesOf('venues/futuur/protocol/read/frames.ts')]).toContain('typebox');
});
