/** One file of a sealed log: its name, its header, reading it back, and what is wrong with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/**
 * When a line reaches the disk. `group`: together with its neighbours a few milliseconds later; survives a kill, but not
 * a power loss in between. `before-send`: when `append` returns, or at once in the background; no line is begun before
 * the one before it is on the disk, so a power loss takes the last line at most.
 */
export type LogSync = 'group' | 'before-send';

/** Which log a file belongs to, and how its reader complains. */
export interface LogKind {
  /** As its headers name it. */
  readonly name: string;
  /** A reader takes its own version only. */
  readonly version: number;
  /** @param line from 1 */
  readonly damaged: (path: string, line: number, what: string) => Error;
}

/** First line of every file. */
export interface SegmentHeader {
  readonly kind: 'segment';
  readonly log: string;
  readonly version: number;
  readonly sync: LogSync;
  /** Sum that it continues, eight hexadecimal digits: files cannot be mixed up. */
  readonly chain: string;
}

/** Where a file ends as far as it is intact. */
export interface SegmentEnd {
  readonly path: string;
  readonly sum: number;
  /** Up to the end of the last intact line. */
  readonly intactBytes: number;
}

/** A file that was read back. */
export interface Segment<Header extends SegmentHeader> extends SegmentEnd {
  readonly header: Header;
  /** After the intact ones: the rest of a write that was cut short. */
  readonly tornBytes: number;
}

const LINE_FEED = 10;
/** More bytes than any log with `group` writes between two syncs. */
const UNSYNCED_BYTES = 65_536;

/** Names of numbered files in a folder: `journal-00000001.ndjson`. */
export class NumberedFiles {
  readonly #pattern: RegExp;

  constructor(
    private readonly prefix: string,
    private readonly digits: number,
  ) {
    this.#pattern = new RegExp(`^${prefix}-(\\d{${digits}})\\.ndjson$`);
  }

  path(dir: string, number: number): string {
    return join(dir, `${this.prefix}-${String(number).padStart(this.digits, '0')}.ndjson`);
  }

  /** Lowest first. */
  numbersIn(dir: string): number[] {
    const numbers = readdirSync(dir).flatMap((name) => this.#pattern.exec(name)?.[1] ?? []);
    return numbers.map(Number).sort((a, b) => a - b);
  }
}

/**
 * Reads a file whole. Bytes at its end that a crash or a power loss explains are passed over.
 * @param check told of the header before any record; throws for a file that it does not want
 * @param visit told of each record in order
 * @throws what `kind.damaged` makes of anything that no crash explains, or of a file of another kind or version
 */
export function readSegment<Header extends SegmentHeader>(
  path: string,
  kind: LogKind,
  check: (header: Header) => void,
  visit: (record: unknown) => void,
): Segment<Header> {
  const bytes = readFileSync(path);
  const header = headerIn(path, bytes, kind) as Header;
  let [sum, at, line] = [sumOf(header.chain), 0, 1];
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, at)) {
    const text = bytes.subarray(at, end);
    const verdict = judgeLine(text, sum);
    if (verdict.state !== 'intact') {
      const problem = line === 1 ? damageOf(text, sum) : lossProblem(header.sync, bytes, at, end, sum);
      if (problem !== null) throw kind.damaged(path, line, problem);
      break;
    }
    if (line === 1) check(header);
    else visit(recordIn(text));
    [sum, at, line] = [verdict.sum, end + 1, line + 1];
  }
  // A write that was cut short leaves the beginning of a line, never a whole line with another end.
  const lastByte = Math.max(at, bytes.length - 1);
  if (judgeLine(bytes.subarray(at, lastByte), sum).state === 'intact')
    throw kind.damaged(path, line, 'the end of the last line is damaged');
  return { path, header, sum, intactBytes: at, tornBytes: bytes.length - at };
}

