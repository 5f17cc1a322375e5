import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TapeError } from './tape-error.js';
import { unreadable } from './text-source.js';
import { segmentName } from './tape-writer.js';

const SEGMENT = /^\d{6}\.ndjson\.gz$/;

/**
 * The files of a tape in order.
 * @param path one file, the folder of a tape, or the folder of a run that has one
 * @throws TapeError when there is none, or one in between is missing
 */
export function tapeFiles(path: string): readonly string[] {
  const folder = folderOf(path);
  if (folder === null) return [path];
  const names = namesIn(folder)
    .filter((name) => SEGMENT.test(name))
    .toSorted();
  if (names.length === 0)
    throw new TapeError(
      { file: folder, line: 0, offset: 0 },
      'holds no tape; a run keeps one with tape: { record: true } in its configuration, recordings in files of their own are named one by one',
    );
  names.forEach((name, index) => {
    const expected = segmentName(index + 1);
    if (name !== expected)
      throw new TapeError({ file: join(folder, name), line: 0, offset: 0 }, `${expected} is missing`);
  });
  return names.map((name) => join(folder, name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** Number of a file by its name; 1 for a tape that is one file. */
export const segmentNumber = (file: string): number =>
  SEGMENT.test(basename(file)) ? Number.parseInt(basename(file), 10) : 1;

/** @returns null for a single file. @throws TapeError when there is nothing */
function folderOf(path: string): string | null {
  const found = statOf(path);
  if (found === undefined) throw new TapeError({ file: path, line: 0, offset: 0 }, 'there is no such file');
  if (!found.isDirectory()) return null;
  const inside = join(path, 'tape');
  return existsSync(join(path, 'run.json')) && existsSync(inside) ? inside : path;
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(path, error);
  }
}
