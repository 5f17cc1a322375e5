import type * as FileSystem from 'node:fs';
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { JournalError } from '../../../../src/core/ports/journal.js';
import {
  type FileJournalOptions,
  FileJournal,
  readJournalFile,
} from '../../../../src/storage/journal/file-journal.js';
import { created, request, run } from '../../../support/disk/journal-records.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

/** What the disk refuses next, by the name of the call. */
const faults = vi.hoisted(() => ({
  code: {} as Record<string, string>,
  shortWrite: 0,
  /** So many syncs succeed whatever is refused. */
  fsyncs: 0,
  /** Calls that were refused. */
  raised: [] as string[],
  /** Writes and syncs as they were asked for or ended, and the descriptors of the syncs. */
  calls: [] as string[],
  descriptors: [] as number[],
  of(call: string): Error | null {
    const code = this.code[call];
    return code === undefined ? null : Object.assign(new Error(`${code}: ${call}`), { code });
  },
  raise(call: string): void {
    const error = this.of(call);
    if (error === null) return;
    this.raised.push(call);
    throw error;
  },
}));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof FileSystem>();
  return {
    ...real,
    writeSync(file: number, bytes: Buffer, offset = 0, length = bytes.length - offset, position?: number) {
      // A disk fills up in the middle of a write: some bytes arrive, the next call fails.
      if (faults.shortWrite > 0) return real.writeSync(file, bytes, offset, faults.shortWrite--, position);
      faults.raise('writeSync');
      return real.writeSync(file, bytes, offset, length, position);
    },
    fdatasyncSync(file: number) {
      faults.calls.push('sync');
      faults.descriptors.push(file);
      faults.raise('fdatasyncSync');
      real.fdatasyncSync(file);
    },
    ftruncateSync(file: number, size: number) {
      faults.raise('ftruncateSync');
      real.ftruncateSync(file, size);
    },
    fsyncSync(file: number) {
      if (faults.fsyncs > 0) faults.fsyncs -= 1;
      else faults.raise('fsyncSync');
      real.fsyncSync(file);
    },
    renameSync(from: string, to: string) {
      faults.raise('renameSync');
      real.renameSync(from, to);
    },
    fdatasync(file: number, callback: (error: Error | null) => void) {
      const error = faults.of('fdatasync');
      faults.calls.push('background');
      faults.descriptors.push(file);
      const end = (failure: Error | null) => {
        callback(failure);
        faults.calls.push('background ended');
      };
      if (error === null) real.fdatasync(file, end);
      else setImmediate(callback, error);
    },
  };
});

beforeEach(() => {
  faults.code = {};
  faults.shortWrite = 0;
  faults.fsyncs = 0;
  faults.raised = [];
  faults.calls = [];
  faults.descriptors = [];
});

function open(dir: string, options: Partial<FileJournalOptions> = {}): FileJournal {
  const { journal } = FileJournal.open({ dir, sync: 'group', ...options });
  onTestFinished(async () => {
    faults.code = {};
    await journal.close();
  });
  return journal;
}

const openFiles = (): number => readdirSync('/proc/self/fd').length;

const faultOf = (append: () => void): string => {
  try {
    append();
  } catch (error) {
    if (error instanceof JournalError) return error.fault;
  }
  return 'none';
};

describe('a journal on a failing disk', () => {
  it('says that the disk is full, leaves no half line, and works again once there is room', () => {
    const dir = scratchFolder();
    const journal = open(dir);
    journal.append(run('a'));
    Object.assign(faults, { shortWrite: 1, code: { writeSync: 'ENOSPC' } });
    expect(faultOf(() => journal.append(request(1)))).toBe('disk-full');
    faults.code = {};
    journal.append(request(2));
    expect(readJournalFile(dir, 1).records).toEqual([run('a'), request(2)]);
  });

  it('finishes a write that the system took in pieces', () => {
    const dir = scratchFolder();
    const journal = open(dir);
    faults.shortWrite = 5;
    journal.append(run('a'));
    expect(readJournalFile(dir, 1).records).toEqual([run('a')]);
  });

  it('takes nothing more when half a line could not be taken back', () => {
    const journal = open(scratchFolder());
    faults.code = { writeSync: 'EIO', ftruncateSync: 'EIO' };
    expect(faultOf(() => journal.append(request(1)))).toBe('write-failed');
    faults.code = {};
    expect(faultOf(() => journal.append(request(2)))).toBe('write-failed');
  });

  it('takes nothing more after a sync before sending failed: the next one would lie', () => {
    const journal = open(scratchFolder(), { sync: 'before-send' });
    faults.code = { fdatasyncSync: 'EIO' };
    expect(faultOf(() => journal.append(request(1)))).toBe('sync-failed');
    faults.code = {};
    expect(faultOf(() => journal.append(request(2)))).toBe('sync-failed');
  });

  it('tells of a sync in the background that failed, and takes nothing more', async () => {
    const failures: JournalError[] = [];
    const journal = open(scratchFolder(), { onSyncFailure: (error) => failures.push(error) });
    faults.code = { fdatasync: 'EIO' };
    journal.append(request(1));
    await expect.poll(() => failures).toHaveLength(1);
    expect(failures[0]?.fault).toBe('sync-failed');
    expect(faultOf(() => journal.append(request(2)))).toBe('sync-failed');
  });

  it('takes nothing while a new file cannot be begun, and loses nothing', () => {
    const dir = scratchFolder();
    const journal = open(dir, { segmentBytes: 120 });
    journal.append(run('a'));
    faults.code = { writeSync: 'ENOSPC' };
    expect(faultOf(() => journal.append(request(1)))).toBe('disk-full');
    faults.code = {};
    journal.append(request(2));
    expect(readJournalFile(dir, 2).records).toEqual([run('a'), request(2)]);
  });

  it.runIf(process.platform === 'linux').each([
    ['its text', { writeSync: 'ENOSPC' }, 0],
    ['its sync', { fsyncSync: 'EIO' }, 0],
    ['its name', { renameSync: 'EIO' }, 0],
    ['its name on the disk', { fsyncSync: 'EIO' }, 1],
  ])(
    'holds no file that could not be begun for want of %s: there are sockets to be opened',
    (_, code, fsyncs) => {
      const dir = scratchFolder();
      const journal = open(dir, { segmentBytes: 120 });
      journal.append(run('a'));
      faults.code = code;
      const before = openFiles();
      for (let id = 1; id <= 5; id++) {
        faults.fsyncs = fsyncs;
        expect(faultOf(() => journal.append(request(id)))).not.toBe('none');
      }
      expect(openFiles()).toBe(before);
      expect(readdirSync(dir)).toEqual(['journal-00000001.ndjson']);
    },
  );
});

