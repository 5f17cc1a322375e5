import type { PublishedLevels } from '../contract.js';
import { ASK, BID, type BookLevel, type BookSide, type MatchingBook } from '../matching/index.js';
import type { PriceUnits, Shares } from '../../domain/units.js';

/** The best levels of one side as they were last published. */
export class PublishedSide {
  /** Replaced as a whole when anything changes; unchanged prices stay the same array. */
  levels: PublishedLevels = { prices: [], shares: [] };
  /** The running command may have changed what is seen. */
  isStale = false;

  constructor(
    private readonly side: BookSide,
    private readonly depth: number,
    private readonly tickUnits: number,
  ) {}

  /** Takes over the book's present levels when they may have changed. @returns whether anything is different now */
  refresh(matching: MatchingBook): boolean {
    if (!this.isStale) return false;
    this.isStale = false;
    const now = matching.top(this.side, this.depth);
    const { prices, shares } = this.levels;
    const arePricesSame = this.arePricesOf(now);
    if (arePricesSame && now.every((level, place) => level.shares === shares[place])) return false;
    this.levels = {
      prices: arePricesSame ? prices : now.map(({ tick }) => (tick * this.tickUnits) as PriceUnits),
      shares: now.map((level): Shares => level.shares),
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

  private arePricesOf(now: readonly BookLevel[]): boolean {
    const { prices } = this.levels;
    return (
      now.length === prices.length && now.every(({ tick }, place) => tick * this.tickUnits === prices[place])
    );
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
