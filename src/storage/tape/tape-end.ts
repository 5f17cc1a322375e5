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

/** Lines that can be read from a tape. */
export interface KeptLines {
  readonly lines: number;
  readonly frames: number;
}

/**
 * What a tape keeps of those who wrote behind its first lines: after a full disk that is less than was written.
 * @param before how many lines of it are none of theirs
 * @throws TapeError when it is damaged
 */
export async function keptOf(dir: string, before: number): Promise<KeptLines> {
  let [lines, frames] = [0, 0];
  for await (const batch of new TapeReader(dir).batches())
    for (const { line } of batch) {
      if (line.n <= before) continue;
      lines += 1;
      if (line.kind === 'frame') frames += 1;
    }
  return { lines, frames };
}

async function endOf(reader: TapeReader): Promise<TapeEnd> {
  for await (const batch of reader.batches()) void batch;
  return reader.end;
}
