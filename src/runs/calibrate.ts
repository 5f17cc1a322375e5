/** Recordings and tapes through the calibrator. */
import { basename } from 'node:path';
import { Calibrator, type CalibrationFigures } from '../analytics/calibration/calibrator.js';
import { tellsItsWay } from '../analytics/calibration/poisson-intensity.js';
import type { MarketId } from '../domain/ids.js';
import type { Micros, PriceUnits } from '../domain/units.js';
import {
  endingNote,
  gapNotes,
  isGap,
  isOwnTape,
  modeOf,
  type NamedMarket,
  openTogether,
  type RecordingSource,
  refuseOverlaps,
  ROW,
  statusOf,
  takerOf,
  type TapeBlock,
  TapeReader,
  TapeReading,
  type RecordedSpan,
  type RecordedSpans,
} from '../storage/index.js';
import { recordingName } from './backtest/each-recording.js';

export interface CalibrateOptions {
  /** Distance between the quotes that are imagined, price units; null: as far as takers reach. */
  readonly step: number | null;
  readonly distances: number;
}

export interface Calibrated {
  readonly figures: CalibrationFigures;
  /** Recordings and tapes. */
  readonly recordings: number;
  /** Whether the step between the quotes follows from how far takers reached. */
  readonly isChosen: boolean;
  /** What is strange of recordings, and what was made of it, in sentences for people. */
  readonly notes: readonly string[];
}

type CalibratorOf = (market: MarketId) => Calibrator;

const MICROS_PER_MS = 1_000;
/** Price units, for tapes whose markets no head names. */
const USUAL_TICK = 100;

/**
 * Goes through everything once: recordings in the neutral form, and tapes of our own, of runs or of the public channels.
 * @throws RecordingError, TapeError naming file and line; RecordingError when two tell of a market at the same time
 */
export async function calibrate(paths: readonly string[], options: CalibrateOptions): Promise<Calibrated> {
  const { calibrators, notes } = await read(paths, options, () => 'all');
  const figures = calibrators('all').figures();
  return { figures, recordings: paths.length, isChosen: options.step === null, notes };
}

/** One market of a recording by itself. */
export interface RankedMarket {
  readonly recording: string;
  readonly market: MarketId;
  readonly figures: CalibrationFigures;
}

/**
 * Every market of every recording by itself, those first whose best distance earns most.
 * @throws as {@link calibrate}
 */
export async function rankMarkets(
  paths: readonly string[],
  options: CalibrateOptions,
): Promise<readonly RankedMarket[]> {
  const ranked: RankedMarket[] = [];
  for (const path of paths) {
    const { calibrators, markets } = await read([path], options, (market) => market);
    for (const market of markets)
      ranked.push({ recording: recordingName(path), market, figures: calibrators(market).figures() });
  }
  const earns = ({ figures }: RankedMarket): number => figures.edges.best?.earns?.value ?? -Infinity;
  const isLess = (one: RankedMarket, other: RankedMarket): number => {
    const [a, b] = [earns(one), earns(other)];
    return a === b ? 0 : b - a;
  };
  return ranked.toSorted(isLess);
}

/** @param groupOf markets of one group are calibrated together */
async function read(
  paths: readonly string[],
  options: CalibrateOptions,
  groupOf: (market: MarketId) => string,
) {
  const isOwn = await Promise.all(paths.map(isOwnTape));
  const tapes = paths.filter((_, place) => isOwn[place]);
  const files = paths.filter((_, place) => !isOwn[place]);
  const opened = await openTogether(files);
  const recordings = opened.toSorted((a, b) => a.firstAt - b.firstAt);
  const named = await Promise.all(tapes.map(marketsOf));
  const markets = [...recordings.flatMap((recording) => recording.markets), ...named.flat()];
  const ticks = new Map(markets.map(({ marketId, tickUnits }) => [marketId, tickUnits] as const));
  const known = new Map<string, Calibrator>();
  const calibrators = (group: string): Calibrator => {
    const calibrator =
      known.get(group) ?? new Calibrator({ ...options, tickOf: (market) => ticks.get(market) ?? USUAL_TICK });
    known.set(group, calibrator);
    return calibrator;
  };
  const of = (market: MarketId): Calibrator => calibrators(groupOf(market));
  refuseOverlaps(recordings);
  for (const recording of recordings)
    for await (const block of recording.blocks()) take(of, recording, block);
  const heard: RecordedSpans[] = [];
  const strange: string[] = [];
  for (const tape of tapes) {
    const reader = new TapeReader(tape, { inputs: 'in order' });
    const { markets: told, gaps } = await hear(of, calibrators('all'), reader);
    heard.push({ name: tape, markets: told });
    const ofTape = [...gapNotes(gaps), endingNote(reader.ending) ?? []].flat();
    strange.push(...ofTape.map((note) => `${basename(tape)}: ${note}`));
    refuseOverlaps([...recordings, ...heard]);
  }
  const notes = recordings.flatMap(({ name, notes: found }) =>
    found.map((note) => `${basename(name)}: ${note}`),
  );
  const ids = [...new Set(markets.map(({ marketId }) => marketId))];
  return { calibrators, markets: ids, notes: [...notes, ...strange] };
}

