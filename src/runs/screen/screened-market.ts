/** One market of a screen under one scenario: a book that follows the recording, our orders in it, and what they earned. */
import { feeFor, lockAt } from '../../domain/locks.js';
import type { Fill } from '../../domain/fill.js';
import { orderId } from '../../domain/ids.js';
import type { QuoteIntent, QuoteLevel } from '../../domain/intent.js';
import { levelOf } from '../../domain/intent.js';
import type { MarketDescription } from '../../domain/market.js';
import {
  type Micros,
  type Money,
  PRICE_ONE,
  type PriceUnits,
  type Shares,
  type Ticks,
} from '../../domain/units.js';
import type { Position, Resolution, Side } from '../../domain/vocabulary.js';
import type { ForeignLevel, ForeignLevels } from '../../core/engine/quoting/book-view.js';
import { UNSEEN_BOOK } from '../../core/engine/quoting/book-view.js';
import type { MarketTerms } from '../../core/execution/planning/market-terms.js';
import { MarketAccount } from '../../core/portfolio/market-account.js';
import { type BookSide, BID, ASK, fromBookSide } from '../../exchange/matching/levels.js';
import type { MatchingBook } from '../../exchange/matching/matching-book.js';
import type { OrderId } from '../../exchange/contract/ids.js';
import type { HeldShares, ScreenedOrder } from './screened-orders.js';

/** A fill of one of our orders as it happened at the venue. */
export interface VenueFill {
  readonly order: OrderId;
  readonly side: BookSide;
  readonly tick: Ticks;
  readonly shares: Shares;
  readonly liquidity: 'maker' | 'taker';
}

/** What one market has, at the venue and as the bot knows it. */
export class ScreenedMarket {
  readonly account = new MarketAccount();
  /** As the bot knows them. */
  orders: ScreenedOrder[] = [];
  intent: QuoteIntent | null = null;
  /** Levels of others as the bot saw them last. */
  seen: ForeignLevels = UNSEEN_BOOK;
  /** Mid of others at the last look, as a probability. */
  mid: number | null = null;
  weightedMid: number | null = null;
  isOpenAtVenue = true;
  /** As the bot knows it; a recording that says nothing is of an open market. */
  isOpen = true;
  resolution: Resolution | null = null;
  fills = 0;
  /** A request of the market is under way: no other leaves before its answer. */
  isBusy = false;
  /** When each create was sent last. */
  readonly createdAt = new Map<string, number>();
  /** When the market is to be looked at again though nothing comes in. */
  wakesAt = Infinity;

  constructor(
    readonly description: MarketDescription,
    readonly terms: MarketTerms,
    readonly book: MatchingBook,
    /** Levels a side that the bot sees. */
    readonly depth: number,
  ) {}

  /** What the last command of the book traded of ours while it rested. */
  restingFills(): readonly VenueFill[] {
    const { fills } = this.book;
    const found: VenueFill[] = [];
    for (let entry = 0; entry < fills.count; entry++) {
      const order = fills.makerId(entry);
      const own = order === 0 ? undefined : this.orders.find(({ id }) => id === order);
      if (own === undefined) continue;
      const { side } = own;
      found.push({ order, side, tick: fills.tick(entry), shares: fills.shares(entry), liquidity: 'maker' });
    }
    return found;
  }

  /** What an order of ours took from others when it arrived. */
  takenFills(order: OrderId, side: BookSide): readonly VenueFill[] {
    const { fills } = this.book;
    return Array.from({ length: fills.count }, (_, entry) => ({
      order,
      side,
      tick: fills.tick(entry),
      shares: fills.shares(entry),
      liquidity: 'taker' as const,
    }));
  }

  /** Levels of others as the venue shows them now. */
  othersLevels(): ForeignLevels {
    return { bids: this.levelsOf(BID), asks: this.levelsOf(ASK) };
  }

  /** Books a fill that the bot hears of: shares held of the other position are sold first. */
  hear({ order, side, tick, shares, liquidity }: VenueFill, at: Micros): readonly Fill[] {
    const own = this.orders.find(({ id }) => id === order);
    if (own !== undefined) {
      own.remaining = (own.remaining - shares) as Shares;
      own.filled += shares;
      if (!this.book.has(order)) this.orders = this.orders.filter((one) => one !== own);
    }
    this.fills += 1;
    const held = this.account.holding(side === BID ? 'short' : 'long').shares;
    const sold = own === undefined || own.sells ? Math.min(held, shares) : 0;
    const price = tick * this.terms.tickUnits;
    const parts = [
      this.part(side, 'ask', side === BID ? 'short' : 'long', sold, price, liquidity, at),
      this.part(side, 'bid', side === BID ? 'long' : 'short', shares - sold, price, liquidity, at),
    ].filter((fill) => fill.shares > 0);
    for (const fill of parts) this.account.book({ ...fill, orderId: orderId(String(order)) });
    return parts;
  }

