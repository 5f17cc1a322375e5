/** The folder of a durable exchange: its first configuration, the newest whole snapshot, and every command after it. */
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, UNFINISHED, writeWhole } from '../files/whole-files.js';
import { COMMAND_FILES, CommandLogError, requireConfiguration } from './command-log.js';
import { CHAIN_START, judgeLine, recordIn, sealLine, NumberedFiles } from '../log/segment.js';

/** What the exchange was configured with when its folder began: its commands are replayed from there. */
const BEGINNING = 'configuration.json';
const BEGINNING_VERSION = 1;

interface Beginning {
  readonly version: number;
  readonly configuration: unknown;
}

/**
 * @returns null when the folder does not hold it yet
 * @throws CommandLogError when it cannot be read
 */
export function readBeginning(dir: string): unknown {
  const path = join(dir, BEGINNING);
  try {
    const beginning = JSON.parse(readFileSync(path, 'utf8')) as Beginning | null;
    if (beginning?.version === BEGINNING_VERSION) return beginning.configuration;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandLogError(
    `${path}: damaged, or not of version ${BEGINNING_VERSION}. Restore the folder from a copy, or move it away to begin anew.`,
  );
}

/** @throws Error of the file system; the folder is as it was then */
export function writeBeginning(dir: string, configuration: object): void {
  const beginning: Beginning = { version: BEGINNING_VERSION, configuration };
  writeWhole(join(dir, BEGINNING), [`${JSON.stringify(beginning)}\n`], 'bytes and name');
}

/** Where a replay begins. */
interface Base {
  /** null: before the first command. */
  readonly snapshot: Snapshot | null;
  /** Of the last command in the snapshot; 0 without one. */
  readonly sequence: number;
  /** What was wrong with newer snapshots. */
  readonly damaged: readonly string[];
}

/** Makes the folder, and removes what a kill left unfinished in it. */
export function prepareFolder(dir: string): void {
  makeFolder(dir);
  for (const name of readdirSync(dir)) if (name.endsWith(UNFINISHED)) rmSync(join(dir, name));
}

/**
 * Finds the newest snapshot that is whole. Damaged ones are put aside under another name.
 * @throws UsageError when it belongs to another configuration
 */
export function readBase(dir: string, configHash: string): Base {
  const damaged: string[] = [];
  for (const sequence of SNAPSHOT_FILES.numbersIn(dir).toReversed()) {
    const snapshot = readSnapshot(dir, configHash, sequence);
    if (typeof snapshot !== 'string') return { snapshot, sequence, damaged };
    damaged.push(snapshot);
    const path = SNAPSHOT_FILES.path(dir, sequence);
    renameSync(path, `${path}.damaged`);
  }
  return { snapshot: null, sequence: 0, damaged };
}

/** Snapshots kept: the newest, and one to fall back to. */
const SNAPSHOTS = 2;

/**
 * Removes what no start needs: snapshots before the last two, and commands that are in both of them.
 * A kill in between leaves more than is needed, which the next call removes.
 */
export function prune(dir: string): void {
  const sequences = SNAPSHOT_FILES.numbersIn(dir);
  if (sequences.length < SNAPSHOTS) return;
  const [fallback = 0] = sequences.splice(-SNAPSHOTS);
  const starts = COMMAND_FILES.numbersIn(dir);
  for (const [at, first] of starts.entries()) {
    const next = starts[at + 1];
    if (next !== undefined && next <= fallback + 1) rmSync(COMMAND_FILES.path(dir, first));
  }
  for (const sequence of sequences) rmSync(SNAPSHOT_FILES.path(dir, sequence));
}

/**
 * A snapshot of the exchange as sealed lines: a header, then the entries of an object, long arrays in parts, then the
 * count of the lines. It has its name only when it is whole and on the disk.
 */

/** Everything there was after the command of a sequence; plain JSON. */
export type Snapshot = Readonly<Record<string, unknown>>;

interface SnapshotHeader {
  readonly kind: 'exchange-snapshot';
  readonly version: number;
  readonly configHash: string;
  /** Of the last command in it. */
  readonly sequence: number;
}

type Entry =
  | { readonly key: string; readonly value: unknown }
  /** Some items of an array, in order. */
  | { readonly key: string; readonly items: readonly unknown[] };

const VERSION = 2;
const LINE_FEED = 10;
/** Items per line, so that no text grows with the state. */
const PART = 1_000;

/** `snapshot-000000000000008.ndjson`, numbered by the sequence of the last command in it. */
const SNAPSHOT_FILES = new NumberedFiles('snapshot', 15);

/** @throws Error of the file system; nothing has its name then */
export function writeSnapshot(dir: string, configHash: string, sequence: number, snapshot: Snapshot): void {
  const header: SnapshotHeader = { kind: 'exchange-snapshot', version: VERSION, configHash, sequence };
  writeWhole(SNAPSHOT_FILES.path(dir, sequence), sealed(header, snapshot), 'bytes and name');
}

/**
 * @returns the snapshot, or what is wrong with the file
 * @throws UsageError when it belongs to another configuration
 */
function readSnapshot(dir: string, configHash: string, sequence: number): Snapshot | string {
  const path = SNAPSHOT_FILES.path(dir, sequence);
  const lines = intactRecords(readFileSync(path));
  const [header, ...entries] = lines;
  const end = entries.pop() as { readonly lines?: number } | undefined;
  if (end?.lines !== lines.length - 1) return `${path}: damaged after line ${lines.length}`;
  const { version, configHash: written, sequence: covered } = header as SnapshotHeader;
  if (version !== VERSION || covered !== sequence) return `${path}: not a snapshot of version ${VERSION}`;
  requireConfiguration(path, written, configHash);
  return assembled(entries as readonly Entry[]);
}

function* sealed(header: SnapshotHeader, snapshot: Snapshot): Generator<string> {
  let [sum, lines] = [CHAIN_START, 0];
  const seal = (record: object): string => {
    const line = sealLine(JSON.stringify(record), sum);
    sum = line.sum;
    lines += 1;
    return line.text;
  };
  yield seal(header);
  for (const [key, value] of Object.entries(snapshot))
    for (const entry of entriesOf(key, value)) yield seal(entry);
  yield seal({ lines });
}

function* entriesOf(key: string, value: unknown): Generator<Entry> {
  if (!Array.isArray(value)) return yield { key, value };
  const items: readonly unknown[] = value;
  yield { key, items: items.slice(0, PART) };
  for (let at = PART; at < items.length; at += PART) yield { key, items: items.slice(at, at + PART) };
}

/** Up to the first line that is damaged. */
function intactRecords(bytes: Buffer): readonly unknown[] {
  const records: unknown[] = [];
  let sum = CHAIN_START;
  for (let at = 0, end = 0; (end = bytes.indexOf(LINE_FEED, at)) >= 0; at = end + 1) {
    const line = bytes.subarray(at, end);
    const verdict = judgeLine(line, sum);
    if (verdict.state !== 'intact') break;
    records.push(recordIn(line));
    sum = verdict.sum;
  }
  return records;
}

function assembled(entries: readonly Entry[]): Snapshot {
  const snapshot: Record<string, unknown> = {};
  for (const entry of entries) {
    if ('value' in entry) snapshot[entry.key] = entry.value;
    else append(snapshot, entry.key, entry.items);
  }
  return snapshot;
}

function append(snapshot: Record<string, unknown>, key: string, items: readonly unknown[]): void {
  const known = (snapshot[key] ??= []) as unknown[];
  for (const item of items) known.push(item);
}
