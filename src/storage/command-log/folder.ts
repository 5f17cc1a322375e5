/** The folder of a durable exchange: the newest snapshot that can be read, and every command after it. */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandRecord } from '../../core/ports/command-log.js';
import { UNFINISHED, makeFolder } from '../files/whole-files.js';
import { CHAIN_START } from '../log/sealed-line.js';
import { FileCommandLog, type FileCommandLogOptions } from './file-command-log.js';
import {
  beginSegment,
  isUnbegun,
  missing,
  readSegment,
  requireSuccession,
  type Segment,
  segmentPath,
  segmentStarts,
} from './segment.js';
import { readSnapshot, type Snapshot, snapshotPath, snapshotSequences } from './snapshot-file.js';

/** Where a replay begins. */
export interface Base {
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
  for (const sequence of snapshotSequences(dir).toReversed()) {
    const snapshot = readSnapshot(dir, configHash, sequence);
    if (typeof snapshot !== 'string') return { snapshot, sequence, damaged };
    damaged.push(snapshot);
    renameSync(snapshotPath(dir, sequence), `${snapshotPath(dir, sequence)}.damaged`);
  }
  return { snapshot: null, sequence: 0, damaged };
}

/**
 * Reads the commands after a base, in order.
 * @param upTo the last one wanted; its file has ended. Absent: all there are
 * @returns the last file read, null when there is none
 * @throws CommandLogError when one is missing or damaged; UsageError when they belong to another configuration
 */
export function readCommands<Command>(
  dir: string,
  configHash: string,
  range: { readonly after: number; readonly upTo?: number },
  visit: (record: CommandRecord<Command>) => void,
): Segment | null {
  const { after, upTo = Number.POSITIVE_INFINITY } = range;
  let last: Segment | null = null;
  for (const first of startsNeeded(dir, after)) {
    if (first > upTo) break;
    const segment = readSegment<Command>(segmentPath(dir, first), configHash, (record) => {
      if (record.sequence > after && record.sequence <= upTo) visit(record);
    });
    if (last !== null) requireSuccession(last, segment);
    last = segment;
  }
  const reached = last === null ? 0 : last.last;
  const needed = Number.isFinite(upTo) ? upTo : after;
  if (reached < needed) throw missing(dir, Math.max(reached, after) + 1);
  return last;
}

/** Files with commands after a sequence, and the one that ends with it. */
function startsNeeded(dir: string, after: number): readonly number[] {
  const starts = segmentStarts(dir);
  const newest = starts.at(-1);
  if (newest !== undefined && isUnbegun(dir, newest)) starts.pop();
  const from = starts.findLastIndex((first) => first <= after + 1);
  if (from < 0 && starts.length > 0) throw missing(dir, after + 1);
  return starts.slice(Math.max(from, 0));
}

/** Goes on with the log after its last file, or begins the first one. */
export function openLog<Command>(
  options: FileCommandLogOptions,
  last: Segment | null,
): FileCommandLog<Command> {
  if (last !== null) return new FileCommandLog(options, last);
  const { file, end } = beginSegment(options.dir, options.configHash, 1, CHAIN_START);
  return new FileCommandLog(options, end, file);
}

/** Snapshots kept: the newest, and one to fall back to. */
const SNAPSHOTS = 2;

/**
 * Removes what no start needs: snapshots before the last two, and commands that are in both of them.
 * A kill in between leaves more than is needed, which the next call removes.
 */
export function prune(dir: string): void {
  const sequences = snapshotSequences(dir);
  if (sequences.length < SNAPSHOTS) return;
  const [fallback = 0] = sequences.splice(-SNAPSHOTS);
  const starts = segmentStarts(dir);
  for (const [at, first] of starts.entries()) {
    const next = starts[at + 1];
    if (next !== undefined && next <= fallback + 1) rmSync(segmentPath(dir, first));
  }
  for (const sequence of sequences) rmSync(snapshotPath(dir, sequence));
}
