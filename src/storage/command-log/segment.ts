/** One file of the command log: its name, its header, reading it back, and what is wrong with it. */
import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, OddsmithError, UsageError } from '../../domain/errors.js';
import type { CommandRecord } from '../../core/ports/command-log.js';
import { UNFINISHED, writeBytes } from '../files/whole-files.js';
import { judgeSeal, sealLine } from '../log/sealed-line.js';

/** The folder cannot be replayed; it stays as it is. */
export class CommandLogError extends OddsmithError {
  readonly code = 'ODDSMITH_COMMAND_LOG';
  readonly exit = EXIT.usage;
}

/** First line of every file. */
interface SegmentHeader {
  readonly kind: 'exchange-commands';
  readonly version: number;
  /** What the commands only make sense with. */
  readonly configHash: string;
  /** Sequence of the first record. */
  readonly first: number;
  /** Last sum of the file before, or the start value. */
  readonly chain: number;
}

/** A file as far as it is intact. */
export interface SegmentEnd {
  readonly path: string;
  readonly first: number;
  /** Sequence of the last record; one less than `first` when there is none. */
  readonly last: number;
  readonly sum: number;
  /** Bytes up to the end of the last intact line. */
  readonly intactBytes: number;
}

/** A file read back. */
export interface Segment extends SegmentEnd {
  readonly chain: number;
  /** Bytes after the intact ones: the rest of a write that was cut short. */
  readonly tornBytes: number;
}

const VERSION = 2;
const NAME = /^commands-(\d{15})\.ndjson$/;
/** How version 1 named its only file. */
const OLD_NAME = 'commands.ndjson';
const LINE_FEED = 10;
const WHAT_TO_DO = 'Restore the folder from a copy, or move it away to begin anew.';

export const segmentPath = (dir: string, first: number): string =>
  join(dir, `commands-${String(first).padStart(15, '0')}.ndjson`);

/**
 * Sequences of the first records of a folder's files, oldest first.
 * @throws CommandLogError when an older version wrote the folder
 */
export function segmentStarts(dir: string): number[] {
  const names = readdirSync(dir);
  if (names.includes(OLD_NAME))
    throw new CommandLogError(
      `${join(dir, OLD_NAME)} is of version 1, not ${VERSION}. Move it away to begin anew.`,
    );
  return names
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Begins a file. Until it has its name nothing has changed. @returns it, open for appending */
export function beginSegment(
  dir: string,
  configHash: string,
  first: number,
  chain: number,
): { readonly file: number; readonly end: SegmentEnd } {
  const header: SegmentHeader = { kind: 'exchange-commands', version: VERSION, configHash, first, chain };
  const { text, sum } = sealLine(JSON.stringify(header), chain);
  const path = segmentPath(dir, first);
  const unfinished = path + UNFINISHED;
  rmSync(unfinished, { force: true });
  const file = openSync(unfinished, 'ax', 0o600);
  try {
    writeBytes(file, Buffer.from(text));
    renameSync(unfinished, path);
  } catch (error) {
    closeSync(file);
    rmSync(unfinished, { force: true });
    throw error;
  }
  return { file, end: { path, first, last: first - 1, sum, intactBytes: text.length } };
}

/** Whether not even the first line of a file is there: a power loss came right after it was begun. */
export const isUnbegun = (dir: string, first: number): boolean =>
  !readFileSync(segmentPath(dir, first)).includes(LINE_FEED);

/**
 * Reads a file whole. Bytes at its end that form no line are the torn tail; every other line that is damaged, or does
 * not continue the chain of sums, is corruption.
 * @param visit told of each record in order
 * @throws CommandLogError; UsageError when it belongs to another configuration
 */
export function readSegment<Command>(
  path: string,
  configHash: string,
  visit: (record: CommandRecord<Command>) => void,
): Segment {
  const bytes = readFileSync(path);
  const { first, chain, sum: start, end: begin } = readHeader(path, bytes, configHash);
  let [sum, at, last] = [start, begin, first - 1];
  for (let line = 2; ; line++) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0 || isUnwritten(bytes, at, end)) break;
    const verdict = judgeSeal(bytes.toString('utf8', at, end), sum);
    if (verdict.state !== 'intact') throw damaged(path, `line ${line}`);
    const record = JSON.parse(verdict.body) as CommandRecord<Command>;
    visit(record);
    [sum, at, last] = [verdict.sum, end + 1, record.sequence];
  }
  requireTorn(path, bytes, at, sum);
  return { path, first, chain, last, sum, intactBytes: at, tornBytes: bytes.length - at };
}

function readHeader(
  path: string,
  bytes: Buffer,
  configHash: string,
): SegmentHeader & { readonly sum: number; readonly end: number } {
  const end = bytes.indexOf(LINE_FEED);
  const text = bytes.toString('utf8', 0, end);
  const verdict = judgeSeal(text, chainOf(text));
  if (end < 0 || verdict.state !== 'intact') throw damaged(path, 'line 1');
  const header = JSON.parse(verdict.body) as SegmentHeader;
  if (header.kind !== 'exchange-commands' || header.version !== VERSION)
    throw new CommandLogError(`${path}: not a command log of version ${VERSION}`);
  requireConfiguration(path, header.configHash, configHash);
  return { ...header, sum: verdict.sum, end: end + 1 };
}

/** The header names the sum that it continues; the chain itself then vouches for the header. */
const chainOf = (headerLine: string): number => Number(/"chain":(\d+)\}\}$/.exec(headerLine)?.[1] ?? 0);

/** The last line after a power loss: its end reached the disk, pages before it did not. */
const isUnwritten = (bytes: Buffer, from: number, end: number): boolean =>
  end === bytes.length - 1 && bytes.subarray(from, end).includes(0);

/** What a write leaves that was cut short is the beginning of a line; a whole line with another end is damage. */
function requireTorn(path: string, bytes: Buffer, from: number, sum: number): void {
  const rest = bytes.toString('utf8', from, Math.max(from, bytes.length - 1));
  if (judgeSeal(rest, sum).state === 'intact') throw damaged(path, 'the end of the last line');
}

/** @param where "line 12" */
export const damaged = (path: string, where: string): CommandLogError =>
  new CommandLogError(`${path}, ${where}: damaged. ${WHAT_TO_DO}`);

/** @throws UsageError naming the file when it was written with another configuration */
export function requireConfiguration(path: string, written: string, given: string): void {
  if (written === given) return;
  throw new UsageError(
    `${path} was written with another configuration of the exchange (accounts, events, fees, duplicateWindowMs or ` +
      'processingDelayMs), which the folder does not hold; start with that one, or name another dataDir',
  );
}

/** @throws CommandLogError when a file does not go on where the one before it ends, torn bytes included */
export function requireSuccession(before: Segment, next: Segment): void {
  if (before.tornBytes > 0) throw damaged(before.path, 'the last line');
  if (next.first === before.last + 1 && next.chain === before.sum) return;
  throw new CommandLogError(`${next.path} does not go on where ${before.path} ends. ${WHAT_TO_DO}`);
}

/** @throws CommandLogError when no file begins with the command that is needed next */
export const missing = (dir: string, first: number): CommandLogError =>
  new CommandLogError(`${dir}: the commands from number ${first} on are missing. ${WHAT_TO_DO}`);
