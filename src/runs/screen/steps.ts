/** What a recording says, worked out once: all configurations and scenarios of a piece play the same steps. */
import { bookViewOf, type ForeignLevels, UNSEEN_BOOK } from '../../core/engine/quoting/book-view.js';
import type { ForeignLevel } from '../../core/mirror/books/foreign-book.js';
import { gettersOf, lazily } from '../../core/strategy/context.js';
import type { BookView } from '../../core/strategy/contract.js';
import type { EventId } from '../../domain/ids.js';
import { type Micros, PRICE_ONE, type PriceUnits, type Shares, type Ticks } from '../../domain/units.js';
import type { CurrencyMode, Resolution } from '../../domain/vocabulary.js';
import type { Command, ForeignMoment, ForeignOrder, TickColumns } from '../../exchange/contract.js';
import { ASK, BID, type BookSide, opposite, toBookSide } from '../../exchange/matching/levels.js';
import { MatchingBook } from '../../exchange/matching/matching-book.js';
import type { LatencyModel } from '../../venues/simulated/models/latency.js';
import { MarketData } from '../backtest/market-data.js';
import type { RowRange, RunMarket } from '../backtest/merged-recordings.js';

/** A recorded trade that met the resting side. */
export interface Print {
  readonly resting: BookSide;
  readonly tick: Ticks;
  readonly shares: Shares;
}

type Line = NonNullable<ForeignMoment['book']>;

/** What is neither a print nor a book line. */
export type News =
  | { readonly kind: 'order'; readonly order: ForeignOrder }
  | { readonly kind: 'status'; readonly isOpen: boolean }
  | { readonly kind: 'resolved'; readonly resolution: Resolution | null }
  | { readonly kind: 'live'; readonly event: EventId; readonly isLive: boolean };

/** What happens in one market at one moment: prints, then a book line, or news alone. */
export interface Step {
  readonly at: Micros;
  /** When bots hear of it. */
  readonly arrives: Micros;
  readonly slot: number;
  readonly news: News | null;
  readonly prints: readonly Print[];
  readonly line: Line | null;
  /** The newest line, this one included, and the prints since. */
  readonly newest: Line | null;
  readonly since: readonly Print[];
  /** Bids of ours from the first price on and asks down to the second may trade. */
  readonly low: number;
  readonly high: number;
  /** Bit t mod 32 is set where the level at tick t is another than before. */
  readonly bids: number;
  readonly asks: number;
  /** How it is seen by bots that took nothing of it. */
  readonly look: Look;
}

/** Remembers whether somebody looked at levels behind the best. */
export interface Looked {
  atLevels: boolean;
}

const SHOWN = { hidden: false };

/** Levels of others, and the view of strategies, made when the first of them asks. */
export class Look {
  private view: BookView | null = null;

  /** @param touch another number whenever prices or shares of the best levels change */
  constructor(
    readonly levels: ForeignLevels,
    readonly touch: number,
    readonly looked: Looked,
    /** It shows an order of ours crossed, or at one price with others: nobody quotes by such a book. */
    readonly isCrossed = false,
  ) {}

  get book(): BookView {
    this.view ??= this.viewOf(SHOWN, SHOWN);
    return this.view;
  }

  /** A side is hidden where only orders of ours stand. */
  viewOf(bids: { readonly hidden: boolean }, asks: { readonly hidden: boolean }): BookView {
    const { levels, looked } = this;
    const hidden = { bids: bids.hidden, asks: asks.hidden };
    const shown = { bids: levels.bids, asks: levels.asks, hidden, ageMs: 0 };
    const { bids: bidLevels, asks: askLevels, bid, ask, mid, weightedMid, ageMs } = bookViewOf(shown);
    const made = { bid, ask, mid, weightedMid, hidden, ageMs };
    return lazily(made, new Levels(bidLevels, askLevels, looked), LEVELS);
  }
}

/** Notes whoever looks. */
class Levels {
  constructor(
    private readonly bidLevels: BookView['bids'],
    private readonly askLevels: BookView['asks'],
    private readonly looked: Looked,
  ) {}

  get bids(): BookView['bids'] {
    this.looked.atLevels = true;
    return this.bidLevels;
  }

  get asks(): BookView['asks'] {
    this.looked.atLevels = true;
    return this.askLevels;
  }
}

const LEVELS = gettersOf<Levels, 'bids' | 'asks'>(['bids', 'asks']);

/** @param count levels a side, those behind a recorded line as they were seen last */
export const levelsOf = (book: MatchingBook, count: number, tickUnits: number): ForeignLevels => {
  const side = (of: BookSide): readonly ForeignLevel[] =>
    book.others(of, count).map(({ tick, foreign }) => levelAt(tick, foreign, tickUnits));
  return { bids: side(BID), asks: side(ASK) };
};

