/** Turns a tape of our own into a recording: the market without the bot's own orders. */
import type { MarketId } from '../../domain/ids.js';
import type { Levels } from '../../domain/levels.js';
import type { RecordedLine } from '../../domain/recorded.js';
import type { Micros } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type { BookChange, OthersBook, OthersLevel, TapeEvent } from '../tape-market/market-reading.js';
import { TapeReading } from '../tape-market/tape-reading.js';
import { DuplicateFrames, gapNotes, isGap } from '../tape/tape-line.js';
import type { NamedMarket, TapeLine } from '../tape/records.js';
import { RecordingError } from '../tape/tape-files.js';
import { endingNote, TapeReader } from '../tape/tape-reader.js';
import { BlockBuilder, type TapeBlock } from './blocks.js';
import type { BlockStream } from './neutral.js';

/** `recorded`: only trades on the tape. `inferred`: also trades that follow from books and turnover. */
export type TradesModel = 'recorded' | 'inferred';

/**
 * Decodes a tape with only a few blocks in memory.
 * @param path a file, the folder of a tape or of a run
 * @param trades whether trades are inferred, because frames do not show them
 * @throws TapeError for a damaged tape, or one whose inputs are out of order; RecordingError for one without books; from the iteration
 */
export function decodeOwnTape(path: string, trades: TradesModel): BlockStream {
  const decoder = new OwnTapeDecoder(path, trades);
  return { markets: decoder.builder.markets, blocks: decoder.blocks(), about: () => decoder.about };
}

class OwnTapeDecoder {
  readonly builder = new BlockBuilder();
  private readonly flow: MarketFlow;
  private readonly duplicates = new DuplicateFrames();
  private books = 0;
  private gaps = 0;
  private ending: string | null = null;

  constructor(
    private readonly path: string,
    trades: TradesModel,
  ) {
    this.flow = new MarketFlow(trades);
  }

  get about() {
    const { count } = this.duplicates;
    const notes = [
      ...(count === 0 ? [] : [`${count} duplicate frames are left out`]),
      ...this.flow.notes,
      ...gapNotes(this.gaps),
      ...(this.ending === null ? [] : [this.ending]),
    ];
    return { named: this.flow.named, notes, inferred: this.flow.inferredIn };
  }

  async *blocks(): AsyncGenerator<TapeBlock> {
    const reader = new TapeReader(this.path, { inputs: 'in order' });
    let last = 0;
    for await (const batch of reader.batches()) {
      for (const { line } of batch) {
        last = line.n;
        if (this.duplicates.isDuplicate(line)) continue;
        if (isGap(line)) this.gaps += 1;
        this.add(this.flow.take(line), last);
      }
      yield* this.builder.take();
    }
    this.add(this.flow.end(), last);
    yield* this.builder.end();
    this.ending = endingNote(reader.ending);
    if (this.books === 0) throw new RecordingError(this.path, 0, 'the tape shows no book of its markets');
  }

  private add(lines: readonly RecordedLine[], number: number): void {
    for (const line of lines) {
      const refusal = this.builder.add(line, number);
      if (refusal !== null) throw new RecordingError(this.path, number, refusal);
      if (line.kind === 'book') this.books += 1;
    }
  }
}

/** Turns lines of a tape into lines of a recording, in the venue's order. Times never decrease. */
export class MarketFlow {
  #reading: TapeReading | null = null;
  readonly #named = new Map<MarketId, NamedMarket>();
  readonly #inferredIn = new Set<MarketId>();
  #at = 0;
  #withoutOwn = 0;
  #inferred = 0;

  constructor(private readonly trades: TradesModel) {}

  /** Markets in the heads of the tape. */
  get named(): readonly NamedMarket[] {
    return [...this.#named.values()];
  }

  /** Markets with inferred trades. */
  get inferredIn(): readonly MarketId[] {
    return [...this.#inferredIn];
  }

  /** Corrections that were made before trading on the tape, as sentences for people. */
  get notes(): readonly string[] {
    const { late = 0, read = 0 } = this.#reading ?? {};
    const [withoutOwn, inferred] = [this.#withoutOwn, this.#inferred];
    return [
      withoutOwn === 0 ? '' : `own shares were subtracted from ${withoutOwn} books`,
      late === 0 ? '' : `${late} books that were older than the one before are left out`,
      read === 0 ? '' : `${read} books were read over REST, where no frames told of their market`,
      inferred === 0
        ? ''
        : `${inferred} trades are inferred from books and turnover, what takers took from own orders among them`,
    ].filter((note) => note !== '');
  }

  take(line: TapeLine): readonly RecordedLine[] {
    if (line.kind === 'head') {
      this.#reading ??= new TapeReading(modeOf(line.configuration));
      for (const market of line.markets) this.#named.set(market.marketId, market);
    }
    this.#reading ??= new TapeReading('play_money');
    return this.#reading.line(line).flatMap((event) => this.#happened(event));
  }

  /** Ends the recording. */
  end(): readonly RecordedLine[] {
    return this.#reading?.finish().flatMap((event) => this.#happened(event)) ?? [];
  }

  #happened(event: TapeEvent): readonly RecordedLine[] {
    if (event.kind === 'placed' || event.kind === 'filled' || event.kind === 'ended') return [];
    if (this.#named.size > 0 && !this.#named.has(event.marketId)) return [];
    const at = (this.#at = Math.max(this.#at, event.at)) as Micros;
    return event.kind === 'moment' ? this.#change(event, at) : [{ ...event, at }];
  }

  #change(change: BookChange, at: Micros): readonly RecordedLine[] {
    const { eventId, marketId, between, cut } = change;
    const prints = this.trades === 'inferred' ? change.prints : [];
    this.#withoutOwn += change.isWithoutOwn ? 1 : 0;
    this.#inferred += prints.length;
    if (prints.length > 0) this.#inferredIn.add(marketId);
    const place = { at, eventId, marketId };
    const book = ({ bids, asks }: OthersBook): RecordedLine => ({
      ...place,
      kind: 'book',
      bids: levelsOf(bids),
      asks: levelsOf(asks),
      cut,
    });
    // A taker cancels conflicting orders before it trades, so cancels come first.
    const met = prints.length === 0 || between === null ? [] : [book(between)];
    const trades = prints.map(({ price, shares, takerSide }): RecordedLine => ({
      ...place,
      kind: 'trade',
      price,
      shares,
      takerSide,
    }));
    return [...met, ...trades, book(change)];
  }
}

const levelsOf = (levels: readonly OthersLevel[]): Levels => ({
  prices: levels.map(({ price }) => price),
  shares: levels.map(({ shares }) => shares),
});

/** Currency mode of the recorded run; play money if its configuration states none. */
export const modeOf = (configuration: unknown): CurrencyMode =>
  (configuration as { readonly currencyMode?: CurrencyMode } | null)?.currencyMode ?? 'play_money';
