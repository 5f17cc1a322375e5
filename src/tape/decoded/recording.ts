import type { Micros } from '../../domain/units.js';
import { inferredTrades, recordedTrades, type TradesModel } from '../../fills/trades/index.js';
import { RecordingError } from '../recording-error.js';
import { type AboutRecording, hashOfFiles } from './recording-file.js';
import { formOf } from './recording-form.js';
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
  /** What was done to it so that it could be traded on, in sentences for people. */
  readonly notes: readonly string[];
  blocks(): AsyncIterable<TapeBlock> | Iterable<TapeBlock>;
  /** The same recording for another thread. */
  readonly shared: SharedRecording;
}

/** A recording as it can be sent to a thread: its decoded blocks, which lie in shared memory, or where to read it. */
export interface SharedRecording {
  readonly name: string;
  readonly sha256: string;
  readonly about: AboutRecording;
  readonly trades: TradesChoice;
  /** null: too large to be kept; it is decoded again. */
  readonly kept: { readonly markets: readonly TapeMarket[]; readonly blocks: readonly TapeBlock[] } | null;
}

/** What is believed of trades where a recording has none. */
export interface TradesChoice {
  readonly model: 'recorded' | 'inferred';
  /** How far a turnover and the book that it changed may lie apart. */
  readonly lagMs: number;
}

export interface OpenOptions {
  /** Default: only what was recorded. */
  readonly trades?: TradesChoice;
  /** Bytes of decoded blocks to hold at most; a larger recording is decoded again each time. */
  readonly keptMost?: number;
}

/** @throws RecordingError when it has to be decoded and cannot be */
export const openShared = (shared: SharedRecording): Promise<RecordingSource> =>
  shared.kept === null
    ? openRecording(shared.name, { trades: shared.trades, keptMost: 0 })
    : Promise.resolve(sourceOf(shared, surveyOf(shared.kept), () => shared.kept!.blocks));

/** Decoded recordings up to this size stay in memory, so that they are decoded once. */
const KEPT_MOST = 128 * 1024 * 1024;
const ONLY_RECORDED: TradesChoice = { model: 'recorded', lagMs: 0 };
const MICROS_PER_MS = 1_000;

/**
 * Looks through a recording in the neutral form, or an own tape: what is wrong with it is said before anything is
 * simulated.
 * @throws RecordingError, TapeError naming line and offset
 */
export async function openRecording(
  file: string,
  { trades = ONLY_RECORDED, keptMost = KEPT_MOST }: OpenOptions = {},
): Promise<RecordingSource> {
  const form = await formOf(file, () => modelOf(trades));
  const sha256 = await hashOfFiles(form.files);
  const { markets, blocks, about } = form.open();
  const survey = new Survey(markets);
  let kept: TapeBlock[] | null = [];
  let bytes = 0;
  for await (const block of blocks) {
    survey.take(block);
    bytes += bytesOf(block);
    if (bytes > keptMost) kept = null;
    kept?.push(block);
  }
  if (survey.books === 0) throw new RecordingError(file, 0, 'the recording shows no book of its markets');
  const shared = { name: file, sha256, about: about(), trades, kept: kept && { markets, blocks: kept } };
  return sourceOf(shared, survey, () => kept ?? form.open().blocks);
}

/** Blocks that are decoded already. @param name for people */
export function decodedRecording(
  name: string,
  sha256: string,
  markets: readonly TapeMarket[],
  blocks: readonly TapeBlock[],
  about: AboutRecording = { named: [], notes: [] },
): RecordingSource {
  const kept = { markets, blocks };
  const shared = { name, sha256, about, trades: ONLY_RECORDED, kept };
  return sourceOf(shared, surveyOf(kept), () => blocks);
}

function surveyOf({ markets, blocks }: NonNullable<SharedRecording['kept']>): Survey {
  const survey = new Survey(markets);
  for (const block of blocks) survey.take(block);
  return survey;
}

const sourceOf = (
  shared: SharedRecording,
  survey: Survey,
  blocks: RecordingSource['blocks'],
): RecordingSource => ({
  name: shared.name,
  sha256: shared.sha256,
  rows: survey.rows,
  books: survey.books,
  firstAt: survey.firstAt,
  lastAt: survey.lastAt,
  markets: survey.surveyed(shared.about.named),
  notes: [...shared.about.notes, ...survey.notes],
  blocks,
  shared,
});

const modelOf = ({ model, lagMs }: TradesChoice): TradesModel =>
  model === 'recorded' ? recordedTrades : inferredTrades(lagMs * MICROS_PER_MS);

function bytesOf({ at, kind, market, first, bids, asks, word, line, prices, shares }: TapeBlock): number {
  const columns = [at, kind, market, first, bids, asks, word, line, prices, shares];
  return columns.reduce((sum, column) => sum + column.byteLength, 0);
}
