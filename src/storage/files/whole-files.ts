/** Folders, and files that are only ever seen whole. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { cannotWrite, UsageError } from '../../domain/errors.js';

/**
 * Makes a folder and its missing parents, readable by their owner only.
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
 * Refuses a folder that cannot be made. In `/proc`, where a new folder's parent counts as missing, Node.js would look for
 * missing parents for ever.
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

/** Takes away a folder in which nothing is. */
export function removeIfEmpty(path: string): void {
  if (existsSync(path) && readdirSync(path).length === 0) rmdirSync(path);
}

/** What a file is called until it is whole. */
export const UNFINISHED = '.new';

/** What is on the disk when a file has been written: nothing for sure, its bytes, or its bytes and its name. */
export type Synced = 'nothing' | 'bytes' | 'bytes and name';

/**
 * Writes a file that appears under its name only when it is whole, readable by its owner only.
 * @throws an error of the file system; the file that had the name before is untouched then, and nothing lies beside it
 */
export function writeWhole(path: string, pieces: Iterable<string>, synced: Synced): void {
  const unfinished = path + UNFINISHED;
  try {
    writePieces(unfinished, pieces, synced);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  if (synced === 'bytes and name') syncFolder(dirname(path));
}

function writePieces(path: string, pieces: Iterable<string>, synced: Synced): void {
  const file = openSync(path, 'w', 0o600);
  try {
    for (const piece of pieces) writeBytes(file, Buffer.from(piece));
    if (synced !== 'nothing') fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes all bytes at the file's position: the system may take them in pieces. @throws an error of the file system */
export function writeBytes(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
}

/** Waits until the names in a folder are on the disk. @throws an error of the file system */
export function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Replaces a file whole and waits for the disk: after a power loss either the new text or the old one is there. Its
 * folder is made when missing.
 * @throws UsageError for the folder, an error of the file system; the old text stays then
 */
export function replaceFile(path: string, text: string): void {
  makeFolder(dirname(path));
  writeWhole(path, [text], 'bytes');
}

/**
 * Replaces a file whole in an existing folder without waiting for the disk: for what can be made again.
 * @throws an error of the file system; the old text stays then
 */
export const replaceFileUnsynced = (path: string, text: string): void => writeWhole(path, [text], 'nothing');

/**
 * Replaces a file whole in an existing folder, piece by piece while the process goes on. One at a time for each path.
 * @throws an error of the file system; the old text stays then
 */
export async function replaceFileLater(
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const unfinished = path + UNFINISHED;
  try {
    await writeFile(unfinished, pieces, { mode: 0o600 });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/**
 * Tells a file that somebody removed from one whose folder is gone. An unmounted disk, or a folder that was cleared and
 * made anew, says nothing about the file.
 */
export class FolderWatch {
  readonly #folder: string;
  #seen = '';

  /** @param path of the file */
  constructor(path: string) {
    this.#folder = dirname(path);
  }

  /** The file is there now. */
  note(): void {
    this.#seen = identityOf(this.#folder);
  }

  /** Whether the folder is the one in which the file was seen last. */
  get isSame(): boolean {
    return this.#seen !== '' && identityOf(this.#folder) === this.#seen;
  }
}

/** @returns nothing for a folder that is not there */
function identityOf(folder: string): string {
  try {
    const { dev, ino } = statSync(folder);
    return `${dev}/${ino}`;
  } catch {
    return '';
  }
}
