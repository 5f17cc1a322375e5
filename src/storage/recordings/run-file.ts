/** `run.json`: what a run was made of, beside what it left. See decision 16. */
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
  /** Of its bytes, 64 hexadecimal digits. */
  readonly sha256: string;
}

export interface RunFile {
  readonly kind: 'oddsmith-run';
  readonly version: 1;
  readonly runId: string;
  /** `live`: over the wire, its inputs are on the tape beside it. `backtest`: made again from `inputs`. */
  readonly mode: 'live' | 'backtest';
  readonly program: string;
  /** Time of the run's own clock. */
  readonly startedAt: Micros;
  /** null while it runs, and for ever when it was killed. */
  readonly endedAt: Micros | null;
  readonly outcome: string | null;
  /** Absolute path of the configuration, and what was changed of it: `path=value`, in order. */
  readonly configFile: string;
  readonly overrides: readonly string[];
  readonly seed: number;
  /** As resolved, defaults included, secrets removed. */
  readonly configuration: unknown;
  readonly strategies: readonly (HashedFile & { readonly instance: string; readonly strategy: string })[];
  /** Recordings of a backtest, in the order in which they were named; none for a live run. */
  readonly inputs: readonly HashedFile[];
  readonly decisions: { readonly count: number; readonly hash: string } | null;
}

const NAME = 'run.json';

/**
 * Writes the whole file into a folder that is there, or leaves the one before. The same run, the same bytes.
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

/** @throws UsageError when there is none, or one that this version cannot read */
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
