/** Tables beside recordings, as spreadsheets and pandas write them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MarketRecords } from '../../../src/recordings/market-records.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';

function recordsOf(text: string): MarketRecords {
  const path = join(scratchFolder(), 'table.csv');
  writeFileSync(path, text);
  const records = new MarketRecords();
  records.read(path);
  return records;
}

describe('a table of markets', () => {
  it('has the columns that its head names, also behind an index without a name', () => {
    const indexed = recordsOf(',ticker,title,result\n0,A-1,"Rain, or snow",yes\n1,A-2,,no\n');
    expect(indexed.of('A-1')).toEqual({ title: 'Rain, or snow', settlement: 1 });
    expect(indexed.of('A-2')).toEqual({ settlement: 0 });
  });

  it('keeps empty cells, the first among them, in their places', () => {
    const records = recordsOf('title,ticker,event,result\n,A-1,,no\n"",A-2,E,"yes"\n');
    expect(records.of('A-1')).toEqual({ settlement: 0 });
    expect(records.of('A-2')).toEqual({ event: 'E', settlement: 1 });
  });

  it('is refused when no row says which market it is of', () => {
    expect(() => recordsOf('name,result\nRain,yes\n')).toThrow(/no row has an id of a market/);
    expect(recordsOf('ticker,result\n,yes\nA-1,no\n').size).toBe(1);
  });
});
