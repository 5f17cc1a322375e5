/** A neutral file in the making: lines of one event, grouped by time and put in the order that the neutral form wants. */
import { RecordingError } from '../storage/tape/tape-files.js';
import type { Counted, ImportOptions, Settlement, VenueName } from './import-options.js';
import { type FineLevel, FINE_ONE, gridPrice, onGrid } from './ladder.js';

/** Version of the neutral form that is written. */
export const NEUTRAL_VERSION = 2;

/** Takes the lines of a file. Event and market numbers stand in it as `"event":0,"market":<place>`. */
export interface LineSink {
  write(line: string): void;
}

/** The import that a file is made by: its options, counts, and the place in its source. */
export interface Importing {
  readonly options: ImportOptions;
  readonly file: string;
  readonly line: number;
  count(what: Counted, times?: number): void;
  /** @throws RecordingError */
  refuse(text: string): never;
}

/** Facts about an event for `markets.json`. */
export interface EventAbout {
  readonly venue: VenueName;
  /** The venue's id of the event; null: it has none. */
  readonly venueEvent: string | null;
  /** Steps of prices in 0.00001; null: those that its prices fit. */
  readonly grid: number | null;
}

/** Facts about a market for `markets.json`; what is not known is left out. */
export interface MarketAbout {
  readonly venueId: string;
  readonly selection?: number;
  readonly handicap?: number;
  title?: string;
  runner?: string;
  exclusive?: boolean;
  winners?: number;
  marketTime?: string;
  closeAt?: number;
}

type Status = 'open' | 'closed' | 'resolved';

/** How long a book may stay crossed, and two files of a market overlap, milliseconds. */
const LONGEST_MUDDLE = 10_000;

/** What a market knows of its levels. Best first, in 0.00001 and 0.01. */
export interface BookOfVenue {
  levels(side: 'bid' | 'ask'): Iterable<FineLevel>;
}

interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

export class MarketLines {
  status: Status | null = null;
  inPlay = false;
  books = 0;
  trades = 0;
  /** Shares traded, in 0.01. */
  volume = 0;
  firstAt: number | null = null;
  lastAt: number | null = null;
  /** Steps that all its prices fit, in 0.00001. */
  step = 1_000;
  shown = '';
  said = '';
  /** Place of the last change. */
  source: SourcePlace = { file: '', line: 0 };
  crossed: (SourcePlace & { readonly at: number }) | null = null;
  private settled: Settlement | null = null;

  constructor(
    readonly place: number,
    readonly about: MarketAbout,
    readonly book: BookOfVenue,
  ) {}

  /** What a share pays, in steps of 0.0001: the neutral form has no finer ones. */
  get settlement(): Settlement | null {
    return this.settled;
  }

  set settlement(settlement: Settlement | null) {
    this.settled = typeof settlement === 'number' ? Math.round(settlement * 10_000) / 10_000 : settlement;
  }

  fit(price: number): void {
    while (price % this.step !== 0) this.step /= 10;
  }
}

export class EventFile {
  readonly markets: MarketLines[] = [];
  /** Time of the lines at hand, Unix milliseconds. */
  private at = -Infinity;
  private opened: string[] = [];
  private traded: string[] = [];
  private closed: string[] = [];
  private readonly changed = new Set<MarketLines>();
  private isVersionSaid = false;
  private hasBegun = false;
  /** Raw files that told of the event. */
  readonly sources = new Set<string>();
  /** Why the event is left out; null: it is not. */
  refusal: RecordingError | null = null;
  /** Longest time between two moments, milliseconds. */
  longestSilence = 0;

  constructor(
    readonly name: string,
    readonly about: EventAbout,
    private readonly session: Importing,
    private readonly sink: LineSink,
  ) {
    this.hasBegun = session.options.from === null;
  }

  /** Time of the latest moment; null before the first. */
  get latest(): number | null {
    return this.at === -Infinity ? null : this.at;
  }

  /** Whether there is something to write. */
  get isUsable(): boolean {
    return this.refusal === null && this.markets.some(({ books }) => books > 0);
  }

  get grid(): number {
    return this.session.options.grid ?? this.about.grid ?? 1;
  }

  market(about: MarketAbout, book: BookOfVenue): MarketLines {
    const market = new MarketLines(this.markets.length, about, book);
    this.markets.push(market);
    return market;
  }

  /** Goes on to a time. An earlier time than the last counts as the last. */
  moment(at: number): void {
    const { file } = this.session;
    if (!this.sources.has(file)) this.refuseOverlap(at);
    this.sources.add(file);
    if (at < this.at) return this.session.count('clampedTimes');
    if (at === this.at) return;
    if (this.at !== -Infinity) {
      this.flush();
      this.longestSilence = Math.max(this.longestSilence, at - this.at);
    }
    const { from } = this.session.options;
    if (!this.hasBegun && from !== null && at >= from) this.begin(from);
    this.at = at;
  }

  /** Says a status, unless it was said last. @param extra members that this change brings */
  say(market: MarketLines, status: Status, extra: Readonly<Record<string, number>> = {}): void {
    const { settlement, inPlay } = market;
    market.status = status;
    const resolution =
      settlement === 1 ? 'long' : settlement === 0 ? 'short' : settlement === 'void' ? 'void' : null;
    const words = {
      status,
      resolution: status === 'resolved' ? resolution : null,
      ...(status === 'resolved' && resolution === null && { payout: settlement }),
      ...(inPlay && { inplay: true }),
    };
    const said = JSON.stringify(words);
    if (said === market.said && Object.keys(extra).length === 0) return;
    market.said = said;
    const line = this.line('status', market, JSON.stringify({ ...words, ...extra }).slice(1));
    (status === 'open' ? this.opened : this.closed).push(line);
  }

