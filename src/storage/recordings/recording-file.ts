import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { PassThrough, type Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { MarketId } from '../../domain/ids.js';
import type { NamedMarket } from '../tape/records.js';
import { RecordingError } from './recording-error.js';
import { NeutralDecoder } from './neutral-decoder.js';
import type { TapeBlock, TapeMarket } from './tape-block.js';

const CHUNK = 1 << 18;
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/** A recording as a stream of blocks, with the list of markets that their rows refer to; it grows as blocks come. */
export interface BlockStream {
  readonly markets: readonly TapeMarket[];
  readonly blocks: AsyncIterable<TapeBlock>;
  /** Once all blocks came. */
  readonly about: () => AboutRecording;
}

/** What a recording says of itself besides its rows. */
export interface AboutRecording {
  /** Markets with their names and grids. */
  readonly named: readonly NamedMarket[];
  /** What was done to it so that it could be traded on, in sentences for people. */
  readonly notes: readonly string[];
  /** Markets with trades that no line tells; they follow from books and turnover, which tell nothing twice. */
  readonly inferred?: readonly MarketId[];
}

/**
 * Decodes a recording in the neutral form without ever holding more than a few blocks.
 * @param file plain or gzipped
 * @throws RecordingError, from the iteration, naming line and offset: nothing is repaired silently
 */
export function decodeRecording(file: string): BlockStream {
  const decoder = new NeutralDecoder(file);
  return {
    markets: decoder.markets,
    blocks: blocksOf(file, decoder),
    about: () => ({ named: [], notes: decoder.notes }),
  };
}

async function* blocksOf(file: string, decoder: NeutralDecoder): AsyncGenerator<TapeBlock> {
  for await (const chunk of unpacked(file, decoder)) yield* decoder.push(chunk);
  yield* decoder.end();
  if (decoder.markets.length === 0) throw new RecordingError(file, 0, 'the recording is empty');
}

async function* unpacked(file: string, decoder: NeutralDecoder): AsyncGenerator<Uint8Array> {
  const bytes = createReadStream(file, { highWaterMark: CHUNK });
  const text: Transform = (await isGzip(file, decoder))
    ? createGunzip({ chunkSize: CHUNK })
    : new PassThrough();
  const done = pipeline(bytes, text).catch(() => undefined);
  try {
    for await (const chunk of text) yield chunk as Uint8Array;
  } catch (error) {
    throw faultOf(error, file, decoder);
  }
  await done;
}

async function isGzip(file: string, decoder: NeutralDecoder): Promise<boolean> {
  try {
    for await (const chunk of createReadStream(file, { end: 1 })) {
      const [first, second] = chunk as Uint8Array;
      return first === GZIP_MAGIC[0] && second === GZIP_MAGIC[1];
    }
    return false;
  } catch (error) {
    throw faultOf(error, file, decoder);
  }
}

/** An error of our own stays; one of the file or its packing gets its place. */
function faultOf(error: unknown, file: string, { lines, bytes }: NeutralDecoder): unknown {
  if (error instanceof RecordingError) return error;
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  if (!code.startsWith('Z_')) return new RecordingError(file, 0, `cannot be read (${code})`);
  const place = lines === 0 ? '' : 'behind this line ';
  const text = `${place}the gzip data are cut off or damaged; fetch the file again`;
  return new RecordingError(file, lines, text, lines === 0 ? null : bytes);
}

/** SHA-256 of files' bytes in order, 64 hexadecimal digits. @throws RecordingError when one cannot be read */
export async function hashOfFiles(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) await hashInto(hash, file);
  return hash.digest('hex');
}

async function hashInto(hash: Hash, file: string): Promise<void> {
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK })) hash.update(chunk as Buffer);
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new RecordingError(file, 0, `cannot be read (${code})`);
  }
}
