import type { PriceUnits, Shares } from '../../domain/units.js';
import type { PublishedLevels } from '../contract.js';
import { ASK, BID, type BookSide, type MatchingBook } from '../matching/index.js';

const UNTOLD: PublishedLevels = { prices: [], shares: [] };

/** The best levels of one side as they were last published, best first. */
export class PublishedSide {
  /** So many levels are seen. */
  count = 0;
  /** Of the levels seen, long-side; what lies behind them means nothing. */
  ticks: Int32Array;
  /** Share units. */
  sizes: Float64Array;
  /** The running command may have changed what is seen. */
  isStale = false;
  private readonly sign: 1 | -1;
  private nextTicks: Int32Array;
  private nextSizes: Float64Array;
  /** The levels as somebody was told them last, and what of them has changed since: mostly one size of one side does. */
  private toldLevels: PublishedLevels = UNTOLD;
  private arePricesTold = true;
  private areSharesTold = true;

  constructor(
    private readonly depth: number,
    private readonly side: BookSide,
  ) {
    this.sign = side === BID ? 1 : -1;
    this.ticks = new Int32Array(depth);
    this.sizes = new Float64Array(depth);
    this.nextTicks = new Int32Array(depth);
    this.nextSizes = new Float64Array(depth);
  }

  /** Takes over the book's present levels when they may have changed. @returns whether anything is different now */
  refresh(matching: MatchingBook): boolean {
    if (!this.isStale) return false;
    this.isStale = false;
    const count = matching.copyTop(this.side, this.nextTicks, this.nextSizes);
    const areTicksSame = count === this.count && isSame(this.ticks, this.nextTicks, count);
    if (areTicksSame && isSame(this.sizes, this.nextSizes, count)) return false;
    this.count = count;
    this.areSharesTold = false;
    if (!areTicksSame) this.arePricesTold = false;
    this.swap();
    return true;
  }

  /** The levels for whoever is told them: nobody may change them, for they are told again as long as they stand. */
  told(tickUnits: number): PublishedLevels {
    if (this.areSharesTold && this.arePricesTold) return this.toldLevels;
    const { ticks, sizes, count, toldLevels } = this;
    const prices = this.arePricesTold ? toldLevels.prices : pricesOf(ticks, count, tickUnits);
    const shares = roomFor(toldLevels.shares, count);
    for (let level = 0; level < count; level++) shares[level] = sizes[level] as Shares;
    this.arePricesTold = true;
    this.areSharesTold = true;
    return (this.toldLevels = { prices, shares });
  }

  /** Whether a change at a tick can be seen: it is as good as the worst level seen, or there are levels to spare. */
  shows(tick: number): boolean {
    if (this.count < this.depth) return true;
    return this.sign * tick >= this.sign * (this.ticks[this.depth - 1] as number);
  }

  save(): SavedLevels {
    const { count } = this;
    return { ticks: [...this.ticks.subarray(0, count)], shares: [...this.sizes.subarray(0, count)] };
  }

  load({ ticks, shares }: SavedLevels): void {
    this.ticks.set(ticks);
    this.sizes.set(shares);
    this.count = ticks.length;
    this.arePricesTold = false;
    this.areSharesTold = false;
  }

  // Without destructuring, which goes through iterators.
  private swap(): void {
    const { ticks, sizes } = this;
    this.ticks = this.nextTicks;
    this.sizes = this.nextSizes;
    this.nextTicks = ticks;
    this.nextSizes = sizes;
  }
}

/** An array to be filled: a copy of one of the same length has no room that nobody uses, one that grows has. */
const roomFor = <Value>(before: readonly Value[], count: number): Value[] =>
  before.length === count ? before.slice() : [];

function pricesOf(ticks: Int32Array, count: number, tickUnits: number): PriceUnits[] {
  const prices: PriceUnits[] = [];
  for (let level = 0; level < count; level++)
    prices.push(((ticks[level] as number) * tickUnits) as PriceUnits);
  return prices;
}

function isSame(before: Int32Array | Float64Array, now: Int32Array | Float64Array, count: number): boolean {
  for (let at = 0; at < count; at++) if (before[at] !== now[at]) return false;
  return true;
}

/** {@link PublishedTop} as plain JSON. */
export interface SavedTop {
  readonly bids: SavedLevels;
  readonly asks: SavedLevels;
  readonly bestBid: number;
  readonly bestAsk: number;
}
interface SavedLevels {
  readonly ticks: readonly number[];
  readonly shares: readonly number[];
}

/** What the world was last told of one book: the best N levels and the touch. */
export class PublishedTop {
  readonly bids: PublishedSide;
  readonly asks: PublishedSide;
  /** Of the last `best-prices-change`, price units; 0: none. */
  bestBid = 0;
  bestAsk = 0;

  constructor(readonly depth: number) {
    this.bids = new PublishedSide(depth, BID);
    this.asks = new PublishedSide(depth, ASK);
  }

  side(side: BookSide): PublishedSide {
    return side === BID ? this.bids : this.asks;
  }

  /** Takes over the book's present levels. @returns whether the best N changed */
  refresh(matching: MatchingBook): boolean {
    const bids = this.bids.refresh(matching);
    return this.asks.refresh(matching) || bids;
  }

  save(): SavedTop {
    const { bids, asks, bestBid, bestAsk } = this;
    return { bids: bids.save(), asks: asks.save(), bestBid, bestAsk };
  }

  load({ bids, asks, bestBid, bestAsk }: SavedTop): void {
    this.bids.load(bids);
    this.asks.load(asks);
    this.bestBid = bestBid;
    this.bestAsk = bestAsk;
  }
}
