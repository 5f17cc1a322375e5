/** A tape as a recording: books without the recorder's own shares, prints and statuses, in the venue's order. */
import type { MarketId } from '../../domain/ids.js';
import type { Levels } from '../../domain/levels.js';
import type { RecordedBook, RecordedLine, RecordedTrade } from '../../domain/recorded.js';
import type { Micros } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type { HeadRecord, TapeLine } from '../tape/records.js';
import type { BookChange, TapeEvent, OthersBook, OthersLevel } from './market-reading.js';
import { TapeReading } from './tape-reading.js';

/** `recorded`: only trades that the tape states. `inferred`: also what follows from books and turnover. */
export type TradesModel = 'recorded' | 'inferred';

/** What was done to a tape so that it could be traded on, in numbers of books; `inferred` counts trades. */
export interface Repairs {
  /** Own shares were taken out. */
  readonly withoutOwn: number;
  /** Left out: they came too late to be put in order. */
  readonly late: number;
  /** Read over REST, where no frames showed their market. */
  readonly read: number;
  /** Trades that no line of the tape states. */
  readonly inferred: number;
}

/** Takes the lines of one tape in order. Times of what it gives never decrease. */
export class MarketFlow {
  #reading: TapeReading | null = null;
  #known: ReadonlySet<MarketId> = new Set();
  #at = 0;
  #withoutOwn = 0;
  #inferred = 0;
  readonly #inferredIn = new Set<MarketId>();

  constructor(private readonly trades: TradesModel) {}

  get repairs(): Repairs {
    const { late = 0, read = 0 } = this.#reading ?? {};
    return { withoutOwn: this.#withoutOwn, late, read, inferred: this.#inferred };
  }

  /** Markets with inferred trades. */
  get inferredIn(): readonly MarketId[] {
    return [...this.#inferredIn];
  }

  take(line: TapeLine): readonly RecordedLine[] {
    if (line.kind === 'head') this.#head(line);
    this.#reading ??= new TapeReading('play_money');
    return this.#reading.line(line).flatMap((happening) => this.#happened(happening));
  }

  /** Nothing more comes. */
  end(): readonly RecordedLine[] {
    return this.#reading?.finish().flatMap((happening) => this.#happened(happening)) ?? [];
  }

  #head({ configuration, markets }: HeadRecord): void {
    this.#reading ??= new TapeReading(modeOf(configuration));
    this.#known = new Set([...this.#known, ...markets.map(({ marketId }) => marketId)]);
  }

  #happened(happening: TapeEvent): readonly RecordedLine[] {
    if (happening.kind === 'placed' || happening.kind === 'filled' || happening.kind === 'ended') return [];
    if (this.#known.size > 0 && !this.#known.has(happening.marketId)) return [];
    const at = this.#forward(happening.at);
    return happening.kind === 'moment' ? this.#moment(happening, at) : [{ ...happening, at }];
  }

  #moment(moment: BookChange, at: Micros): readonly RecordedLine[] {
    const { eventId, marketId, between, cut } = moment;
    const prints = this.trades === 'inferred' ? moment.prints : [];
    this.#withoutOwn += moment.isWithoutOwn ? 1 : 0;
    this.#inferred += prints.length;
    if (prints.length > 0) this.#inferredIn.add(marketId);
    const trades = prints.map(({ price, shares, takerSide }): RecordedTrade => ({
      kind: 'trade',
      at,
      eventId,
      marketId,
      price,
      shares,
      takerSide,
    }));
    const bookOf = ({ bids, asks }: OthersBook): RecordedBook => ({
      kind: 'book',
      at,
      eventId,
      marketId,
      bids: levelsOf(bids),
      asks: levelsOf(asks),
      cut,
    });
    // A taker cancels what conflicts with it before it trades: as in the shadow, cancels come first.
    const met = trades.length === 0 || between === null ? [] : [bookOf(between)];
    return [...met, ...trades, bookOf(moment)];
  }

  #forward(at: Micros): Micros {
    this.#at = Math.max(this.#at, at);
    return this.#at as Micros;
  }
}

const levelsOf = (levels: readonly OthersLevel[]): Levels => ({
  prices: levels.map(({ price }) => price),
  shares: levels.map(({ shares }) => shares),
});

/** Of the run that was recorded; play money where its configuration does not say. */
function modeOf(configuration: unknown): CurrencyMode {
  const mode = (configuration as { readonly currencyMode?: unknown } | null)?.currencyMode;
  return mode === 'real_money' ? mode : 'play_money';
}
