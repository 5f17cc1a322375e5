import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './made-folder.js';

/**
 * Puts a text in place of a file, for its owner alone to read: whoever reads it, after a crash, too, finds the old text
 * or the new one whole. Its folder is made.
 * @throws an error of the file system; the old text stands then, and nothing beside it
 */
export function replaceFile(path: string, text: string): void {
  makeFolder(dirname(path));
  const whole = `${path}.new`;
  try {
    write(whole, text);
    renameSync(whole, path);
  } catch (error) {
    rmSync(whole, { force: true });
    throw error;
  }
}

function write(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
