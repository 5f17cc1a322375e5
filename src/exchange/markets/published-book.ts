import type { PublishedLevels } from '../contract.js';
import { ASK, BID, type BookSide, type MatchingBook } from '../matching/index.js';
import type { PriceUnits, Shares, Ticks } from '../../domain/units.js';

/** The best levels of one side as they were last published. */
export class PublishedSide {
  /** Replaced as a whole when anything changes; unchanged prices stay the same array. */
  levels: PublishedLevels = { prices: [], shares: [] };
  /** The running command may have changed what is seen. */
  isStale = false;
  /** The book's present levels, filled again by each look. */
  private readonly ticks: Ticks[] = [];
  private readonly volumes: Shares[] = [];

  constructor(
    private readonly side: BookSide,
    private readonly depth: number,
    private readonly tickUnits: number,
  ) {}

  /** Takes over the book's present levels when they may have changed. @returns whether anything is different now */
  refresh(matching: MatchingBook): boolean {
    if (!this.isStale) return false;
    this.isStale = false;
    const { ticks, volumes, tickUnits } = this;
    const { prices, shares } = this.levels;
    const count = matching.readTop(this.side, this.depth, ticks, volumes);
    let arePricesSame = count === prices.length;
    let areSharesSame = arePricesSame;
    for (let level = 0; level < count; level++) {
      arePricesSame &&= ticks[level]! * tickUnits === prices[level];
      areSharesSame &&= volumes[level] === shares[level];
    }
    if (arePricesSame && areSharesSame) return false;
    this.levels = {
      prices: arePricesSame ? prices : ticks.slice(0, count).map((tick) => (tick * tickUnits) as PriceUnits),
      shares: volumes.slice(0, count),
    };
    return true;
  }

  /** Whether a change at a tick can be seen: no worse than the worst level seen, or fewer levels than the depth. */
  shows(tick: number): boolean {
    const { prices } = this.levels;
    if (prices.length < this.depth) return true;
    const price = tick * this.tickUnits;
    const worst = prices[this.depth - 1] as PriceUnits;
    return this.side === BID ? price >= worst : price <= worst;
  }
}

/** {@link PublishedBook} as plain JSON. */
export interface SavedPublishedBook {
  readonly bids: PublishedLevels;
  readonly asks: PublishedLevels;
  readonly bestBid: PriceUnits | null;
  readonly bestAsk: PriceUnits | null;
}

/** What was last published of one book: the best N levels and the best prices. */
export class PublishedBook {
  readonly bids: PublishedSide;
  readonly asks: PublishedSide;
  /** Of the last `best-prices-change`. */
  bestBid: PriceUnits | null = null;
  bestAsk: PriceUnits | null = null;

  constructor(depth: number, tickUnits: number) {
    this.bids = new PublishedSide(BID, depth, tickUnits);
    this.asks = new PublishedSide(ASK, depth, tickUnits);
  }

  side(side: BookSide): PublishedSide {
    return side === BID ? this.bids : this.asks;
  }

  /** Takes over the book's present levels. @returns whether the best N changed */
  refresh(matching: MatchingBook): boolean {
    const bids = this.bids.refresh(matching);
    return this.asks.refresh(matching) || bids;
  }

  save(): SavedPublishedBook {
    const { bids, asks, bestBid, bestAsk } = this;
    return { bids: bids.levels, asks: asks.levels, bestBid, bestAsk };
  }

  load({ bids, asks, bestBid, bestAsk }: SavedPublishedBook): void {
    this.bids.levels = bids;
    this.asks.levels = asks;
    this.bestBid = bestBid;
    this.bestAsk = bestAsk;
  }
}
