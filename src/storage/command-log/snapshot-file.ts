/**
 * A snapshot of the exchange as sealed lines: a header, then the entries of an object, long arrays in parts, then the
 * count of the lines. It has its name only when it is whole and on the disk.
 */
import { readFileSync } from 'node:fs';
import { writeWhole } from '../files/whole-files.js';
import { CHAIN_START, judgeLine, recordIn, sealLine } from '../log/sealed-line.js';
import { NumberedFiles } from '../log/segment.js';
import { requireConfiguration } from './command-files.js';

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
export const SNAPSHOT_FILES = new NumberedFiles('snapshot', 15);

/** @throws Error of the file system; nothing has its name then */
export function writeSnapshot(dir: string, configHash: string, sequence: number, snapshot: Snapshot): void {
  const header: SnapshotHeader = { kind: 'exchange-snapshot', version: VERSION, configHash, sequence };
  writeWhole(SNAPSHOT_FILES.path(dir, sequence), sealed(header, snapshot), 'bytes and name');
}

/**
 * @returns the snapshot, or what is wrong with the file
 * @throws UsageError when it belongs to another configuration
 */
export function readSnapshot(dir: string, configHash: string, sequence: number): Snapshot | string {
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
