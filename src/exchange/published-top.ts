import { ASK, BID, type BookSide, type MatchingBook } from './matching/index.js';

/** The best levels of one side as they were last published. Long-side ticks, best first. */
export class PublishedSide {
  ticks: Int32Array;
  shares: Float64Array;
  count = 0;
  private nextTicks: Int32Array;
  private nextShares: Float64Array;

  constructor(private readonly depth: number) {
    this.ticks = new Int32Array(depth);
    this.shares = new Float64Array(depth);
    this.nextTicks = new Int32Array(depth);
    this.nextShares = new Float64Array(depth);
  }

  /** Takes over the book's present levels. @returns whether anything is different now */
  refresh(matching: MatchingBook, side: BookSide): boolean {
    const count = matching.copyTop(side, this.nextTicks, this.nextShares);
    if (count === this.count && !this.differs(count)) return false;
    this.count = count;
    [this.ticks, this.nextTicks] = [this.nextTicks, this.ticks];
    [this.shares, this.nextShares] = [this.nextShares, this.shares];
    return true;
  }

  /** The worst tick that is seen; null when fewer levels than can be seen exist. */
  get worst(): number | null {
    return this.count < this.depth ? null : (this.ticks[this.depth - 1] as number);
  }

  save(): SavedLevels {
    const { ticks, shares, count } = this;
    return { ticks: [...ticks.subarray(0, count)], shares: [...shares.subarray(0, count)] };
  }

  load({ ticks, shares }: SavedLevels): void {
    this.count = ticks.length;
    this.ticks.set(ticks);
    this.shares.set(shares);
  }

  private differs(count: number): boolean {
    const { ticks, shares, nextTicks, nextShares } = this;
    for (let at = 0; at < count; at++) {
      if (ticks[at] !== nextTicks[at] || shares[at] !== nextShares[at]) return true;
    }
    return false;
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

  constructor(readonly depth: number) {
    this.bids = new PublishedSide(depth);
    this.asks = new PublishedSide(depth);
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
