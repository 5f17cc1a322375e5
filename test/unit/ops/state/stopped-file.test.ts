import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resumeStopped, StoppedFile } from '../../../../src/ops/state/stopped-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const STOPPED = [{ instance: 'quiet', strategy: 'mine', fault: 'Error: no idea (mine.ts:3:9)' }];

function scene() {
  const folder = join(scratchFolder(), 'control');
  mkdirSync(folder);
  const path = join(folder, 'stopped.json');
  let resumed = 0;
  const said: string[] = [];
  const logger = { error: (text: string) => void said.push(text) };
  const open = () => new StoppedFile({ path, logger, onResumed: () => void (resumed += 1) });
  return { folder, path, open, said, resumed: () => resumed };
}

describe('what a fault stopped', () => {
  it('stands in a file that a person takes away who resumes, and is told which it was', () => {
    const { path, open, resumed } = scene();
    const file = open();
    file.review([]);
    expect(existsSync(path)).toBe(false);
    file.review(STOPPED);
    file.review(STOPPED);
    expect(resumed()).toBe(0);
    expect(resumeStopped(path)).toEqual(['strategy instance quiet, stopped: Error: no idea (mine.ts:3:9)']);
    file.review(STOPPED);
    expect(resumed()).toBe(1);
    file.review([]);
    expect(resumed()).toBe(1);
    expect(resumeStopped(path)).toEqual([]);
  });

  it('and stops again at once is written again', () => {
    const { path, open, resumed } = scene();
    const file = open();
    file.review(STOPPED);
    resumeStopped(path);
    file.review(STOPPED);
    file.review(STOPPED);
    expect(existsSync(path)).toBe(true);
    expect(resumed()).toBe(1);
  });

  it('that somebody else resumed meanwhile is not resumed once more', () => {
    const { path, open, resumed } = scene();
    const file = open();
    file.review(STOPPED);
    resumeStopped(path);
    file.review([]);
    expect(resumed()).toBe(0);
  });

  it('is no word of a person when the whole folder is gone', () => {
    const { folder, path, open, resumed } = scene();
    const file = open();
    file.review(STOPPED);
    renameSync(folder, `${folder}.away`);
    mkdirSync(folder);
    file.review(STOPPED);
    expect(resumed()).toBe(0);
    expect(existsSync(path)).toBe(true);
  });

  it('counts for nothing in the next run, and is gone when its own ends', () => {
    const { path, open, resumed } = scene();
    writeFileSync(path, JSON.stringify(STOPPED));
    const file = open();
    expect(existsSync(path)).toBe(false);
    file.review([]);
    expect(resumed()).toBe(0);
    file.review(STOPPED);
    file.close();
    expect(existsSync(path)).toBe(false);
    file.close();
  });

  it('is resumed although what stands in the file cannot be read', () => {
    const { path } = scene();
    writeFileSync(path, '');
    expect(resumeStopped(path)).toEqual([path]);
    expect(existsSync(path)).toBe(false);
  });

  it('that cannot be written down is said once, and tried again', () => {
    const { folder, path, open, said, resumed } = scene();
    const file = open();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'no folder');
    file.review(STOPPED);
    file.review(STOPPED);
    expect(said).toEqual([expect.stringContaining('oddsmith resume does not reach them')]);
    rmSync(folder);
    file.review(STOPPED);
    expect(existsSync(path)).toBe(true);
    expect(resumed()).toBe(0);
  });
});
