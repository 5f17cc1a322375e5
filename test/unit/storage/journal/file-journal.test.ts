import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JournalRecord } from '../../../../src/core/ports/journal.js';
import {
  type FileJournalOptions,
  FileJournal,
  JournalCorruptError,
  readJournalFile,
} from '../../../../src/storage/journal/file-journal.js';
import { CHAIN_START, sealLine, sumDigits, type LogSync } from '../../../../src/storage/log/segment.js';
import { micros, money } from '../../../../src/domain/units.js';
import { answered, created, end, ownOrders, request, run } from '../../../support/disk/journal-records.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const SYNCS = ['group', 'before-send'] as const;

function open(dir: string, options: Partial<FileJournalOptions> = {}) {
  const opened = FileJournal.open({ dir, sync: 'group', ...options });
  onTestFinished(() => opened.journal.close());
  return opened;
}

async function write(
  dir: string,
  records: readonly JournalRecord[],
  options: Partial<FileJournalOptions> = {},
) {
  const { journal } = open(dir, options);
  records.forEach((record) => journal.append(record));
  await journal.close();
}

const firstFile = (dir: string): string => join(dir, 'journal-00000001.ndjson');

describe('the file journal', () => {
  it.each(SYNCS)('gives back what the last run left open (%s)', async (sync) => {
    const dir = scratchFolder();
    await write(dir, [run('a'), request(1), created(1, 7), request(2)], { sync });
    expect(open(dir, { sync }).recovered).toEqual([run('a'), ownOrders(7), request(2)]);
  });

  it('goes on in the same file at the next start', async () => {
    const dir = scratchFolder();
    await write(dir, [run('a'), request(1)]);
    await write(dir, [run('b'), request(1)]);
    expect(readJournalFile(dir, 1).records).toEqual([run('a'), request(1), run('b'), request(1)]);
  });

  it('is in the kernel when append returns', () => {
    const dir = scratchFolder();
    const { journal } = open(dir);
    journal.append(run('a'));
    expect(readJournalFile(dir, 1).records).toEqual([run('a')]);
  });

  it('keeps balances, which are a map', async () => {
    const dir = scratchFolder();
    const balances = answered(1, { kind: 'read-balances', balances: new Map([['OOM', money(5)]]) });
    await write(dir, [run('a'), balances]);
    expect(readJournalFile(dir, 1).records).toEqual([run('a'), balances]);
  });

  it('is readable by its owner only', () => {
    const dir = join(scratchFolder(), 'journal');
    open(dir);
    expect(statSync(dir).mode & 0o077).toBe(0);
    expect(statSync(firstFile(dir)).mode & 0o077).toBe(0);
  });

  it('leaves no timer behind when it is closed right after a record', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { journal } = open(scratchFolder());
    journal.append(run('a'));
    await Promise.resolve();
    expect(vi.getTimerCount()).toBe(1);
    await journal.close();
    expect(vi.getTimerCount()).toBe(0);
    const other = open(scratchFolder()).journal;
    other.append(run('a'));
    await other.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes nothing after it was closed, and closes twice', async () => {
    const dir = scratchFolder();
    const { journal } = open(dir);
    await journal.close();
    await journal.close();
    expect(() => journal.append(run('a'))).toThrow(expect.objectContaining({ fault: 'closed' }));
  });

  it.each(SYNCS)('loses nothing that was appended when its process is killed (%s)', async (sync) => {
    const dir = scratchFolder();
    const script = fileURLToPath(new URL('../../../support/disk/journal-writer.ts', import.meta.url));
    const writer = spawn(process.execPath, ['--import', 'tsx', script, dir, sync]);
    let printed = '';
    writer.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes('\n300\n')) writer.kill('SIGKILL');
    });
    await once(writer, 'close');
    const lastPrinted = Number(printed.trimEnd().split('\n').at(-1));
    const { records } = readJournalFile(dir, 1);
    expect(lastPrinted).toBeGreaterThanOrEqual(300);
    expect(records.length - 1).toBeGreaterThanOrEqual(lastPrinted);
  });
});

describe('a journal whose last write was cut short', () => {
  it('loses the torn line, whatever its length, and nothing else', async () => {
    const dir = scratchFolder();
    await write(dir, [run('a'), request(1)]);
    const intact = statSync(firstFile(dir)).size;
    await write(dir, [request(2)]);
    const whole = readFileSync(firstFile(dir));
    for (let size = intact + 1; size < whole.length; size++) {
      writeFileSync(firstFile(dir), whole.subarray(0, size));
      expect(readJournalFile(dir, 1).tornBytes).toBe(size - intact);
    }
  });

  it('is cut at the next start and written on', async () => {
    const dir = scratchFolder();
    await write(dir, [run('a'), request(1)]);
    appendFileSync(firstFile(dir), '{"sum":"00');
    const { journal, recovered, tornBytes } = open(dir);
    expect({ recovered, tornBytes }).toEqual({ recovered: [run('a'), request(1)], tornBytes: 10 });
    journal.append(request(2));
    expect(readJournalFile(dir, 1).records).toEqual([run('a'), request(1), request(2)]);
  });

  it('also loses a block of zeros, as a power loss leaves it', async () => {
    const dir = scratchFolder();
    await write(dir, [run('a')]);
    appendFileSync(firstFile(dir), Buffer.concat([Buffer.alloc(4_096), Buffer.from('\n')]));
    expect(open(dir).tornBytes).toBe(4_097);
  });
});

