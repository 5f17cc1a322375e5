/** One file of the journal: its name, reading it back, and what is wrong with it. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, OddsmithError } from '../../domain/errors.js';
import type { JournalRecord } from '../../core/ports/journal.js';
import { encodeLine, judgeLine } from './journal-line.js';
import { writeWhole } from '../files/whole-files.js';
import { CHAIN_START } from '../log/sealed-line.js';
import type { JournalSync, SegmentHeader, StoredRecord } from './record-text.js';

/**
 * In 2 requests stood as tables, since 3 what their bodies say stands there alone: older programs would misread both.
 * Since 4 the header says how the file is synced. Since 5 the bodies of updates leave out what stays as it is, since 6 answers
 * what their orders have the same. Since 7 it tells whose orders are of which no answer told.
 */
export const JOURNAL_VERSION = 7;
const OLDEST_VERSION = 1;
const NAME = /^journal-(\d{8})\.ndjson$/;
const LINE_FEED = 10;
/** What `group` writes between two syncs is less. */
const UNSYNCED_BYTES = 65_536;

/** The journal holds something that no crash explains. Nothing is sent before a person has looked. */
export class JournalCorruptError extends OddsmithError {
  readonly code = 'ODDSMITH_JOURNAL_CORRUPT';
  readonly exit = EXIT.usage;

  constructor(
    readonly file: string,
    readonly line: number,
    what: string,
  ) {
    super(
      `${file}, line ${line}: ${what}. The journal can no longer prove which orders are ours. ` +
        `Withdraw what this bot may have left open (oddsmith kill with its configuration, or by hand at the venue), ` +
        `then move the file away and start again.`,
    );
  }
}

/** A file read back: its records, and how far it is intact. */
export interface Segment {
  readonly path: string;
  readonly number: number;
  readonly version: number;
  readonly sync: JournalSync;
  readonly records: readonly JournalRecord[];
  readonly sum: number;
  /** Bytes up to the end of the last intact line. */
  readonly intactBytes: number;
  /** Bytes after it but for the zeros of the room at the end: the rest of a write that was cut short. */
  readonly tornBytes: number;
}

export const segmentPath = (dir: string, number: number): string =>
  join(dir, `journal-${String(number).padStart(8, '0')}.ndjson`);

/** Numbers of the files in a folder, oldest first. */
export const segmentNumbers = (dir: string): number[] =>
  readdirSync(dir)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);

/**
 * Reads a file whole. Bytes at its end that form no line are the torn tail; a line in the middle that is damaged,
 * or a whole one that breaks the chain of sums, is corruption.
 * @throws JournalCorruptError
 */
export function readSegment(dir: string, number: number): Segment {
  const path = segmentPath(dir, number);
  const bytes = readFileSync(path);
  const scan = new SegmentScan(path, bytes);
  scan.run();
  const { version, sync, records, sum, intactBytes, tornBytes } = scan;
  return { path, number, version, sync, records, sum, intactBytes, tornBytes };
}

/** What a file begins with. */
export interface NewSegment {
  readonly dir: string;
  readonly number: number;
  /** Sum that it continues. */
  readonly chain: number;
  readonly sync: JournalSync;
  readonly records: readonly JournalRecord[];
}

/**
 * Begins a file with a header and records. It appears under its name only when it is whole and on the disk.
 * @throws Error of the file system; nothing is left open then
 */
export function writeSegment({ dir, number, chain, sync, records }: NewSegment): {
  readonly path: string;
  readonly sum: number;
  readonly bytes: number;
} {
  const header: SegmentHeader = { kind: 'segment', version: JOURNAL_VERSION, number, sync, chain };
  const { text, sum } = chained([header, ...records], chain);
  const path = segmentPath(dir, number);
  writeWhole(path, [text], 'bytes and name');
  return { path, sum, bytes: Buffer.byteLength(text) };
}

class SegmentScan {
  readonly records: JournalRecord[] = [];
  readonly #path: string;
  readonly #bytes: Buffer;
  version = JOURNAL_VERSION;
  sync: JournalSync = 'group';
  sum = CHAIN_START;
  intactBytes = 0;
  #line = 0;

