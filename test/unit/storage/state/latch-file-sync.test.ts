import type * as FileSystem from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { LatchFile } from '../../../../src/storage/state/latch-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const disk = vi.hoisted(() => ({ calls: [] as string[], isFull: false, failsFolders: false }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof FileSystem>();
  const named = new Map<number, string>();
  return {
    ...real,
    openSync: (path: string, flags: string, mode?: number) => {
      const file = real.openSync(path, flags, mode);
      named.set(file, path);
      return file;
    },
    writeSync: (file: number, bytes: Buffer, offset: number) => {
      if (disk.isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      return real.writeSync(file, bytes, offset);
    },
    renameSync: (from: string, to: string) => {
      disk.calls.push('rename');
      real.renameSync(from, to);
    },
    fsyncSync: (file: number) => {
      const isFolder = real.fstatSync(file).isDirectory();
      disk.calls.push(isFolder ? `sync of ${named.get(file)}` : 'sync of the file');
      if (isFolder && disk.failsFolders) throw Object.assign(new Error('EIO'), { code: 'EIO' });
      real.fsyncSync(file);
    },
  };
});

beforeEach(() => Object.assign(disk, { calls: [], isFull: false, failsFolders: false }));

const REASON = { reason: 'a person killed it', at: '2026-07-01T12:00:00.000Z' };

function latch(): { readonly file: LatchFile; readonly folder: string } {
  const path = join(scratchFolder(), 'control', 'kill.json');
  const file = new LatchFile(path);
  file.prepare();
  return { file, folder: dirname(path) };
}

it.each(['with its reason', 'without room for one'])(
  'a latch survives a power loss once it is up, %s',
  (how) => {
    const { file, folder } = latch();
    disk.isFull = how === 'without room for one';
    expect(file.raise(REASON)).toBe(true);
    expect(disk.calls.slice(-2)).toEqual(['rename', `sync of ${folder}`]);
  },
);

it('a latch is up with its reason although its folder could not be synced', () => {
  const { file } = latch();
  disk.failsFolders = true;
  expect(file.raise(REASON)).toBe(true);
  expect(file.read()).toEqual(REASON);
});
