import { describe, expect, it } from 'vitest';
import { terminalTable } from '../../../src/cli/commands/backtest.js';
import { fittingTable, type TableColumn } from '../../../src/cli/screen/fitting-table.js';

const COLUMNS: readonly TableColumn[] = [
  { title: 'recording', width: 20, align: 'left', rank: 0, least: 10 },
  { title: 'fills', width: 8, align: 'right', rank: 2 },
  { title: 'profit', width: 8, align: 'right', rank: 1 },
  { title: 'stopped by', width: 10, align: 'left', rank: 3 },
];
const CELLS = ['folder/recording-012', '1234', '-43.03', 'fill-breaker'];

const linesIn = (width: number, cells = CELLS): readonly string[] => {
  const { head, row } = fittingTable(COLUMNS, width);
  return [head, row(cells)];
};

describe('a table on a terminal', () => {
  it('has all of its columns where there is room', () => {
    expect(linesIn(80)).toEqual([
      'recording                fills    profit  stopped by',
      'folder/recording-012      1234    -43.03  fill-brea…',
    ]);
    expect(fittingTable(COLUMNS, 80).left).toEqual([]);
  });

  it('cuts names at their beginning first, and then leaves out whole columns and says which', () => {
    expect(linesIn(45)[1]).toBe('…ecording-012      1234    -43.03  fill-brea…');
    expect(linesIn(30)[1]).toBe('…rding-012      1234    -43.03');
    expect(fittingTable(COLUMNS, 30).left).toEqual(['stopped by']);
    expect(fittingTable(COLUMNS, 20).left).toEqual(['fills', 'stopped by']);
    expect(fittingTable(COLUMNS, 8).left).toEqual(['fills', 'profit', 'stopped by']);
  });

  it('never cuts a figure, however long', () => {
    expect(linesIn(80, ['a', '1', '-1,234,567.89', ''])[1]).toContain('-1,234,567.89');
  });
});

describe('the table of every recording', () => {
  const recordings = Array.from(
    { length: 3 },
    (_, at) => `data/kalshi-gold15m/kxgold15m-26aug101800-0${at}.ndjson.gz`,
  );
  const instances = [{ name: 'fixed-spread' }, { name: 'inventory-skew' }];

  it.each([60, 80, 100, 120, 160, 220])('is no wider than %i columns', (width) => {
    const { head } = terminalTable(recordings, instances, width);
    for (const line of head) expect(line.length).toBeLessThanOrEqual(width);
    expect(head.at(-1)).toContain('profit');
  });

  it('in 80 columns tells fills and profit of every instance, and what it has no room for', () => {
    const { head, foot } = terminalTable(recordings, instances, 80);
    expect(head.at(-1)!.split(/ {2,}/)).toEqual(['recording', 'instance', 'fills', 'profit']);
    expect(foot.join(' ')).toContain('no room for: headline, spread');
    for (const line of foot) expect(line.length).toBeLessThanOrEqual(80);
    expect(terminalTable(recordings, instances, 260).foot).toEqual([]);
  });
});
