import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'library-table-'));

/** A row as `backtest --each --json` prints it, with this profit in every scenario. */
const row = (recording: string, instance: string, profit: number) => ({
  recording,
  instance,
  fills: [1, 2, 3],
  profits: [profit, profit, profit],
  profit: { spread: 1, inventory: profit - 1, resolution: 0, fees: 0, rebates: 0, total: profit },
  markOuts: [{ seconds: 10, shares: 10, profit: profit / 10, perShare: profit / 100, standardError: null }],
});

function tableOf(...sets: readonly (readonly object[])[]): string {
  const files = sets.map((rows, at) => {
    const file = join(folder, `${at}.ndjson`);
    // A run that was stopped leaves half a line.
    writeFileSync(file, `${rows.map((one) => JSON.stringify(one)).join('\n')}\n{"recording":"r5","ins`);
    return file;
  });
  return spawnSync(process.execPath, ['tools/library-table.mjs', ...files], { encoding: 'utf8' }).stdout;
}

describe('tools/library-table.mjs', () => {
  it('adds up the recordings that all instances traded on, and chooses forward in time', () => {
    const rows = ['r1', 'r2', 'r3', 'r4'].flatMap((name, at) => [
      row(name, 'a', 4),
      row(name, 'b', 6 - 4 * at),
    ]);
    const table = tableOf(
      [...rows, row('r5', 'a', 100)],
      rows.filter(({ instance }) => instance === 'a'),
    );
    expect(table).toContain('4 recordings.');
    expect(table).toContain(
      '| a | 8 | 16 / 16 / 16 | 4.0 +- 0.0 | 4 of 4 | 4 | 12 | 0 | 4.00 +- 0.00 | 16 / 16 / 16 |',
    );
    expect(table).toMatch(/\| b \| 8 \| 0 \/ 0 \/ 0 \|/);
    // Up to the third window a has 12 and b 6; in the fourth a earns 4.
    expect(table).toContain('Walk-forward over 1 recordings: 4, 4.0 +- 0.0 each; chosen in turn: a (1).');
  });
});
