/** The files of a tape, and what is wrong with one. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../../domain/errors.js';

/** Where in a tape: file, its line from 1 (0: the file as a whole), and the byte of the unpacked text it begins at. */
export interface TapePlace {
  readonly file: string;
  readonly line: number;
  readonly offset: number;
}

/** A tape that cannot be used as it is: where, what was found, what was expected. */
export class TapeError extends UsageError {
  constructor(
    readonly place: TapePlace,
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    super(`${describePlace(place)}: ${problem}`, options);
  }
}

/** A recording that cannot be used: where, what was found, what was expected. */
export class RecordingError extends UsageError {
  /**
   * @param line   from 1; 0 when the whole file is meant
   * @param offset bytes of the unpacked text before the line, where it is known
   */
  constructor(
    readonly file: string,
    readonly line: number,
    readonly text: string,
    readonly offset: number | null = null,
  ) {
    const place = line === 0 ? file : `${file}:${line}`;
    super(`${place}: ${text}${offset === null ? '' : ` (at byte ${offset})`}`);
  }
}

export const wholeFile = (file: string): TapePlace => ({ file, line: 0, offset: 0 });

/** `tape/000002.ndjson.gz:17 (byte 9241)` */
export const describePlace = ({ file, line, offset }: TapePlace): string =>
  line === 0 ? file : `${file}:${line} (byte ${offset})`;

/** @param cause what the system says, or an error of our own */
export function unreadable(path: string, cause: unknown): TapeError {
  if (cause instanceof TapeError) return cause;
  const { code = 'unknown reason' } = cause as NodeJS.ErrnoException;
  const problem = code === 'EISDIR' ? 'is a folder; expected a file' : `cannot be read (${code})`;
  return new TapeError(wholeFile(path), problem, { cause });
}

const SEGMENT = /^\d{6}\.ndjson\.gz$/;

/** `000001.ndjson.gz` */
export const segmentName = (number: number): string => `${String(number).padStart(6, '0')}.ndjson.gz`;

/** Number of a file by its name; 1 for a tape that is one file. */
export const segmentNumber = (file: string): number =>
  SEGMENT.test(basename(file)) ? Number.parseInt(basename(file), 10) : 1;

/**
 * The files of a tape in order.
 * @param path one file, the folder of a tape, or the folder of a run that has one
 * @throws TapeError when there is none, or one in between is missing
 */
export function tapeFiles(path: string): readonly string[] {
  const folder = folderOf(path);
  if (folder === null) return [path];
  const names = reading(folder, () => readdirSync(folder))
    .filter((name) => SEGMENT.test(name))
    .toSorted();
  if (names.length === 0)
    throw new TapeError(
      wholeFile(folder),
      'holds no tape; a run keeps one with tape: { record: true } in its configuration. A folder of recordings holds .ndjson, .ndjson.gz or raw files',
    );
  names.forEach((name, index) => {
    const expected = segmentName(index + 1);
    if (name !== expected) throw new TapeError(wholeFile(join(folder, name)), `${expected} is missing`);
  });
  return names.map((name) => join(folder, name));
}

/** @returns null for a single file. @throws TapeError when there is nothing */
function folderOf(path: string): string | null {
  const found = reading(path, () => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) throw new TapeError(wholeFile(path), 'there is no such file');
  if (!found.isDirectory()) return null;
  const inside = join(path, 'tape');
  return existsSync(join(path, 'run.json')) && existsSync(inside) ? inside : path;
}

function reading<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw unreadable(path, error);
  }
}
