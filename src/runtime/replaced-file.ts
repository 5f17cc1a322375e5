import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './made-folder.js';

/**
 * Puts a text in place of a file, for its owner alone to read: whoever reads it, after a crash, too, finds the old text
 * or the new one whole. Its folder is made.
 * @throws an error of the file system; the old text stands then
 */
export function replaceFile(path: string, text: string): void {
  makeFolder(dirname(path));
  const whole = `${path}.new`;
  const file = openSync(whole, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(whole, path);
}
