import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { moduleGraph } from './module-graph.js';

/**
 * SHA-256 over a strategy, 64 hexadecimal digits: of its file where it imports nothing but the SDK, else of that file,
 * of all files that it imports, and theirs, in the order of their paths from it, and of names and versions of packages.
 */
export function strategyHash(file: string): string {
  const { files, packages } = moduleGraph(file);
  if (files.length === 1 && packages.length === 0) return fileHash(file);
  const named = files
    .map((path) => `${relative(dirname(file), path).split(sep).join('/')} ${fileHash(path)}`)
    .toSorted();
  return createHash('sha256')
    .update([...named, ...packages].join('\n'))
    .digest('hex');
}

/** SHA-256 of a file's bytes, 64 hexadecimal digits. */
export const fileHash = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');
