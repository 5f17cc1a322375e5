import {
  PRICE_ONE,
  type PriceUnits,
  SHARE_ONE,
  type Shares,
  type Micros,
  type Ticks,
} from '../../../domain/units.js';
import type { Touch } from '../../execution/planning/touch.js';
import { type ForeignBook, type ForeignSide, OwnLevels } from '../../mirror/books/foreign-book.js';
import type { BookLevelView, BookView } from '../../strategy/contract.js';
import type { MarketOrders } from '../../execution/orders/order-blotter.js';
import { mayShow, type OwnOrder, surelyShows } from '../../execution/orders/own-order.js';

/** One price level of others, in long-side price units. */
export interface ForeignLevel {
  readonly price: PriceUnits;
  readonly shares: Shares;
}

/** Both sides of a market's book without our own orders, best first. */
export interface ForeignLevels {
  readonly bids: readonly ForeignLevel[];
  readonly asks: readonly ForeignLevel[];
}

/** The book of a market that nobody has looked at. */
export const UNSEEN_BOOK: ForeignLevels = { bids: [], asks: [] };

/** Copies the levels of the mirror's book. */
export const foreignLevelsOf = ({ bids, asks }: ForeignBook, tickUnits: number): ForeignLevels => ({
  bids: levelsOf(bids, tickUnits),
  asks: levelsOf(asks, tickUnits),
});

/** Best prices of others. */
export const touchOf = ({ bids, asks }: ForeignLevels): Touch => ({
  bid: bids[0]?.price ?? null,
  ask: asks[0]?.price ?? null,
});

/** How far a book shows what others have. */
interface ShownBook {
  readonly bids: { readonly hidden: boolean };
  readonly asks: { readonly hidden: boolean };
  readonly ageMs: number;
}

/** The book as strategies see it: probabilities and whole shares. */
export function bookViewOf(levels: ForeignLevels, { bids, asks, ageMs }: ShownBook): BookView {
  const [bestBid, bestAsk] = [levels.bids[0], levels.asks[0]];
  const bid = bestBid === undefined ? null : bestBid.price / PRICE_ONE;
  const ask = bestAsk === undefined ? null : bestAsk.price / PRICE_ONE;
  const isTwoSided = bid !== null && ask !== null;
  return {
    bids: levels.bids.map(levelView),
    asks: levels.asks.map(levelView),
    bid,
    ask,
    mid: isTwoSided ? (bid + ask) / 2 : null,
    weightedMid: isTwoSided ? weightedMid(bid, bestBid!.shares, ask, bestAsk!.shares) : null,
    hidden: { bids: bids.hidden, asks: asks.hidden },
    ageMs,
  };
}

/** I ask + (1 - I) bid with I = bid shares / (bid + ask shares) (design notes, "Quoting practice"). */
function weightedMid(bid: number, bidUnits: Shares, ask: number, askUnits: Shares): number {
  const bidShares = bidUnits / SHARE_ONE;
  const imbalance = bidShares / (bidShares + askUnits / SHARE_ONE);
  return imbalance * ask + (1 - imbalance) * bid;
}

const levelView = ({ price, shares }: ForeignLevel): BookLevelView => ({
  price: price / PRICE_ONE,
  shares: shares / SHARE_ONE,
});

function levelsOf(side: ForeignSide, tickUnits: number): readonly ForeignLevel[] {
  const levels: ForeignLevel[] = [];
  for (let level = 0; level < side.count; level++)
    levels.push({ price: (side.tick(level) * tickUnits) as PriceUnits, shares: side.shares(level) });
  return levels;
}

/** What of our own orders a market's newest book shows, so that it can be subtracted. */

/** A book, and what to compare it with. */
export interface OwnInBook {
  readonly tickUnits: number;
  /** Receive time of the newest book. */
  readonly bookAt: Micros;
  /** How long an ended order may still show in a book, in milliseconds. */
  readonly graceMs: number;
  readonly now: Micros;
  /** The levels of others at the look before. */
  readonly seen: ForeignLevels;
}

/**
 * Adds up what the book shows of our orders. Answers and frames come in no fixed order: a book older than an order's
 * request cannot show it yet. Between a request and the first book after the news of its effect nobody knows; then a level
 * is assumed to hold what others had there before.
 */
export function ownInBook({ working, ended }: MarketOrders, book: OwnInBook): OwnLevels {
  const levels = new OwnLevels();
  const endedSince = Math.max(book.bookAt, book.now - book.graceMs * 1_000);
  for (const order of working) addSure(levels, order, book);
  for (const order of working) addDoubtful(levels, order, book);
  // Oldest first: a busy market has thousands that ended before.
  for (let at = ended.length - 1; at >= 0; at -= 1) {
    const order = ended[at]!;
    if (order.endedAt !== null && order.endedAt <= endedSince) break;
    addDoubtful(levels, order, book);
  }
  return levels;
}

function addSure(levels: OwnLevels, order: OwnOrder, { bookAt, tickUnits }: OwnInBook): void {
  const shares = surelyShows(order, bookAt);
  if (shares > 0) add(levels, order, shares, tickUnits, 0 as Shares);
}

/** After all that is sure, so that what is left for others is compared with the rest of the level. */
function addDoubtful(levels: OwnLevels, order: OwnOrder, { bookAt, tickUnits, seen }: OwnInBook): void {
  const shares = (mayShow(order, bookAt) - surelyShows(order, bookAt)) as Shares;
  if (shares > 0) add(levels, order, shares, tickUnits, foreignAt(seen, order));
}

function foreignAt({ bids, asks }: ForeignLevels, { bookSide, longPrice }: OwnOrder): Shares {
  const level = (bookSide === 'bid' ? bids : asks).find(({ price }) => price === longPrice);
  return level?.shares ?? (0 as Shares);
}

const add = (levels: OwnLevels, order: OwnOrder, shares: Shares, tickUnits: number, others: Shares): void =>
  levels.add(order.bookSide, Math.round(order.longPrice / tickUnits) as Ticks, shares, others);
