import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../files/whole-files.js';
import { damaged } from './segment.js';

/** What an exchange was configured with when its folder began: its commands are replayed from there. */
const NAME = 'configuration.json';
const VERSION = 1;

interface Beginning {
  readonly version: number;
  readonly configuration: unknown;
}

/**
 * @returns null when the folder does not hold it yet
 * @throws CommandLogError when it cannot be read
 */
export function readBeginning(dir: string): unknown {
  const path = join(dir, NAME);
  const text = textOf(path);
  if (text === null) return null;
  try {
    const beginning = JSON.parse(text) as Beginning | null;
    if (beginning?.version === VERSION) return beginning.configuration;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw damaged(path, `which is to be of version ${VERSION}`);
}

/** @throws Error of the file system; the folder is as it was then */
export function writeBeginning(dir: string, configuration: object): void {
  const beginning: Beginning = { version: VERSION, configuration };
  writeWhole(join(dir, NAME), [`${JSON.stringify(beginning)}\n`], 'bytes and name');
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
