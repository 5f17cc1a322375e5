import type { OrderId } from '../../domain/ids.js';
import type { PriceUnits, Ticks } from '../../domain/units.js';
import type { LiquidityModels } from '../../venues/simulated/models/liquidity.js';
import type { HalfPriceUnits } from '../contract.js';
import type { FeeRates } from '../money/fees.js';
import { ForeignBook } from './foreign-book.js';
import { MarketLedger } from './market-ledger.js';
import type { Market } from '../markets/markets.js';
import { ASK, BID, MatchingBook, type Fills } from '../matching/index.js';
import { PublishedTop } from './published-top.js';

export interface BookOptions {
  readonly index: number;
  readonly market: Market;
  /** Code of the currency mode. */
  readonly mode: number;
  readonly fees: FeeRates;
  readonly topN: number;
  readonly fills: Fills;
  readonly liquidity: LiquidityModels;
}

/** The book of one market in one currency mode, with everything that is kept per book. */
export class Book {
  readonly index: number;
  readonly market: Market;
  readonly mode: number;
  readonly fees: FeeRates;
  readonly foreign: ForeignBook;
  readonly minTick: Ticks;
  readonly maxTick: Ticks;
  readonly ledger = new MarketLedger();
  readonly published: PublishedTop;
  /** Orders whose processing ended while the market was not tradable: ids. */
  waiting: OrderId[] = [];
  /** Long-side price units of the last trade; 0: none yet. */
  lastTrade = 0;
  /** The running command changed what may be published. */
  touched = false;

  constructor(options: BookOptions) {
    const { market, fills, topN } = options;
    this.index = options.index;
    this.market = market;
    this.mode = options.mode;
    this.fees = options.fees;
    this.minTick = market.minTick;
    this.maxTick = market.maxTick;
    const { minTick, maxTick } = market;
    this.foreign = new ForeignBook(new MatchingBook({ minTick, maxTick, fills }), options.liquidity);
    this.published = new PublishedTop(topN);
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
    return tick < this.minTick ? null : this.price(tick);
  }

  bestAsk(): PriceUnits | null {
    const tick = this.matching.best(ASK);
    return tick > this.maxTick ? null : this.price(tick);
  }

  /** The mid of the best prices, or the last trade where a side is missing; null when there never was either. */
  midPrice(bid: PriceUnits | null, ask: PriceUnits | null): HalfPriceUnits | null {
    if (bid !== null && ask !== null) return bid + ask;
    return this.lastTrade === 0 ? null : 2 * this.lastTrade;
  }
}
