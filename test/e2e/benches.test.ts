import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/project/small-house.js';

/** One round of each; they check by themselves that the work was done right, and no figure is looked at. */
const BENCHES = [
  ['engine', 'hold'],
  ['engine', 'move'],
  ['engine', 'rebuild'],
  ['execution', 'hot'],
  ['execution', 'wire'],
] as const;

const run = promisify(execFile);

describe('a bench', () => {
  it.each(BENCHES)('%s measures %s', { timeout: 240_000 }, async (bench, name) => {
    const args = ['test/bench/main.mjs', bench, '--case', name, '--rounds', '1'];
    const { stdout } = await run(process.execPath, args, { cwd: ROOT });
    const figures = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(figures.length).toBeGreaterThan(0);
    for (const figure of figures) {
      expect(figure).toMatchObject({ bench, case: name });
      expect(figure['value']).toBeGreaterThan(0);
    }
  });
});