describe('a page that a power loss kept although the one before is lost', () => {
  /** A journal with a record, zeros in the place of the second but for its end, and so many whole ones behind. */
  async function holed(dir: string, behind: number, sync: LogSync = 'group'): Promise<void> {
    await write(dir, [run('a')], { sync });
    const hole = statSync(firstFile(dir)).size;
    await write(dir, [request(1)], { sync });
    const end = statSync(firstFile(dir)).size;
    const records = Array.from({ length: behind }, (_, at) => request(2 + at));
    await write(dir, records, { sync });
    writeFileSync(firstFile(dir), readFileSync(firstFile(dir)).fill(0, hole, end - 10));
  }

  it('is lost with what had not been synced either', async () => {
    const dir = scratchFolder();
    await holed(dir, 3);
    expect(open(dir).recovered).toEqual([run('a')]);
  });

  it('is no power loss when more follows than can have been without a sync', async () => {
    const dir = scratchFolder();
    await holed(dir, 1_000);
    expect(() => open(dir)).toThrow('line 3: the line is damaged');
  });

  it('is the end of the line that was being written, where each is on the disk before the next', async () => {
    const dir = scratchFolder();
    await holed(dir, 0, 'before-send');
    expect(open(dir, { sync: 'before-send' })).toMatchObject({ recovered: [run('a')] });
  });

  it('is no power loss there when anything follows, whole or not', async () => {
    const dir = scratchFolder();
    await holed(dir, 1, 'before-send');
    const message =
      'line 3: the line is damaged, and more follows, which was only written once this line was';
    expect(() => open(dir, { sync: 'before-send' })).toThrow(message);
    truncateSync(firstFile(dir), statSync(firstFile(dir)).size - 9);
    expect(() => open(dir, { sync: 'before-send' })).toThrow(message);
  });

  it('is judged by how the file was written, whatever the next run is to do', async () => {
    const [grouped, single] = [scratchFolder(), scratchFolder()];
    await holed(grouped, 3, 'group');
    await holed(single, 3, 'before-send');
    expect(open(grouped, { sync: 'before-send' }).recovered).toEqual([run('a')]);
    expect(() => open(single, { sync: 'group' })).toThrow(JournalCorruptError);
  });

  it('is judged so of what follows, too: another way to sync begins another file', async () => {
    const dir = scratchFolder();
    await write(dir, [run('a'), request(1)]);
    await write(dir, [request(2)], { sync: 'before-send' });
    await write(dir, [request(3)], { sync: 'before-send' });
    expect(readJournalFile(dir, 1)).toMatchObject({ sync: 'group', records: [run('a'), request(1)] });
    const records = [run('a'), request(1), request(2), request(3)];
    expect(readJournalFile(dir, 2)).toMatchObject({ sync: 'before-send', records });
  });
});

describe('a corrupt journal', () => {
  const corruptions: Record<string, (bytes: Buffer) => Buffer> = {
    'a flipped bit in a record': (bytes) => {
      bytes.writeUInt8(bytes.readUInt8(bytes.indexOf('run-1')) ^ 1, bytes.indexOf('run-1'));
      return bytes;
    },
    'a lost line': (bytes) => {
      const lines = bytes.toString().split('\n');
      return Buffer.from([lines[0], lines[1], ...lines.slice(3)].join('\n'));
    },
    'two lines exchanged': (bytes) => {
      const [first, second, third, ...rest] = bytes.toString().split('\n');
      return Buffer.from([first, third, second, ...rest].join('\n'));
    },
    'a line overwritten in the middle': (bytes) => {
      const lines = bytes.toString().split('\n');
      return Buffer.from([lines[0], lines[1], '{"sum":', ...lines.slice(3)].join('\n'));
    },
    'a damaged header': (bytes) => Buffer.from(bytes.toString().replace('"chain":"0', '"chain":"1')),
    'another version': (bytes) => Buffer.from(bytes.toString().replace('"version":8', '"version":3')),
    'a missing header': (bytes) => bytes.subarray(bytes.indexOf('\n') + 1),
    'no content at all': () => Buffer.alloc(0),
  };

  it.each(Object.keys(corruptions))('stops the start with file, line and what to do: %s', async (name) => {
    const dir = scratchFolder();
    await write(dir, [run('a'), request(1), request(2), request(3)]);
    const corrupted = corruptions[name]?.(readFileSync(firstFile(dir))) ?? Buffer.alloc(0);
    writeFileSync(firstFile(dir), corrupted);
    expect(() => open(dir)).toThrow(JournalCorruptError);
    expect(() => open(dir)).toThrow(/journal-00000001\.ndjson, line \d: .*move the file away/);
    expect(readFileSync(firstFile(dir))).toEqual(corrupted);
  });
});