  /** @param price in 0.00001, need not be whole @param shares in 0.01 */
  trade(market: MarketLines, price: number, shares: number, takerSide: 'bid' | 'ask' | null): void {
    const whole = Math.round(shares);
    const rounded = gridPrice(
      price,
      takerSide === null ? null : takerSide === 'bid' ? 'ask' : 'bid',
      this.grid,
    );
    const on = Math.min(Math.max(rounded, this.grid), FINE_ONE - this.grid);
    if (whole <= 0) return;
    if (this.isTaken) {
      market.trades += 1;
      market.volume += whole;
    }
    market.fit(on);
    this.traded.push(
      this.line(
        'trade',
        market,
        `"price":${on / FINE_ONE},"shares":${whole / 100},"taker_side":${JSON.stringify(takerSide)}}`,
      ),
    );
  }

  /** The book of a market changed; it is written when the time is over. */
  change(market: MarketLines, { file, line }: SourcePlace = this.session): void {
    market.source = { file, line };
    this.changed.add(market);
  }

  /** Writes what is left. */
  end(): void {
    if (this.at === -Infinity) return;
    this.flush();
    for (const market of this.markets)
      if (market.crossed !== null && market.status === 'open') this.leaveOut(market);
  }

  /** @throws RecordingError for a second file about the same time */
  private refuseOverlap(at: number): void {
    if (at > this.at - LONGEST_MUDDLE || this.at === -Infinity) return;
    this.session.refuse(
      `${this.name} is told of until ${new Date(this.at).toISOString()} by ${[...this.sources].at(-1)}; expected one recording of a market at a time`,
    );
  }

  /** Whether the time at hand is in the part that is taken. */
  private get isTaken(): boolean {
    const { from, to } = this.session.options;
    return (from === null || this.at >= from) && (to === null || this.at < to);
  }

  private line(type: string, market: MarketLines, rest: string): string {
    if (this.isTaken) {
      market.firstAt ??= this.at;
      market.lastAt = this.at;
    }
    return `{"t":${this.at},"type":"${type}","event":0,"market":${market.place},${rest}`;
  }

  private flush(): void {
    const { changed } = this;
    const lines = [...this.opened, ...this.traded, ...this.closed];
    this.opened = [];
    this.traded = [];
    this.closed = [];
    for (const market of changed) {
      const line = this.bookLine(market);
      if (line !== null) lines.push(line);
    }
    changed.clear();
    if (this.refusal !== null || !this.isTaken) return;
    for (const line of lines) this.write(line);
  }

  /** States what was known at the beginning of the part that is taken. */
  private begin(from: number): void {
    this.hasBegun = true;
    for (const market of this.markets) {
      const { place, said, shown, status } = market;
      const head = (type: string): string => `{"t":${from},"type":"${type}","event":0,"market":${place},`;
      if (status !== null) this.write(head('status') + said.slice(1));
      if (shown !== '') {
        this.write(head('book') + shown);
        market.books += 1;
      }
      if (status !== null || shown !== '') market.firstAt = market.lastAt = from;
    }
  }

  private write(line: string): void {
    this.sink.write(this.isVersionSaid ? line : `${line.slice(0, -1)},"version":${NEUTRAL_VERSION}}`);
    this.isVersionSaid = true;
  }

  /** @returns null for a book that is as before, or crossed */
  private bookLine(market: MarketLines): string | null {
    const { session, grid } = this;
    const { levels } = session.options;
    const bids = onGrid(market.book.levels('bid'), 'bid', grid, levels);
    const asks = onGrid(market.book.levels('ask'), 'ask', grid, levels);
    const [bid] = bids.levels;
    const [ask] = asks.levels;
    if (bid !== undefined && ask !== undefined && bid[0] >= ask[0]) {
      session.count('crossedBooks');
      market.crossed ??= { at: this.at, ...market.source };
      if (this.at - market.crossed.at > LONGEST_MUDDLE && market.status === 'open') this.leaveOut(market);
      return null;
    }
    market.crossed = null;
    const shown = `"bid":${text(bids.levels)},"ask":${text(asks.levels)}}`;
    if (shown === market.shown || (market.shown === '' && shown === EMPTY)) return null;
    if (bids.merged + asks.merged > 0) session.count('mergedPrices', bids.merged + asks.merged);
    market.shown = shown;
    if (this.isTaken) market.books += 1;
    for (const [price] of bids.levels) market.fit(price);
    for (const [price] of asks.levels) market.fit(price);
    return this.line('book', market, shown);
  }

  /** A book that stays crossed was folded from too few messages: nothing of the event can be trusted. */
  private leaveOut({ crossed, about }: MarketLines): void {
    const { file, line } = crossed!;
    const hint =
      this.about.venue === 'kalshi' && this.session.options.noPrices === 'no'
        ? '; if the no side was recorded with prices of yes, add --no-prices yes'
        : '; messages are missing before it';
    const text = `the book of ${about.venueId} is crossed from this line on and stays so${hint}`;
    this.refusal ??= new RecordingError(file, line, text);
  }
}

const EMPTY = '"bid":[],"ask":[]}';

const text = (levels: readonly (readonly [number, number])[]): string =>
  `[${levels.map(([price, shares]) => `[${price / FINE_ONE},${shares / 100}]`).join(',')}]`;