/** Whether not even the first line of a file is there. */
export const isUnbegun = (path: string): boolean => !readFileSync(path).includes(LINE_FEED);

function headerIn(path: string, bytes: Buffer, kind: LogKind): SegmentHeader {
  const end = bytes.indexOf(LINE_FEED);
  if (end < 0) throw kind.damaged(path, 1, 'the first line is missing');
  const header = jsonObject(bytes.toString('utf8', 0, end));
  if (header === null) throw kind.damaged(path, 1, 'the line is damaged');
  if ('record' in header) throw kind.damaged(path, 1, 'it was written by an earlier version of this program');
  if (header['kind'] !== 'segment') throw kind.damaged(path, 1, 'the header is missing');
  if (header['log'] !== kind.name) throw kind.damaged(path, 1, `it is no file of the ${kind.name}`);
  if (header['version'] !== kind.version)
    throw kind.damaged(
      path,
      1,
      `it has version ${String(header['version'])}, and this program reads version ${kind.version}`,
    );
  return header as unknown as SegmentHeader;
}

/** @returns null for what is no JSON object */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const damageOf = (text: Buffer, sum: number): string =>
  judgeLine(text, sum).state === 'altered' ? 'the checksum does not fit' : 'the line is damaged';

/**
 * A power loss may keep a later page of what had not been synced and not the one before: the missing one is zeros then.
 * @returns why a line that is not intact is no such loss; null when it is one
 */
function lossProblem(sync: LogSync, bytes: Buffer, at: number, end: number, sum: number): string | null {
  const text = bytes.subarray(at, end);
  if (!text.includes(0)) return damageOf(text, sum);
  if (sync === 'group') return bytes.length - at <= UNSYNCED_BYTES ? null : 'the line is damaged';
  return end + 1 === bytes.length
    ? null
    : 'the line is damaged, and more follows, which was only written once this line was on the disk';
}

/**
 * Lines of a sealed log: `{"sum":"<8 hex digits>","kind":...}`. The sum is the CRC-32 of the text behind it and continues
 * the sum of the line before, so a line that was altered, lost, doubled or moved breaks the chain there.
 */

/** Sum before the first line of a log. */
export const CHAIN_START = 0;
/** Every sealed line begins so. */
export const OPENING = '{"sum":"';

const DIGITS = 8;
/** Where the text begins that the sum covers: behind `{"sum":"01234567",`. */
const BODY_AT = OPENING.length + DIGITS + 2;
const SEAL = /^\{"sum":"([0-9a-f]{8})",$/;

/** `broken`: no sealed line. `altered`: a sealed line whose sum does not continue the chain. */
export type LineVerdict =
  | { readonly state: 'intact'; readonly sum: number }
  | { readonly state: 'altered' }
  | { readonly state: 'broken' };

/** A line with its line feed, and its sum for the next one. */
export interface SealedLine {
  readonly text: string;
  readonly sum: number;
}

/** @param body a JSON object as text */
export function sealLine(body: string, previous: number): SealedLine {
  const rest = body.slice(1);
  const sum = crc32(rest, previous);
  return { text: `${OPENING}${sumDigits(sum)}",${rest}\n`, sum };
}

export const sumDigits = (sum: number): string => sum.toString(16).padStart(DIGITS, '0');
export const sumOf = (digits: string): number => Number.parseInt(digits, 16);

/** @param line one line without its line feed */
export function judgeLine(line: Buffer, previous: number): LineVerdict {
  const digits = SEAL.exec(line.toString('latin1', 0, BODY_AT))?.[1];
  if (digits === undefined) return { state: 'broken' };
  const sum = crc32(line.subarray(BODY_AT), previous);
  return sum === sumOf(digits) ? { state: 'intact', sum } : { state: 'altered' };
}

/** What an intact line says, without its seal. */
export const recordIn = (line: Buffer): unknown => JSON.parse(`{${line.toString('utf8', BODY_AT)}`);