  get held(): HeldShares {
    return { long: this.account.holding('long').shares, short: this.account.holding('short').shares };
  }

  /** Cash that our orders lock. */
  get locked(): Money {
    let sum = 0;
    for (const { side, sells, tick, remaining } of this.orders)
      if (!sells) sum += this.lockOf(side, tick, remaining);
    return sum as Money;
  }

  /** Cuts levels that the cash does not pay and that are too small for the venue, and moves them behind others' prices. */
  affordable(intent: QuoteIntent, cash: number): QuoteIntent {
    const left = { cash };
    const bids = this.paid(BID, intent.bids, this.account.holding('short').shares, left);
    const asks = this.paid(ASK, intent.asks, this.account.holding('long').shares, left);
    return { marketId: intent.marketId, bids, asks };
  }

  private paid(
    side: BookSide,
    levels: readonly QuoteLevel[],
    held: number,
    left: { cash: number },
  ): readonly QuoteLevel[] {
    const passive: QuoteLevel[] = [];
    let free = held;
    for (const level of levels) {
      const tick = this.behindOthers(side, level.price);
      if (tick === null) continue;
      const sold = Math.min(free, level.shares);
      const lock = this.lockOf(side, tick, level.shares - sold);
      const price = tick * this.terms.tickUnits;
      const cheaper = side === BID ? price : PRICE_ONE - price;
      if (lock > left.cash || (cheaper * level.shares < this.terms.minAmount && sold < level.shares))
        continue;
      left.cash -= lock;
      free -= sold;
      const before = passive.at(-1);
      if (before?.price === tick)
        passive[passive.length - 1] = levelOf(before.reason, tick, (before.shares + level.shares) as Shares);
      else passive.push(levelOf(level.reason, tick, level.shares));
    }
    return passive;
  }

  /** The price, or the nearest one at which it does not meet others; null: there is none. */
  private behindOthers(side: BookSide, tick: Ticks): Ticks | null {
    const best = (side === BID ? this.seen.asks : this.seen.bids)[0];
    if (best === undefined) return tick;
    const other = best.price / this.terms.tickUnits;
    const passive = side === BID ? Math.min(tick, other - 1) : Math.max(tick, other + 1);
    return passive < 1 || passive * this.terms.tickUnits >= PRICE_ONE ? null : (passive as Ticks);
  }

  private lockOf(side: BookSide, tick: Ticks, shares: number): number {
    if (shares <= 0) return 0;
    const price = tick * this.terms.tickUnits;
    const paid = (side === BID ? price : PRICE_ONE - price) as PriceUnits;
    const { takerFee, makerFee } = this.terms;
    return lockAt(paid, shares as Shares, Math.max(takerFee, makerFee));
  }

  private part(
    bookSide: BookSide,
    side: Side,
    position: Position,
    shares: number,
    longPrice: number,
    liquidity: 'maker' | 'taker',
    at: Micros,
  ): Fill {
    const { eventId, marketId, currency, takerFee, makerFee } = this.terms;
    const price = position === 'long' ? longPrice : PRICE_ONE - longPrice;
    return {
      id: this.fills,
      orderId: orderId(fromBookSide(bookSide)),
      eventId,
      marketId,
      side,
      position,
      currency,
      shares: shares as Shares,
      amount: (price * shares) as Money,
      fee: feeFor(shares as Shares, liquidity === 'maker' ? makerFee : takerFee) as Money,
      liquidity,
      at,
      isInferred: false,
      replaces: null,
    };
  }

  private levelsOf(side: BookSide): readonly ForeignLevel[] {
    const { tickUnits } = this.terms;
    const levels: ForeignLevel[] = [];
    for (const { tick, foreign } of this.book.seen(side, this.depth))
      if (foreign > 0) levels.push({ price: (tick * tickUnits) as PriceUnits, shares: foreign });
    return levels;
  }
}