describe('what left within the last minute', () => {
  const SECOND = 1_000_000;
  const place = { eventId: '873', marketId: '2231', side: 'bid', position: 'long', currency: 'OOM' };
  const orders = [7, 8, 9].map((shares) => ({ ...place, price: 5_200, shares, expiresAt: null }));
  const sentAt = (requestId: number, seconds: number): JournalRecord => ({
    kind: 'request',
    requestId,
    key: null,
    at: micros(seconds * SECOND),
    request: { kind: 'create-orders', orders } as never,
    body: '{}',
  });
  const three = (seconds: number) => ({ at: seconds * SECOND, orders: 3 });

  it('is told by the requests of all runs, whatever became of them', async () => {
    const dir = scratchFolder();
    await write(dir, [run('a'), sentAt(1, 10), created(1), sentAt(2, 40), end('clean')]);
    await write(dir, [run('b'), sentAt(1, 70)]);
    expect(open(dir).sent).toEqual([three(40), three(70)]);
  });

  it('goes with a journal that rotates, and counts once', async () => {
    const dir = scratchFolder();
    const records = [run('a'), sentAt(1, 10), created(1), sentAt(2, 40), sentAt(3, 60), sentAt(4, 69)];
    for (const record of records) await write(dir, [record], { segmentBytes: 300 });
    expect(readdirSync(dir).length).toBeGreaterThan(1);
    expect(open(dir).sent).toEqual([three(10), three(40), three(60), three(69)]);
  });
});

describe('a file of another version', () => {
  it.each([7, 9])('stops the start, and is left as it is (%d)', async (version) => {
    const dir = scratchFolder();
    await write(dir, []);
    const header = { kind: 'segment', log: 'journal', version, number: 1, sync: 'group', chain: '00000000' };
    writeFileSync(firstFile(dir), sealLine(JSON.stringify(header), CHAIN_START).text);
    const before = readFileSync(firstFile(dir));
    expect(() => open(dir)).toThrow(`line 1: it has version ${version}, and this program reads version 8`);
    expect(readFileSync(firstFile(dir))).toEqual(before);
  });

  it.each([
    ['{"sum":"0","record":{"kind":"segment","version":7}}', 'it was written by an earlier version'],
    ['{"kind":"segment","log":"exchange-commands"}', 'it is no file of the journal'],
    ['{"t":1,"type":"book"}', 'the header is missing'],
    ['hello', 'the line is damaged'],
  ])('stops the start, and says what it is: %s', async (line, what) => {
    const dir = scratchFolder();
    await write(dir, []);
    writeFileSync(firstFile(dir), `${line}\n`);
    expect(() => open(dir)).toThrow(what);
  });
});

describe('rotation', () => {
  const small = { segmentBytes: 600, segments: 2 };

  it('begins a new file with what is still open, and keeps the chain', async () => {
    const dir = scratchFolder();
    await write(dir, [run('a'), request(1), created(1, 7), request(2), request(3)], small);
    const [first, second] = [readJournalFile(dir, 1), readJournalFile(dir, 2)];
    expect(second.records).toEqual([run('a'), ownOrders(7), request(2), request(3)]);
    expect(readFileSync(second.path, 'utf8')).toContain(`"chain":"${sumDigits(first.sum)}"`);
    expect(open(dir, small).recovered).toEqual(second.records);
  });

  it('stays bounded however much is written', async () => {
    const dir = scratchFolder();
    const { journal } = open(dir, small);
    journal.append(run('a'));
    for (let id = 1; id <= 400; id++) [request(id), created(id)].forEach((record) => journal.append(record));
    const files = readdirSync(dir).sort();
    expect(files).toHaveLength(2);
    expect(files.every((file) => statSync(join(dir, file)).size < 2_000)).toBe(true);
    await journal.close();
  });

  it('does not rotate at every append when much is open', async () => {
    const dir = scratchFolder();
    const { journal } = open(dir, { ...small, segments: 1_000 });
    journal.append(run('a'));
    for (let id = 1; id <= 400; id++) journal.append(request(id));
    expect(readdirSync(dir).length).toBeLessThan(12);
    await journal.close();
  });

  it('survives a crash between the new file and its name', async () => {
    const dir = scratchFolder();
    await write(dir, [run('a'), request(1)]);
    writeFileSync(join(dir, 'journal-00000002.ndjson.new'), '{"sum":');
    expect(open(dir).recovered).toEqual([run('a'), request(1)]);
  });

  it('forgets all of it once a run ended clean', async () => {
    const dir = scratchFolder();
    await write(dir, [run('a'), request(1), end('clean')]);
    expect(open(dir).recovered).toEqual([]);
    truncateSync(firstFile(dir), statSync(firstFile(dir)).size - 3);
    expect(open(dir).recovered).toEqual([run('a'), request(1)]);
  });
});
