import { existsSync, readdirSync } from 'node:fs';
import { TapeReader } from './tape-reader.js';
import type { TapeEnd } from './tape-writer.js';

/**
 * Where the tape of a folder ends, for who goes on with it.
 * @returns null when there is none yet
 * @throws TapeError when its last file is damaged
 */
export async function tapeEndOf(dir: string): Promise<TapeEnd | null> {
  if (!existsSync(dir) || !readdirSync(dir).some((name) => name.endsWith('.ndjson.gz'))) return null;
  const last = new TapeReader(dir, { lastFileOnly: true });
  if ((await last.packedBytes()) > 0) return endOf(last);
  // Killed before anything of its last file was written: what the file before it says is needed.
  return endOf(new TapeReader(dir));
}

async function endOf(reader: TapeReader): Promise<TapeEnd> {
  for await (const batch of reader.batches()) void batch;
  return reader.end;
}