const levelAt = (tick: number, shares: number, tickUnits: number): ForeignLevel => ({
  price: (tick * tickUnits) as PriceUnits,
  shares: shares as Shares,
});

/** A market between its steps. */
interface Standing {
  readonly market: RunMarket;
  /** The recorded book, up to date where prints or single orders came since the newest line. */
  readonly book: MatchingBook;
  newest: Line | null;
  since: readonly Print[];
  isBehind: boolean;
  /** Also what bots do not see. */
  levels: ForeignLevels;
  look: Look;
}

interface StepsOptions {
  /** Levels a side that the venue publishes. */
  readonly topN: number;
  readonly markets: readonly RunMarket[];
  readonly mode: CurrencyMode;
  readonly latency: Pick<LatencyModel, 'feed'>;
}

export class Steps {
  readonly looked: Looked = { atLevels: false };
  private readonly standing: readonly Standing[];
  private readonly slots: ReadonlyMap<string, number>;
  private readonly data: MarketData;
  private steps: Step[] = [];
  private now = 0 as Micros;
  private arrived = 0;
  private touches = 0;

  constructor(private readonly options: StepsOptions) {
    const { markets, mode } = options;
    this.slots = new Map(markets.map(({ marketId }, slot) => [String(marketId), slot]));
    this.standing = markets.map((market) => ({
      market,
      book: new MatchingBook(gridOf(market, { depth: market.depth })),
      newest: null,
      since: NONE,
      isBehind: false,
      levels: UNSEEN_BOOK,
      look: new Look(UNSEEN_BOOK, 0, this.looked),
    }));
    this.data = new MarketData({
      markets,
      mode,
      crossing: 'ignore',
      target: { show: (command) => this.show(command) },
    });
  }

  /** @returns the steps of these rows; times never decrease */
  take({ rows, from, to }: RowRange): readonly Step[] {
    const { at } = rows.block;
    for (let row = from; row < to; row++) {
      if (at[row]! > this.now) this.data.close();
      this.now = at[row]! as Micros;
      this.data.row(rows, row);
    }
    return this.drain();
  }

  /** @returns what the last rows leave */
  finish(): readonly Step[] {
    this.data.close();
    return this.drain();
  }

  private drain(): readonly Step[] {
    const { steps } = this;
    this.steps = [];
    return steps;
  }

  private show(command: Command): void {
    if (command.kind === 'foreign-moment') this.moment(this.slotOf(command.marketId), command);
    else if (command.kind === 'foreign-order') this.order(this.slotOf(command.marketId), command);
    else if (command.kind === 'set-market-status')
      this.tell(this.slotOf(command.marketId), { kind: 'status', isOpen: command.status === 'active' });
    else if (command.kind === 'resolve-event')
      for (const { marketId, resolution } of command.resolutions)
        this.tell(this.slotOf(marketId), { kind: 'resolved', resolution });
    else if (command.kind === 'set-live') {
      const event = String(command.eventId) as EventId;
      const slot = this.options.markets.findIndex(({ eventId }) => eventId === event);
      this.tell(slot, { kind: 'live', event, isLive: command.isLive });
    }
  }

  private slotOf(market: string | number): number {
    return this.slots.get(String(market))!;
  }

  private moment(slot: number, { prints: recorded, book: line }: ForeignMoment): void {
    const standing = this.standing[slot]!;
    const { market, book } = standing;
    const prints =
      recorded.length === 0
        ? NONE
        : recorded.map(({ takerSide, tick, shares }) => ({
            resting: opposite(toBookSide(takerSide)),
            tick: tick as Ticks,
            shares,
          }));
    if (line === null) {
      this.catchUp(standing);
      for (const { resting, tick, shares } of prints) book.recordPrint(opposite(resting), tick, shares);
      standing.since = [...standing.since, ...prints];
      this.push(slot, { prints, line }, this.levelsOf(standing));
      return;
    }
    standing.newest = line;
    standing.since = NONE;
    standing.isBehind = true;
    if (this.isThin(market)) this.catchUp(standing);
    const { tickUnits } = market;
    const levels = this.isThin(market)
      ? this.levelsOf(standing)
      : { bids: columns(line.bids, tickUnits), asks: columns(line.asks, tickUnits) };
    this.push(slot, { prints, line }, levels);
  }

  private order(slot: number, order: ForeignOrder): void {
    const standing = this.standing[slot]!;
    const { book } = standing;
    this.catchUp(standing);
    book.recordOrder(toBookSide(order.side), order);
    standing.since = NONE;
    const news = { kind: 'order', order } as const;
    this.push(slot, { prints: NONE, line: null, news }, this.levelsOf(standing));
  }