  get tornBytes(): number {
    let end = this.#bytes.length;
    while (end > this.intactBytes && this.#bytes[end - 1] === 0) end -= 1;
    return end - this.intactBytes;
  }

  constructor(path: string, bytes: Buffer) {
    this.#path = path;
    this.#bytes = bytes;
  }

  run(): void {
    let text = this.#nextLine();
    while (text !== null) {
      this.#line += 1;
      if (!this.#take(text)) return this.#requireTornTail(text);
      this.intactBytes += Buffer.byteLength(text) + 1;
      text = this.#nextLine();
    }
    if (this.#line === 0) this.#corrupt('the first line is missing');
  }

  /** The next line that ends in a line feed, null when none does. */
  #nextLine(): string | null {
    const end = this.#bytes.indexOf(LINE_FEED, this.intactBytes);
    return end < 0 ? null : this.#bytes.toString('utf8', this.intactBytes, end);
  }

  /** @returns false when the line is broken */
  #take(text: string): boolean {
    if (this.#line === 1) this.sum = chainOf(text);
    const verdict = judgeLine(text, this.sum);
    if (verdict.state === 'altered') this.#corrupt('the checksum does not fit');
    if (verdict.state !== 'intact') return false;
    this.sum = verdict.sum;
    this.#keep(verdict.record);
    return true;
  }

  #keep(record: StoredRecord): void {
    if ((record.kind === 'segment') !== (this.#line === 1)) this.#corrupt('the header is not the first line');
    if (record.kind === 'segment') this.#know(record);
    else this.records.push(record);
  }

  #know({ version, sync = 'group' }: SegmentHeader): void {
    if (version < OLDEST_VERSION || version > JOURNAL_VERSION)
      this.#corrupt(
        `it has version ${version}, and this program knows ${OLDEST_VERSION} to ${JOURNAL_VERSION}`,
      );
    this.version = version;
    this.sync = sync;
  }

  /** After a crash nothing follows the broken line; when something does, the damage is of another kind. */
  #requireTornTail(broken: string): void {
    if (this.#line === 1) this.#corrupt('the line is damaged');
    if (this.sync === 'before-send') this.#requireLastLine();
    else this.#requireUnsynced(broken);
  }

  /**
   * Of the pages that no sync had covered a power loss may keep a later one and not the one before: what is missing is
   * zeros then, and what follows had not been synced either.
   */
  #requireUnsynced(broken: string): void {
    const isHole = broken.includes('\0') && this.tornBytes <= UNSYNCED_BYTES;
    const rest = this.#bytes.toString('utf8', this.intactBytes).split('\n').slice(1);
    if (!isHole && rest.some(isWhole)) this.#corrupt('the line is damaged');
  }

  /**
   * A line is only begun once the one before it is on the disk. So a power loss takes pages of one line alone, the last:
   * its first pages may be zeros and its end be there, but behind that end is nothing but the room.
   */
  #requireLastLine(): void {
    const end = this.#bytes.indexOf(LINE_FEED, this.intactBytes);
    if (this.intactBytes + this.tornBytes > end + 1)
      this.#corrupt(
        'the line is damaged, and more follows, which was only written once this line was on the disk',
      );
  }

  #corrupt(what: string): never {
    throw new JournalCorruptError(this.#path, this.#line, what);
  }
}

const isWhole = (text: string): boolean => judgeLine(text, CHAIN_START).state !== 'broken';

/** The header names last the sum that it continues; the chain itself then vouches for the header. */
function chainOf(headerLine: string): number {
  const chain = /"chain":(\d+)\}\}$/.exec(headerLine)?.[1];
  return chain === undefined ? CHAIN_START : Number(chain);
}

function chained(records: readonly StoredRecord[], chain: number): { text: string; sum: number } {
  let sum = chain;
  const lines = records.map((record) => {
    const line = encodeLine(record, sum);
    sum = line.sum;
    return line.text;
  });
  return { text: lines.join(''), sum };
}