/** What the first head of a tape names; nothing where it has none. */
async function marketsOf(tape: string): Promise<readonly NamedMarket[]> {
  for await (const batch of new TapeReader(tape).batches())
    for (const { line } of batch) if (line.kind === 'head') return line.markets;
  return [];
}

/**
 * A tape tells when frames were sent and received, and when requests left and were answered, too. Its trades are
 * inferred, and include those in which takers met orders of the recorder.
 * @returns the markets it tells of, and in how many places it says nothing
 */
async function hear(of: CalibratorOf, delays: Calibrator, tape: TapeReader) {
  const told = new Map<MarketId, RecordedSpan>();
  let reading: TapeReading | null = null;
  let gaps = 0;
  for await (const batch of tape.batches())
    for (const { line } of batch) {
      if (line.kind === 'head') reading ??= new TapeReading(modeOf(line.configuration));
      if (isGap(line)) gaps += 1;
      if (reading !== null) show(of, told, reading.line(line));
      if (line.kind === 'frame' && line.venueAt !== null && tellsItsWay(line.event))
        delays.heard((line.at - line.venueAt) / MICROS_PER_MS);
      if (line.kind === 'rest' && line.sentAt !== null && line.status !== null)
        delays.answered((line.at - line.sentAt) / MICROS_PER_MS);
    }
  if (reading !== null) show(of, told, reading.finish());
  return { markets: [...told.values()], gaps };
}

function show(
  of: CalibratorOf,
  told: Map<MarketId, RecordedSpan>,
  happenings: ReturnType<TapeReading['take']>,
): void {
  for (const happening of happenings) {
    if (happening.kind === 'placed' || happening.kind === 'filled' || happening.kind === 'ended') continue;
    const { marketId, at } = happening;
    const calibrator = of(marketId);
    told.set(marketId, { marketId, firstAt: told.get(marketId)?.firstAt ?? at, lastAt: at, line: 0 });
    if (happening.kind !== 'moment') {
      calibrator.line(happening);
      continue;
    }
    const { prints, bids, asks } = happening;
    for (const { price, takerSide } of prints) calibrator.trade(marketId, at, price, takerSide);
    calibrator.book(marketId, at, bids[0]?.price, asks[0]?.price);
  }
}

function take(of: CalibratorOf, { markets }: RecordingSource, block: TapeBlock): void {
  const { at, kind, market, first, bids, asks, word, prices } = block;
  for (let row = 0; row < block.rows; row++) {
    const { marketId } = markets[market[row]!]!;
    const calibrator = of(marketId);
    const time = at[row]! as Micros;
    const level = first[row]!;
    const priceAt = (place: number): PriceUnits => prices[place]! as PriceUnits;
    if (kind[row] === ROW.trade) calibrator.trade(marketId, time, priceAt(level), takerOf(word[row]!));
    else if (kind[row] === ROW.status) {
      if (statusOf(block, row).status !== 'open') calibrator.close(marketId, time);
    } else if (kind[row] === ROW.book) {
      const bid = bids[row] === 0 ? undefined : priceAt(level);
      const ask = asks[row] === 0 ? undefined : priceAt(level + bids[row]!);
      calibrator.book(marketId, time, bid, ask);
    }
  }
}
