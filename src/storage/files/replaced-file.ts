/** Files that are replaced whole: whoever reads one finds the old text or the new one. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './made-folder.js';

/**
 * Puts a text in place of a file, for its owner alone to read, and waits for the disk: it outlasts a power loss, or the old one
 * does. Its folder is made.
 * @throws UsageError for the folder, an error of the file system; the old text stands then, and nothing beside it
 */
export function replaceFile(path: string, text: string): void {
  makeFolder(dirname(path));
  replace(path, text, 'synced');
}

/**
 * The same in a folder that is there, without waiting for the disk: for what can be made again, or is replaced every
 * second.
 * @throws an error of the file system; the old text stands then, and nothing beside it
 */
export function replaceFileUnsynced(path: string, text: string): void {
  replace(path, text, 'unsynced');
}

function replace(path: string, text: string, how: 'synced' | 'unsynced'): void {
  const whole = `${path}.new`;
  try {
    write(whole, text, how);
    renameSync(whole, path);
  } catch (error) {
    rmSync(whole, { force: true });
    throw error;
  }
}

function write(path: string, text: string, how: 'synced' | 'unsynced'): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeFileSync(file, text);
    if (how === 'synced') fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
