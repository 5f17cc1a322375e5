import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LatchFile } from '../../../../src/storage/state/latch-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const RECORD = { reason: 'process 1 fell silent', at: '2026-07-01T12:00:00.000Z' };
const latch = (): LatchFile => new LatchFile(join(scratchFolder(), 'control', 'fence.json'));

/** Nothing can be written under the name that a whole record is written to first. */
const withoutRoom = (file: LatchFile): LatchFile => {
  mkdirSync(`${file.path}.new`, { recursive: true });
  return file;
};

describe('a latch', () => {
  it('is down until raised, then up with its reason, for whoever looks', () => {
    const file = latch();
    expect([file.isUp, file.read()]).toEqual([false, null]);
    expect(file.raise(RECORD)).toBe(true);
    expect([file.isUp, new LatchFile(file.path).read()]).toEqual([true, RECORD]);
  });

  it('keeps the first reason', () => {
    const file = latch();
    file.raise(RECORD);
    expect(file.raise({ ...RECORD, reason: 'another' })).toBe(false);
    expect(file.read()).toEqual(RECORD);
  });

  it('is down again once cleared', () => {
    const file = latch();
    expect(file.clear()).toBe(false);
    file.raise(RECORD);
    expect([file.clear(), file.isUp]).toEqual([true, false]);
  });

  it('rises without room for its reason, by the spare that was made ahead', () => {
    const file = latch();
    file.prepare();
    withoutRoom(file);
    expect(file.raise(RECORD)).toBe(true);
    expect(existsSync(`${file.path}.spare`)).toBe(false);
    expect(file.read()).toMatchObject({ reason: 'no reason could be written down' });
  });

  it('rises without room and without a spare, too', () => {
    const file = withoutRoom(latch());
    expect(file.raise(RECORD)).toBe(true);
    expect(file.isUp).toBe(true);
  });

  it('says when it cannot rise at all', () => {
    const path = join(scratchFolder(), 'a-file');
    writeFileSync(path, '');
    const below = new LatchFile(join(path, 'fence.json'));
    expect(() => below.prepare()).toThrow(/ENOTDIR|EEXIST/);
  });

  it('counts as up where nobody can look', () => {
    const path = join(scratchFolder(), 'a-file');
    writeFileSync(path, '');
    const file = new LatchFile(join(path, 'x'.repeat(300)));
    expect(file.isUp).toBe(true);
    expect(file.read()?.reason).toMatch(/^nobody can look whether it does \((ENOTDIR|ENAMETOOLONG)/);
  });

  it('of an unreadable content is up', () => {
    const file = latch();
    file.raise(RECORD);
    writeFileSync(file.path, '{"reason":');
    expect(file.read()).toMatchObject({ at: 'an unknown time' });
  });
});