  private tell(slot: number, news: News): void {
    this.push(slot, { prints: NONE, line: null, news }, this.standing[slot]!.levels);
  }

  /** Lines show less than the venue publishes: what stood behind them is seen, too, and no line may be left out. */
  private isThin({ depth }: RunMarket): boolean {
    return depth < this.options.topN;
  }

  private levelsOf({ book, market }: Standing): ForeignLevels {
    return levelsOf(book, Math.max(market.depth, this.options.topN), market.tickUnits);
  }

  private catchUp(standing: Standing): void {
    if (standing.isBehind) standing.book.recordBook(standing.newest!.bids, standing.newest!.asks);
    standing.isBehind = false;
  }

  private push(
    slot: number,
    { prints, line, news = null }: Pick<Step, 'prints' | 'line'> & { readonly news?: News | null },
    levels: ForeignLevels,
  ): void {
    const standing = this.standing[slot]!;
    const { tickUnits } = standing.market;
    const { levels: before, market } = standing;
    const bids = changedTicks(before.bids, levels.bids, tickUnits);
    const asks = changedTicks(before.asks, levels.asks, tickUnits);
    standing.levels = levels;
    if (bids !== 0 || asks !== 0) standing.look = this.lookAt(levels, standing.look);
    const { newest, since, look } = standing;
    const [bid, ask] = [levels.bids[0], levels.asks[0]];
    let low = this.isThin(market) ? -Infinity : ask === undefined ? Infinity : ask.price / tickUnits;
    let high = bid === undefined ? -Infinity : bid.price / tickUnits;
    for (const { resting, tick } of prints)
      if (resting === BID) low = Math.min(low, tick);
      else high = Math.max(high, tick);
    this.arrived = Math.max(this.arrived, this.now + this.options.latency.feed());
    const arrives = this.arrived as Micros;
    this.steps.push({
      at: this.now,
      arrives,
      slot,
      news,
      prints,
      line,
      newest,
      since,
      low,
      high,
      bids,
      asks,
      look,
    });
  }

  /** What the venue publishes of the levels; the same if that is nothing new. */
  private lookAt({ bids, asks }: ForeignLevels, before: Look): Look {
    const { topN } = this.options;
    const levels = { bids: bids.slice(0, topN), asks: asks.slice(0, topN) };
    if (areSameLevels(levels, before.levels)) return before;
    const touch = isSameBest(before.levels, levels) ? before.touch : (this.touches += 1);
    return new Look(levels, touch, this.looked);
  }
}

const NONE: readonly Print[] = [];

/** Options of a book of the market's prices. */
export const gridOf = <Foreign>({ tickUnits }: { readonly tickUnits: number }, foreign: Foreign) => ({
  minTick: 1 as Ticks,
  maxTick: (PRICE_ONE / tickUnits - 1) as Ticks,
  foreign,
});

function columns({ ticks, shares, from, to }: TickColumns, tickUnits: number): readonly ForeignLevel[] {
  const levels: ForeignLevel[] = [];
  for (let row = from; row < to; row++) levels.push(levelAt(ticks[row]!, shares[row]!, tickUnits));
  return levels;
}

/** Whether prices and shares of the best levels are the same. */
export const isSameBest = (one: ForeignLevels, other: ForeignLevels): boolean =>
  isSameLevel(one.bids[0], other.bids[0]) && isSameLevel(one.asks[0], other.asks[0]);

const isSameLevel = (one: ForeignLevel | undefined, other: ForeignLevel | undefined): boolean =>
  one?.price === other?.price && one?.shares === other?.shares;

export const areSameLevels = (one: ForeignLevels, other: ForeignLevels): boolean =>
  areSame(one.bids, other.bids) && areSame(one.asks, other.asks);

const areSame = (one: readonly ForeignLevel[], other: readonly ForeignLevel[]): boolean =>
  one.length === other.length && one.every((level, at) => isSameLevel(level, other[at]));

/** See {@link Step.bids}. */
function changedTicks(
  before: readonly ForeignLevel[],
  after: readonly ForeignLevel[],
  tickUnits: number,
): number {
  let bits = 0;
  const missing = (levels: readonly ForeignLevel[], from: readonly ForeignLevel[]): void => {
    for (let at = 0; at < levels.length; at++) {
      const level = levels[at]!;
      // Mostly a level keeps its place.
      if (isSameLevel(level, from[at]) || from.some((one) => isSameLevel(one, level))) continue;
      bits |= 1 << ((level.price / tickUnits) % 32);
    }
  };
  missing(before, after);
  missing(after, before);
  return bits;
}
