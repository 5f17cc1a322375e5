import type { Micros } from '../../domain/units.js';
import { decodeRecording, hashOfFile } from './recording-file.js';
import { Survey, type SurveyedMarket } from './survey.js';
import type { TapeBlock, TapeMarket } from './tape-block.js';

/** A recording that can be read as often as wanted, from its beginning. */
export interface RecordingSource {
  /** Where it comes from, for people. */
  readonly name: string;
  /** Of its bytes as they are kept, 64 hexadecimal digits: the same hash, the same rows. */
  readonly sha256: string;
  readonly rows: number;
  readonly books: number;
  readonly firstAt: Micros;
  readonly lastAt: Micros;
  /** By place, as rows name them. */
  readonly markets: readonly SurveyedMarket[];
  blocks(): AsyncIterable<TapeBlock> | Iterable<TapeBlock>;
  /** The same recording for another thread. */
  readonly shared: SharedRecording;
}

/** A recording as it can be sent to a thread: its decoded blocks, which lie in shared memory, or where to read it. */
export interface SharedRecording {
  readonly name: string;
  readonly sha256: string;
  /** null: too large to be kept; it is decoded again. */
  readonly kept: { readonly markets: readonly TapeMarket[]; readonly blocks: readonly TapeBlock[] } | null;
}

/** @throws RecordingError when it has to be decoded and cannot be */
export const openShared = ({ name, sha256, kept }: SharedRecording): Promise<RecordingSource> =>
  kept === null
    ? openRecording(name)
    : Promise.resolve(decodedRecording(name, sha256, kept.markets, kept.blocks));

/** Decoded recordings up to this size stay in memory, so that they are decoded once. */
const KEPT_MOST = 128 * 1024 * 1024;

/**
 * Looks through a recording in the neutral form: what is wrong with it is said before anything is simulated.
 * @param keptMost bytes of decoded blocks to hold at most; a larger recording is decoded again each time
 * @throws RecordingError naming line and offset
 */
export async function openRecording(file: string, keptMost = KEPT_MOST): Promise<RecordingSource> {
  const sha256 = await hashOfFile(file);
  const { markets, blocks } = decodeRecording(file);
  const survey = new Survey(markets);
  let kept: TapeBlock[] | null = [];
  let bytes = 0;
  for await (const block of blocks) {
    survey.take(block);
    bytes += bytesOf(block);
    if (bytes > keptMost) kept = null;
    kept?.push(block);
  }
  return sourceOf({ name: file, sha256, kept: kept && { markets, blocks: kept } }, survey);
}

/** Blocks that are decoded already. @param name for people */
export function decodedRecording(
  name: string,
  sha256: string,
  markets: readonly TapeMarket[],
  blocks: readonly TapeBlock[],
): RecordingSource {
  const survey = new Survey(markets);
  for (const block of blocks) survey.take(block);
  return sourceOf({ name, sha256, kept: { markets, blocks } }, survey);
}

const sourceOf = (shared: SharedRecording, survey: Survey): RecordingSource => ({
  name: shared.name,
  sha256: shared.sha256,
  rows: survey.rows,
  books: survey.books,
  firstAt: survey.firstAt,
  lastAt: survey.lastAt,
  markets: survey.surveyed(),
  blocks: () => shared.kept?.blocks ?? decodeRecording(shared.name).blocks,
  shared,
});

function bytesOf({ at, kind, market, first, bids, asks, word, line, prices, shares }: TapeBlock): number {
  const columns = [at, kind, market, first, bids, asks, word, line, prices, shares];
  return columns.reduce((sum, column) => sum + column.byteLength, 0);
}
