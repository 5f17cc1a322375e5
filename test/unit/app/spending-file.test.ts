import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSpending, SpendingFile } from '../../../src/app/spending-file.js';
import type { Micros } from '../../../src/domain/units.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const SPENT = { at: 5 as Micros, tokens: 12.5, dayEnds: 9 as Micros, usedToday: 700 };
const filePath = (): string => join(scratchFolder(), 'control', 'spending.json');

describe('what was used of the allowances', () => {
  it('is found again by the next run, the latest of it', () => {
    const path = filePath();
    const file = new SpendingFile(path, SILENT);
    file.review({ ...SPENT, at: 1_700_000_000_000_000 as Micros });
    file.review(SPENT);
    file.close();
    expect(readSpending(path)).toEqual(SPENT);
  });

  it('stands until the next run has something to say', () => {
    const path = filePath();
    const first = new SpendingFile(path, SILENT);
    first.review(SPENT);
    first.close();
    new SpendingFile(path, SILENT).close();
    expect(readSpending(path)).toEqual(SPENT);
  });

  it.each(['', '{', '{"at":1}', '{"at":1,"tokens":1,"dayEnds":2,"usedToday":-1}'])(
    'is nothing where %j stands',
    (text) => {
      const path = filePath();
      new SpendingFile(path, SILENT).close();
      writeFileSync(path, text);
      expect(readSpending(path)).toBeNull();
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('is nothing where no run was', () => {
    expect(readSpending(filePath())).toBeNull();
  });
});
