import type { PriceUnits, Shares } from '../domain/units.js';
import { ASK, BID, type BookSide, type MatchingBook } from './matching/index.js';

/** The best levels of one side as they were last published, best first. */
export class PublishedSide {
  /** Long-side price units and share units; never changed, but replaced. */
  prices: readonly PriceUnits[] = [];
  shares: readonly Shares[] = [];
  private ticks: Int32Array;
  private sizes: Float64Array;
  private nextTicks: Int32Array;
  private nextSizes: Float64Array;

  constructor(
    private readonly depth: number,
    private readonly tickUnits: number,
  ) {
    this.ticks = new Int32Array(depth);
    this.sizes = new Float64Array(depth);
    this.nextTicks = new Int32Array(depth);
    this.nextSizes = new Float64Array(depth);
  }

  /** Takes over the book's present levels. @returns whether anything is different now */
  refresh(matching: MatchingBook, side: BookSide): boolean {
    const count = matching.copyTop(side, this.nextTicks, this.nextSizes);
    if (count === this.prices.length && !this.differs(count)) return false;
    [this.ticks, this.nextTicks] = [this.nextTicks, this.ticks];
    [this.sizes, this.nextSizes] = [this.nextSizes, this.sizes];
    this.show(count);
    return true;
  }

  /** The worst tick that is seen; null when fewer levels than can be seen exist. */
  get worst(): number | null {
    return this.prices.length < this.depth ? null : (this.ticks[this.depth - 1] as number);
  }

  save(): SavedLevels {
    const count = this.prices.length;
    return { ticks: [...this.ticks.subarray(0, count)], shares: [...this.sizes.subarray(0, count)] };
  }

  load({ ticks, shares }: SavedLevels): void {
    this.ticks.set(ticks);
    this.sizes.set(shares);
    this.show(ticks.length);
  }

  private differs(count: number): boolean {
    const { ticks, sizes, nextTicks, nextSizes } = this;
    for (let at = 0; at < count; at++) {
      if (ticks[at] !== nextTicks[at] || sizes[at] !== nextSizes[at]) return true;
    }
    return false;
  }

  private show(count: number): void {
    const prices: PriceUnits[] = [];
    const shares: Shares[] = [];
    for (let at = 0; at < count; at++) {
      prices.push(((this.ticks[at] as number) * this.tickUnits) as PriceUnits);
      shares.push(this.sizes[at] as Shares);
    }
    this.prices = prices;
    this.shares = shares;
  }
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

  constructor(
    readonly depth: number,
    tickUnits: number,
  ) {
    this.bids = new PublishedSide(depth, tickUnits);
    this.asks = new PublishedSide(depth, tickUnits);
  }

  /** Whether a change at a tick can be seen within the best N levels. */
  shows(side: BookSide, tick: number): boolean {
    const worst = side === BID ? this.bids.worst : this.asks.worst;
    if (worst === null) return true;
    return side === BID ? tick >= worst : tick <= worst;
  }

  /** Takes over the book's present levels. @returns whether the best N changed */
  refresh(matching: MatchingBook): boolean {
    const bids = this.bids.refresh(matching, BID);
    return this.asks.refresh(matching, ASK) || bids;
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
