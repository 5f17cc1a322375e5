import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/domain/errors.js';
import { micros } from '../../../../src/domain/units.js';
import type { CommandRecord } from '../../../../src/core/ports/command-log.js';
import {
  CommandLogError,
  FileCommandLog,
  prepareFolder,
  prune,
  readBase,
  readCommands,
  writeSnapshot,
} from '../../../../src/storage/command-log/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

interface Word {
  readonly say: string;
}

const HASH = 'abc';
const RECORDS = 4;

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

const record = (sequence: number): CommandRecord<Word> => ({
  sequence,
  at: micros(sequence * 10),
  command: { say: `word ${sequence}` },
});

interface Opened {
  readonly log: FileCommandLog<Word>;
  readonly records: readonly CommandRecord<Word>[];
  readonly ended: readonly number[];
  readonly tornBytes: number;
}

function open(configHash = HASH, bytes = 1_000_000): Opened {
  prepareFolder(dir);
  const base = readBase(dir, configHash);
  const records: CommandRecord<Word>[] = [];
  const last = readCommands<Word>(dir, configHash, { after: base.sequence }, (each) => records.push(each));
  const ended: number[] = [];
  const log = new FileCommandLog<Word>(
    {
      dir,
      configHash,
      size: { records: RECORDS, bytes },
      onSegmentEnd: (sequence) => ended.push(sequence),
      onSyncFailure: () => undefined,
    },
    last,
  );
  return { log, records, ended, tornBytes: last?.tornBytes ?? 0 };
}

async function written(count: number): Promise<void> {
  const { log } = open();
  for (let sequence = 1; sequence <= count; sequence++) log.append(record(sequence));
  await log.close();
}

async function reopened(): Promise<readonly CommandRecord<Word>[]> {
  const { log, records } = open();
  await log.close();
  return records;
}

const files = (kind: string) => readdirSync(dir).filter((name) => name.startsWith(kind));
const file = (first = 1) => join(dir, `commands-${String(first).padStart(15, '0')}.ndjson`);
const snapshotFile = (sequence: number) => join(dir, `snapshot-${String(sequence).padStart(15, '0')}.ndjson`);
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => record(from + index));

const change = (path: string, from: string, to: string) =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));

describe('the commands of a folder', () => {
  it('come back in order, over several files, and go on from there', async () => {
    await written(10);
    expect(files('commands')).toHaveLength(3);
    const { log, records, tornBytes } = open();
    expect(records).toEqual(range(1, 10));
    expect([log.lastSequence, tornBytes]).toEqual([10, 0]);
    log.append(record(11));
    await log.close();
    expect(await reopened()).toEqual(range(1, 11));
  });

  it('are told of at the end of each file, once it is on the disk', async () => {
    const { log, ended } = open();
    for (const each of range(1, RECORDS)) log.append(each);
    await log.sync();
    expect(ended).toEqual([]);
    for (const each of range(RECORDS + 1, 3 * RECORDS + 1)) log.append(each);
    expect(ended).toEqual([RECORDS, 2 * RECORDS, 3 * RECORDS]);
    await log.close();
  });

  it('are there when the log is closed right after they were appended', async () => {
    const { log } = open();
    for (const each of range(1, 9)) log.append(each);
    await log.close();
    expect(await reopened()).toEqual(range(1, 9));
  });

  it.each([0, 40])('lose nothing with a last file of which a power loss left %i bytes', async (bytes) => {
    await written(RECORDS + 1);
    truncateSync(file(RECORDS + 1), bytes);
    const { log, records } = open();
    expect(records).toEqual(range(1, RECORDS));
    log.append(record(RECORDS + 1));
    await log.close();
    expect(await reopened()).toEqual(range(1, RECORDS + 1));
  });

  it('begin a new file when one has grown long', async () => {
    const { log, ended } = open(HASH, 300);
    for (const each of range(1, 4)) log.append(each);
    await log.sync();
    expect(ended).toEqual([3]);
    await log.close();
    expect(await reopened()).toEqual(range(1, 4));
  });

  it.each([1, 7, 30])(
    'lose a record of which the last %i bytes are missing, and no other',
    async (missing) => {
      await written(3);
      truncateSync(file(), readFileSync(file()).length - missing);
      const { log, records, tornBytes } = open();
      expect(records).toEqual(range(1, 2));
      expect(tornBytes).toBeGreaterThan(0);
      log.append(record(3));
      await log.close();
      expect(await reopened()).toEqual(range(1, 3));
    },
  );

  it('lose a last record whose pages a power loss left empty', async () => {
    await written(3);
    const text = readFileSync(file(), 'utf8');
    const from = text.lastIndexOf('word 3');
    writeFileSync(file(), text.slice(0, from) + '\0'.repeat(6) + text.slice(from + 6));
    expect(await reopened()).toEqual(range(1, 2));
  });

  it('stop the start when one was changed, naming file and line', async () => {
    await written(3);
    change(file(), 'word 2', 'word 9');
    expect(() => open()).toThrow(CommandLogError);
    expect(() => open()).toThrow(
      /commands-0+1\.ndjson, line 3: the checksum does not fit\. Restore the folder/,
    );
  });

  it.each(['"sum"', '"command"'])('stop the start when %s of the last one was changed', async (part) => {
    await written(3);
    const text = readFileSync(file(), 'utf8');
    const at = text.lastIndexOf(part);
    writeFileSync(file(), `${text.slice(0, at + 1)}X${text.slice(at + 2)}`);
    expect(() => open()).toThrow(/line 4: (the line is damaged|the checksum does not fit)/);
  });

  it('stop the start when the end of the last line was changed', async () => {
    await written(3);
    writeFileSync(file(), `${readFileSync(file(), 'utf8').slice(0, -1)}X`);
    expect(() => open()).toThrow(/line 4: the end of the last line is damaged/);
  });

  it('stop the start when a line is missing', async () => {
    await written(3);
    const lines = readFileSync(file(), 'utf8').split('\n');
    writeFileSync(file(), lines.filter((_, index) => index !== 2).join('\n'));
    expect(() => open()).toThrow(/line 3/);
  });

  it('stop the start when a file is missing in the middle', async () => {
    await written(10);
    unlinkSync(file(5));
    expect(() => open()).toThrow(/commands-0+9\.ndjson does not go on where .*commands-0+1\.ndjson ends/);
  });

  it('stop the start when the first file is missing', async () => {
    await written(10);
    unlinkSync(file(1));
    expect(() => open()).toThrow(/the commands from number 1 on are missing/);
  });

  it('stop the start when a file that ended has a torn end', async () => {
    await written(10);
    truncateSync(file(5), readFileSync(file(5)).length - 3);
    expect(() => open()).toThrow(/commands-0+5\.ndjson, the last line: damaged/);
  });

  it('are refused under another configuration', async () => {
    await written(1);
    expect(() => open('other')).toThrow(UsageError);
    expect(() => open('other')).toThrow(/another configuration/);
  });

  it('are refused in a file that is none of their own', () => {
    appendFileSync(file(), 'hello\nworld\n');
    expect(() => open()).toThrow(/line 1: the line is damaged/);
  });

  it('are refused in the file of version 1', () => {
    appendFileSync(join(dir, 'commands.ndjson'), '{}\n');
    expect(() => open()).toThrow(/is of version 1, not 3/);
  });
});

