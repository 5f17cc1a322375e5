import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { cannotWrite, UsageError } from '../../domain/errors.js';

/**
 * Makes a folder, and those above it that are missing, for its owner alone.
 * @throws UsageError naming the folder that takes none
 */
export function makeFolder(path: string): void {
  refuseUnmakeable(path);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/**
 * Refuses a folder that cannot be made, before anything is done for it. Node looks for missing parents for ever where a
 * file system says of a new folder that its parent is missing, as `/proc` does.
 * @throws UsageError naming the folder that takes none
 */
export function refuseUnmakeable(path: string): void {
  const above = nearestThere(resolve(path));
  if (above === resolve(path)) return;
  try {
    rmdirSync(mkdtempSync(join(above, '.oddsmith-')));
  } catch (error) {
    throw takesNone(above, error);
  }
}

const nearestThere = (path: string): string => (existsSync(path) ? path : nearestThere(dirname(path)));

function takesNone(folder: string, error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT'
    ? new UsageError(`${folder} takes no folders (${code})`, { cause: error })
    : cannotWrite(folder, error);
}
