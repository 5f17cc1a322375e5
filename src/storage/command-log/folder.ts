/** The folder of a durable exchange: its first configuration, the newest whole snapshot, and every command after it. */
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, UNFINISHED, writeWhole } from '../files/whole-files.js';
import { COMMAND_FILES, CommandLogError } from './command-files.js';
import { readSnapshot, type Snapshot, SNAPSHOT_FILES } from './snapshot-file.js';

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
