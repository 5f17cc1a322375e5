import type { OrderId } from '../contract/ids.js';
import { PRICE_ONE, type Money, type PriceUnits, type Shares, type Ticks } from '../../domain/units.js';
import type { CurrencyMode, Position } from '../../domain/vocabulary.js';
import type { LiquidityModels } from '../../venues/simulated/models/liquidity.js';
import type { HalfPriceUnits, PublishedLevels } from '../contract.js';
import { ASK, BID, MatchingBook, opposite, type BookSide, type Fills } from '../matching/index.js';
import { type FeeRates, BookLedger } from '../money/ledger.js';
import { ForeignBook } from './foreign-book.js';
import type { Market } from './markets.js';

export interface BookOptions {
  /** Place among all books. */
  readonly index: number;
  readonly market: Market;
  readonly mode: CurrencyMode;
  readonly fees: FeeRates;
  readonly topN: number;
  readonly fills: Fills;
  readonly liquidity: LiquidityModels;
}

/** The book of one market in one currency mode, with everything that is kept per book. */
export class Book {
  readonly index: number;
  readonly market: Market;
  readonly mode: CurrencyMode;
  readonly fees: FeeRates;
  readonly foreign: ForeignBook;
  readonly ledger = new BookLedger();
  readonly published: PublishedBook;
  /** The running command may have changed what is published. */
  isTouched = false;
  /** Ids of orders whose processing ended while the market was not tradable. */
  waiting: OrderId[] = [];
  /** Long-side price of the last trade; null: none yet. */
  lastTrade: PriceUnits | null = null;

  constructor({ index, market, mode, fees, topN, fills, liquidity }: BookOptions) {
    this.index = index;
    this.market = market;
    this.mode = mode;
    this.fees = fees;
    const { minTick, maxTick } = market;
    this.foreign = new ForeignBook(new MatchingBook({ minTick, maxTick, fills }), liquidity);
    this.published = new PublishedBook(topN, market.config.tickUnits);
  }

  get matching(): MatchingBook {
    return this.foreign.matching;
  }

  /** Long-side price of a tick. */
  price(tick: Ticks): PriceUnits {
    return (tick * this.market.config.tickUnits) as PriceUnits;
  }

  bestBid(): PriceUnits | null {
    const tick = this.matching.best(BID);
    return tick < this.market.minTick ? null : this.price(tick);
  }

  bestAsk(): PriceUnits | null {
    const tick = this.matching.best(ASK);
    return tick > this.market.maxTick ? null : this.price(tick);
  }

  /** The mid of the best prices, or the last trade where a side is missing; null when there never was either. */
  midPrice(bid: PriceUnits | null, ask: PriceUnits | null): HalfPriceUnits | null {
    if (bid !== null && ask !== null) return bid + ask;
    return this.lastTrade === null ? null : 2 * this.lastTrade;
  }
}

/** Price of a position at a long-side price. */
export const ownPrice = (longPrice: number, position: Position): PriceUnits =>
  (position === 'long' ? longPrice : PRICE_ONE - longPrice) as PriceUnits;

/** Book side on which shares of a position are sold. */
export const sellingSide = (position: Position): BookSide => (position === 'long' ? ASK : BID);

/** What taking shares from a book would trade and cost (or bring), without fees. */
export interface Sweep {
  readonly shares: Shares;
  readonly amount: Money;
}

/**
 * @param side   book side of the taker
 * @param shares most to take
 * @param own    shares by tick that the taker cannot take: those of the taker's own orders
 * @returns what the book holds for the taker, up to `shares`, valued in the position's price
 */
export function sweep(
  book: Book,
  side: BookSide,
  position: Position,
  shares: number,
  own: ReadonlyMap<number, number> | undefined,
): Sweep {
  let left = shares;
  let amount = 0;
  for (const level of book.matching.levels(opposite(side))) {
    const taken = Math.min(left, level.shares - (own?.get(level.tick) ?? 0));
    left -= taken;
    amount += taken * ownPrice(book.price(level.tick), position);
    if (left === 0) break;
  }
  return { shares: (shares - left) as Shares, amount: amount as Money };
}

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
