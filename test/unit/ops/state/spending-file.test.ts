import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KeptSilence, readSpending, SpendingFile } from '../../../../src/ops/state/spending-file.js';
import type { Micros } from '../../../../src/domain/units.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { SILENT } from '../../../support/process/silent-logger.js';

const SPENT = {
  at: 5 as Micros,
  tokens: 12.5,
  requests: [700, 0, 3],
  blockedUntil: 0 as Micros,
};
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

  it.each([
    '',
    '{',
    '{"at":1}',
    '{"at":1,"tokens":1,"requests":[-1]}',
    '{"at":1,"tokens":1,"dayEnds":2,"usedToday":-1}',
  ])('is nothing where %j stands', (text) => {
    const path = filePath();
    new SpendingFile(path, SILENT).close();
    writeFileSync(path, text);
    expect(readSpending(path)).toBeNull();
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('has room for the busiest day, after which nothing of it stands', () => {
    const path = filePath();
    const file = new SpendingFile(path, SILENT);
    const at = 1_700_000_000_000_000 as Micros;
    const busy = { at, tokens: 1 / 3, requests: Array<number>(146).fill(9_999_999_999), blockedUntil: at };
    file.review(busy);
    expect(readSpending(path)).toEqual(busy);
    file.review(SPENT);
    expect(readSpending(path)).toEqual(SPENT);
  });

  it('holds the silence that the venue asked for, before there is a schedule, too', () => {
    const path = filePath();
    let now = 1_700_000_000_000_000 as Micros;
    const silence = new KeptSilence(path, { now: () => now }, SILENT);
    expect(silence.leftMs()).toBe(0);
    silence.begin(60_000);
    now = (now + 20_000_000) as Micros;
    expect(silence.leftMs()).toBe(40_000);
    new SpendingFile(path, SILENT).review({ ...SPENT, blockedUntil: (now + 5_000_000) as Micros });
    expect(silence.leftMs()).toBe(5_000);
    now = (now + 5_000_000) as Micros;
    expect(silence.leftMs()).toBe(0);
  });

  it('asks for no longer silence when the clock was set back meanwhile, and lets it pass', () => {
    const path = filePath();
    let now = 1_700_000_000_000_000 as Micros;
    const silence = new KeptSilence(path, { now: () => now }, SILENT);
    silence.begin(60_000);
    now = (now - 7_200_000_000) as Micros;
    expect(silence.leftMs()).toBe(60_000);
    now = (now + 45_000_000) as Micros;
    expect(silence.leftMs()).toBe(15_000);
    now = (now + 15_000_000) as Micros;
    expect(silence.leftMs()).toBe(0);
  });

  it('measures it from when it was asked for, however long ago a run was', () => {
    const path = filePath();
    new SpendingFile(path, SILENT).review({ ...SPENT, at: 1_600_000_000_000_000 as Micros });
    let now = 1_700_000_000_000_000 as Micros;
    const silence = new KeptSilence(path, { now: () => now }, SILENT);
    silence.begin(60_000);
    now = (now - 7_200_000_000) as Micros;
    expect(silence.leftMs()).toBe(60_000);
  });

  it('leaves what was sent as old as it is', () => {
    const path = filePath();
    const now = 1_700_000_000_000_000 as Micros;
    const at = (now - 7_200_000_000) as Micros;
    new SpendingFile(path, SILENT).review({ ...SPENT, at });
    new KeptSilence(path, { now: () => now }, SILENT).begin(60_000);
    expect(readSpending(path)).toMatchObject({
      at: now,
      requests: [700, 0, 3, ...Array<number>(12).fill(0)],
    });
    new KeptSilence(path, { now: () => at }, SILENT).begin(60_000);
    expect(readSpending(path)).toMatchObject({ at, requests: [700, 0, 3, ...Array<number>(12).fill(0)] });
  });

  it('is nothing where no run was', () => {
    expect(readSpending(filePath())).toBeNull();
  });
});
