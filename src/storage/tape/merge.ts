/** Several tapes, or recordings, as one tape. */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { UsageError } from '../../domain/errors.js';
import type { MarketId } from '../../domain/ids.js';
import type { RecordedLine } from '../../domain/recorded.js';
import { lineOf } from '../recordings/blocks.js';
import { type BlockStream, decodeRecording } from '../recordings/neutral.js';
import { marketDataOf } from './cut.js';
import type { OnRead } from './packed-text.js';
import {
  type HeadRecord,
  type NamedMarket,
  type Received,
  TAPE_VERSION,
  type TapeLine,
  type TapeRecord,
} from './records.js';
import { TapeCopy } from './tape-copy.js';
import { RecordingError, TapeError } from './tape-files.js';
import { endingNote, TapeReader, type TapeReaderOptions } from './tape-reader.js';

export interface Merged {
  readonly lines: number;
  /** Lines that two tapes of one run had, taken once. */
  readonly again: number;
  /** What is strange of the tapes, in sentences for people. */
  readonly notes: readonly string[];
}

/**
 * Merges what tapes say of markets, in the order of receipt. Inputs of engines become plain frames and decisions are left
 * out, because two runs together are no run. A line that whole tapes, copies or parts of one run share is taken once.
 * @throws TapeError for a tape that is damaged, or holds a recording of a market that another holds at the same time;
 * UsageError for one that is named twice
 */
export async function mergeTapes(
  paths: readonly string[],
  out: string,
  options: TapeReaderOptions = {},
): Promise<Merged> {
  refuseDuplicates(paths);
  const heads = await Promise.all(paths.map(firstHead));
  const readers = paths.map((path) => new TapeReader(path, options));
  const copy = new TapeCopy(out, mergedHead(heads, paths), startOf(heads));
  let again: number;
  try {
    again = await copyAll(readers, paths, copy);
    copy.close();
  } catch (error) {
    copy.abandon();
    throw error;
  }
  const endings = readers.flatMap(({ ending }, index) => {
    const note = endingNote(ending);
    return note === null ? [] : [`${paths[index]}: ${note}`];
  });
  const shared = again === 0 ? [] : [`${again} lines that two tapes of one run have are taken once`];
  return { lines: copy.count, again, notes: [...shared, ...endings] };
}

type Head = Extract<TapeLine, { readonly kind: 'head' }>;

/** @returns null for a tape without one. @throws TapeError */
async function firstHead(path: string): Promise<Head | null> {
  for await (const batch of new TapeReader(path).batches())
    for (const { line } of batch) if (line.kind === 'head') return line;
  return null;
}

function refuseDuplicates(paths: readonly string[]): void {
  const places = paths.map((path) => (existsSync(path) ? realpathSync(path) : path));
  const second = places.findIndex((place, index) => places.indexOf(place) < index);
  if (second !== -1) throw new UsageError(`${paths[second]} is named twice; expected each tape once`);
}

/** @returns how many lines were left out because another tape had them */
async function copyAll(
  readers: readonly TapeReader[],
  names: readonly string[],
  copy: TapeCopy,
): Promise<number> {
  const markets = new OneSourcePerMarket(names);
  const shared = new SharedLines();
  const batches = readers.map((reader) => reader.batches());
  let again = 0;
  for await (const { item, source } of inTimeOrder(batches, ({ line }) => line.at)) {
    const { line, place } = item;
    const problem = line.kind === 'recorded' ? markets.check(line.line.marketId, source) : null;
    if (problem !== null) throw new TapeError(place, problem);
    const record = marketDataOf(line);
    if (record === null) continue;
    if (shared.isAgain(line, record, source)) again += 1;
    else copy.write(record, { at: line.at, mono: line.mono });
  }
  return again;
}

function mergedHead(heads: readonly (Head | null)[], paths: readonly string[]): HeadRecord {
  const found = heads.flatMap((head) => head ?? []);
  const markets = new Map(found.flatMap((head) => head.markets).map((market) => [market.marketId, market]));
  return {
    ...NO_RUN,
    program: found[0]?.program ?? '',
    run: [...new Set(found.map(({ run }) => run))].join('+'),
    purpose: 'merge',
    markets: [...markets.values()],
    sources: paths.map((path, index) => `${path}, run ${heads[index]?.run ?? 'unknown'}`),
  };
}

/** What the head of a tape says that is of no run. */
const NO_RUN = {
  kind: 'head',
  version: TAPE_VERSION,
  flushMs: null,
  seed: null,
  configuration: null,
  strategies: [],
} as const;

function startOf(heads: readonly (Head | null)[]): Received {
  const [first] = heads.flatMap((head) => head ?? []).toSorted((a, b) => a.at - b.at);
  return { at: first?.at ?? (0 as Received['at']), mono: first?.mono ?? 0 };
}

/** A line may come again in another tape so long after it, in order of receipt; clocks are set back now and then. */
const REMEMBERED_US = 120_000_000;