const STATE = { format: 1, list: Array.from({ length: 2_500 }, (_, index) => index), empty: [], text: 'ü' };
const snapshot = (sequence: number) => writeSnapshot(dir, HASH, sequence, { ...STATE, sequence });

describe('snapshots of a folder', () => {
  it('come back as they were, and only later commands are read', async () => {
    await written(10);
    snapshot(8);
    expect(readBase(dir, HASH)).toEqual({ snapshot: { ...STATE, sequence: 8 }, sequence: 8, damaged: [] });
    expect(await reopened()).toEqual(range(9, 10));
  });

  it('give way to the one before when one is damaged, which is put aside', async () => {
    await written(10);
    snapshot(4);
    snapshot(8);
    change(snapshotFile(8), '2499', '2498');
    const { sequence, damaged } = readBase(dir, HASH);
    expect(sequence).toBe(4);
    expect(damaged).toEqual([expect.stringMatching(/snapshot-0+8\.ndjson: damaged after line \d+/)]);
    expect(await reopened()).toEqual(range(5, 10));
    expect(existsSync(`${snapshotFile(8)}.damaged`)).toBe(true);
  });

  it('give way to the whole log when the only one is damaged', async () => {
    await written(10);
    snapshot(8);
    truncateSync(snapshotFile(8), 100);
    expect(await reopened()).toEqual(range(1, 10));
  });

  it('stop the start when none can be read and the commands are gone', async () => {
    await written(10);
    snapshot(4);
    snapshot(8);
    prune(dir);
    for (const sequence of [4, 8]) truncateSync(snapshotFile(sequence), 100);
    expect(() => open()).toThrow(/the commands from number 1 on are missing/);
  });

  it('stop the start when they know more than the commands', async () => {
    await written(3);
    snapshot(8);
    expect(() => open()).toThrow(/the commands from number \d+ on are missing/);
  });

  it('of another configuration are refused', async () => {
    await written(10);
    snapshot(8);
    expect(() => readBase(dir, 'other')).toThrow(/another configuration/);
  });

  it('make older ones and the commands in them needless, but for one to fall back to', async () => {
    await written(14);
    for (const sequence of [4, 8, 12]) snapshot(sequence);
    prune(dir);
    expect(files('snapshot')).toHaveLength(2);
    expect(files('commands')).toEqual([
      expect.stringContaining('9.ndjson'),
      expect.stringContaining('13.ndjson'),
    ]);
    expect(await reopened()).toEqual(range(13, 14));
    truncateSync(snapshotFile(12), 100);
    expect(await reopened()).toEqual(range(9, 14));
  });

  it('that a kill left unfinished are removed', async () => {
    await written(1);
    writeFileSync(`${snapshotFile(1)}.new`, 'half');
    prepareFolder(dir);
    expect(files('snapshot')).toEqual([]);
  });
});
