import { ASK, BID, type BookSide, type MatchingBook } from './matching/index.js';

/** The best levels of one side as they were last published. */
class PublishedSide {
  readonly ticks: Int32Array;
  readonly shares: Float64Array;
  count = 0;

  constructor(readonly depth: number) {
    this.ticks = new Int32Array(depth);
    this.shares = new Float64Array(depth);
  }

  /** Takes over the book's present levels. @returns whether anything is different now */
  refresh(matching: MatchingBook, side: BookSide): boolean {
    const levels = matching.top(side, this.depth);
    let changed = levels.length !== this.count;
    this.count = levels.length;
    for (const [at, { tick, shares }] of levels.entries()) {
      if (this.ticks[at] === tick && this.shares[at] === shares) continue;
      this.ticks[at] = tick;
      this.shares[at] = shares;
      changed = true;
    }
    return changed;
  }

  get worst(): number | null {
    return this.count < this.depth ? null : (this.ticks[this.depth - 1] as number);
  }
}

/** What the world was last told of one book: the best N levels and the touch. Long-side. */
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
}
