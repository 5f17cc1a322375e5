/** `run.json`: everything that a run was made from, in the folder of its results (decision 16). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cannotWrite, UsageError } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import { replaceFileUnsynced } from '../files/whole-files.js';
import { jsonObject } from '../log/segment.js';

/** A file that a run depended on. */
export interface HashedFile {
  /** Absolute path. */
  readonly file: string;
  /** SHA-256 of its bytes, 64 hexadecimal digits. */
  readonly sha256: string;
}

export interface RunFile {
  readonly kind: 'oddsmith-run';
  readonly version: 1;
  readonly runId: string;
  /** `live` and `paper`: its inputs are on the tape in the same folder. `backtest`: it can be repeated from `inputs`. */
  readonly mode: 'live' | 'paper' | 'backtest';
  readonly program: string;
  /** Time of the run's own clock. */
  readonly startedAt: Micros;
  /** null while it runs, and after a kill of the process. */
  readonly endedAt: Micros | null;
  readonly outcome: string | null;
  /** Absolute path of the configuration, and its overrides in order: `path=value`. */
  readonly configFile: string;
  readonly overrides: readonly string[];
  readonly seed: number;
  /** As resolved, defaults included, secrets removed. */
  readonly configuration: unknown;
  readonly strategies: readonly (HashedFile & { readonly instance: string; readonly strategy: string })[];
  /** Recordings of a backtest, in the order in which they were named; none for a live run. */
  readonly inputs: readonly HashedFile[];
  /** Fair values of a backtest; left out where they come from the books. */
  readonly fairValues?: HashedFile;
  readonly decisions: { readonly count: number; readonly hash: string } | null;
}

const NAME = 'run.json';

/**
 * Writes the file completely, or leaves the one before. The folder must exist. Equal runs give equal bytes.
 * @throws UsageError when it cannot be written
 */
export function writeRunFile(folder: string, run: RunFile): void {
  const path = join(folder, NAME);
  try {
    replaceFileUnsynced(path, `${JSON.stringify(run, null, 2)}\n`);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** @throws UsageError when the file is missing, or this version cannot read it */
export function readRunFile(folder: string): RunFile {
  const path = join(folder, NAME);
  const run = parsed(path);
  if (run.kind !== 'oddsmith-run') throw new UsageError(`${path} does not describe a run`);
  if (run.version !== 1)
    throw new UsageError(`${path} is of version ${String(run.version)}; this program reads version 1`);
  return run as RunFile;
}

function parsed(path: string): Partial<RunFile> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path} cannot be read (${code}); expected the folder of a run`, { cause: error });
  }
  const run = jsonObject(text);
  if (run === null) throw new UsageError(`${path} is no JSON object`);
  return run;
}