describe('a journal whose folder somebody takes away under its bot', () => {
  const scene = (sync: FileJournalOptions['sync']) => {
    const state = scratchFolder();
    const dir = join(state, 'journal');
    const journal = open(dir, { sync });
    journal.append(run('a'));
    return { state, dir, journal };
  };

  it.each(['group', 'before-send'] as const)('says so, and takes nothing more (%s)', (sync) => {
    const { state, journal } = scene(sync);
    expect(journal.review()).toBeNull();
    rmSync(state, { recursive: true });
    expect(journal.review()?.fault).toBe('removed');
    expect(faultOf(() => journal.append(request(1)))).toBe('removed');
  });

  it('says so, too, when a folder with another journal takes its place', () => {
    const { dir, journal } = scene('group');
    renameSync(dir, `${dir}-moved`);
    open(dir);
    expect(journal.review()?.fault).toBe('removed');
  });

  it('has everything in the folder when that comes back, and takes records again', () => {
    const { dir, journal } = scene('group');
    renameSync(dir, `${dir}-moved`);
    journal.review();
    expect(faultOf(() => journal.append(created(1, 7)))).toBe('removed');
    renameSync(`${dir}-moved`, dir);
    expect(journal.review()).toBeNull();
    journal.append(request(2));
    expect(readJournalFile(dir, 1).records).toEqual([run('a'), created(1, 7), request(2)]);
  });

  it('is not taken for gone when it rotates', () => {
    const { dir, journal } = scene('group');
    const small = open(join(dir, 'small'), { segmentBytes: 120 });
    [run('a'), request(1), request(2)].forEach((record) => small.append(record));
    expect(small.review()).toBeNull();
    expect(journal.review()).toBeNull();
  });
});

describe('a journal that syncs before it sends', () => {
  const opened = (options: Partial<FileJournalOptions> = {}) =>
    open(scratchFolder(), { sync: 'before-send', ...options });
  const ended = async () => {
    await expect.poll(() => faults.calls).toContain('background ended');
  };

  it('has a request on the disk when append returns', () => {
    opened().append(request(1));
    expect(faults.calls).toEqual(['sync']);
  });

  it('lets nobody wait for an outcome, which is on its way at once', async () => {
    opened().append(created(1, 7));
    expect(faults.calls).toEqual([]);
    await ended();
    expect(faults.calls[0]).toBe('background');
    expect(faults.calls).not.toContain('sync');
  });

  it('begins no line before the one before it is on the disk', async () => {
    const journal = opened();
    journal.append(created(1, 7));
    journal.append(created(2, 8));
    expect(faults.calls).toEqual(['sync']);
    journal.append(request(3));
    expect(faults.calls).toEqual(['sync', 'sync', 'sync']);
    await ended();
  });

  it('waits for no outcome that is on the disk already', async () => {
    const journal = opened();
    journal.append(created(1, 7));
    await ended();
    faults.calls = [];
    journal.append(request(2));
    expect(faults.calls).toEqual(['sync']);
  });

  it('takes nothing more after the sync of an outcome failed', async () => {
    const failures: JournalError[] = [];
    const journal = opened({ onSyncFailure: (error) => failures.push(error) });
    faults.code = { fdatasync: 'EIO' };
    journal.append(created(1, 7));
    await expect.poll(() => failures).toHaveLength(1);
    expect(faultOf(() => journal.append(request(2)))).toBe('sync-failed');
  });

  it('hears of a failed write in either way: the system tells each descriptor once', async () => {
    const journal = opened();
    journal.append(request(1));
    journal.append(created(1, 7));
    await ended();
    expect(new Set(faults.descriptors).size).toBe(2);
  });
});