/**
 * Finds lines that another tape of the run has given: the same text, received at the same microsecond of wall and process
 * clock. What one tape has twice stays twice.
 */
class SharedLines {
  /** By line: how often each tape, by its place, gave it. */
  #recent = new Map<string, number[]>();
  #before = new Map<string, number[]>();
  #turnsAt = -Infinity;

  isAgain({ at, mono }: TapeLine, record: TapeRecord, source: number): boolean {
    // Only what was received live has a process clock.
    if (mono === 0) return false;
    if (at >= this.#turnsAt) {
      [this.#before, this.#recent] = [this.#recent, new Map<string, number[]>()];
      this.#turnsAt = at + REMEMBERED_US;
    }
    const key = createHash('sha1')
      .update(`${at} ${mono} ${JSON.stringify(record)}`)
      .digest('base64');
    const times = this.#recent.get(key) ?? this.#before.get(key) ?? [];
    const written = Math.max(0, ...Object.values(times));
    this.#recent.set(key, times);
    times[source] = (times[source] ?? 0) + 1;
    return times[source] <= written;
  }
}

interface ImportOptions {
  /** What is known of the markets; others are named by their number. */
  readonly markets: readonly NamedMarket[];
  readonly program: string;
  readonly onRead: OnRead;
}

export interface Imported {
  readonly lines: number;
  /** What is strange of the recordings, in sentences for people. */
  readonly notes: readonly string[];
}

/**
 * Makes a tape of recordings in the neutral form, in time order; on a tie the one that was named first goes first.
 * @throws RecordingError with file and line for what is no line of the form, is older than the one before it, or tells
 * of a market that another file tells of at the same time
 */
export async function importNeutral(
  files: readonly string[],
  out: string,
  { markets, program, onRead }: ImportOptions,
): Promise<Imported> {
  const streams = files.map((file) => decodeRecording(file, onRead));
  const head: HeadRecord = { ...NO_RUN, program, run: 'import', purpose: 'import', markets, sources: files };
  const sources = new OneSourcePerMarket(files);
  let copy: TapeCopy | null = null;
  let lines = 0;
  try {
    for await (const { item, source } of inTimeOrder(streams.map(linesOf), ({ line }) => line.at)) {
      const { line, number } = item;
      const problem = sources.check(line.marketId, source);
      if (problem !== null) throw new RecordingError(files[source]!, number, problem);
      const received = { at: line.at, mono: 0 };
      copy ??= new TapeCopy(out, head, received);
      copy.write({ kind: 'recorded', line }, received);
      lines += 1;
    }
    copy?.close();
  } catch (error) {
    copy?.abandon();
    throw error;
  }
  const notes = streams.flatMap((stream, place) =>
    stream.about().notes.map((note) => `${basename(files[place]!)}: ${note}`),
  );
  return { lines, notes };
}

interface NumberedLine {
  readonly line: RecordedLine;
  /** Its number in the file, from 1. */
  readonly number: number;
}

async function* linesOf({ blocks, markets }: BlockStream): AsyncGenerator<readonly NumberedLine[]> {
  for await (const block of blocks)
    yield Array.from({ length: block.rows }, (_, row) => ({
      line: lineOf(block, row, markets),
      number: block.line[row]!,
    }));
}

/**
 * Takes what comes next from the source whose next item is the oldest; on a tie from the one that was named first.
 * @param sources each in order of time, some items at a time; all are closed at the end, and when the reader stops early
 */
async function* inTimeOrder<Item>(
  sources: readonly AsyncIterable<readonly Item[]>[],
  timeOf: (item: Item) => number,
): AsyncGenerator<{ readonly item: Item; readonly source: number }> {
  const items = sources.map(one);
  try {
    const next = await Promise.all(items.map((source) => source.next()));
    for (;;) {
      const times = next.map(({ done, value }) => (done === true ? Infinity : timeOf(value)));
      const source = times.indexOf(Math.min(...times));
      const { done, value } = next[source]!;
      if (done === true) return;
      yield { item: value, source };
      next[source] = await items[source]!.next();
    }
  } finally {
    for (const source of items) await source.return(undefined);
  }
}

async function* one<Item>(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<Item, undefined> {
  for await (const batch of batches) yield* batch;
}

/** Checks recordings while they are merged: two that take turns in one market would show its trades twice. */
class OneSourcePerMarket {
  readonly #sources = new Map<MarketId, number[]>();

  /** @param names of the recordings, by their place */
  constructor(private readonly names: readonly string[]) {}

  /**
   * @param source place of the one that has the market now; lines come in the order of the merge
   * @returns what is wrong, for people; null when nothing is
   */
  check(market: MarketId, source: number): string | null {
    const sources = this.#sources.get(market) ?? [];
    const last = sources.at(-1);
    if (last === source) return null;
    if (last !== undefined && sources.includes(source))
      return `market ${market} is also in ${this.names[last]} at the same time; expected one recording of a market at a time`;
    this.#sources.set(market, [...sources, source]);
    return null;
  }
}
