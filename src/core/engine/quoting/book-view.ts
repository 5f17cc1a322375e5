import { PRICE_ONE, SHARE_ONE, type Shares, ZERO_SHARES } from '../../../domain/units.js';
import type { Touch } from '../../execution/planning/touch.js';
import {
  type ForeignBook,
  type ForeignLevel,
  NO_OWN_LEVELS,
  type OwnLevel,
} from '../../mirror/books/foreign-book.js';
import type { BookLevelView, BookView } from '../../strategy/contract.js';
import type { MarketOrders } from '../../execution/orders/order-blotter.js';
import { mayShow, type OwnOrder, type ReceivedBook, surelyShows } from '../../execution/orders/own-order.js';

/** Both sides of a market's book without our own orders, best first. */
export type ForeignLevels = Pick<ForeignBook, 'bids' | 'asks'>;

/** The book of a market that nobody has looked at. */
export const UNSEEN_BOOK: ForeignLevels = { bids: [], asks: [] };

/** Best prices of others. */
export const touchOf = ({ bids, asks }: ForeignLevels): Touch => ({
  bid: bids[0]?.price ?? null,
  ask: asks[0]?.price ?? null,
});

/** The book as strategies see it: probabilities and whole shares. */
export function bookViewOf({ bids, asks, hidden, ageMs }: Omit<ForeignBook, 'freshness'>): BookView {
  const { bid: bestBid, ask: bestAsk } = touchOf({ bids, asks });
  const bid = bestBid === null ? null : bestBid / PRICE_ONE;
  const ask = bestAsk === null ? null : bestAsk / PRICE_ONE;
  const isTwoSided = bid !== null && ask !== null;
  return {
    bids: bids.map(levelView),
    asks: asks.map(levelView),
    bid,
    ask,
    mid: isTwoSided ? (bid + ask) / 2 : null,
    weightedMid: isTwoSided ? weightedMid(bid, bids[0]!.shares, ask, asks[0]!.shares) : null,
    hidden,
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

/** A book, and what to compare it with. */
export interface OwnInBook extends ReceivedBook {
  /** The levels of others at the look before. */
  readonly seen: ForeignLevels;
}

/**
 * Adds up what the book shows of our orders. Answers and frames come in no fixed order: a book older than an order's
 * request cannot show it yet. Between a request and the first book after the news of its effect nobody knows; then a level
 * is assumed to hold what others had there before.
 */
export function ownInBook({ working, ended }: MarketOrders, book: OwnInBook): readonly OwnLevel[] {
  if (working.length === 0 && ended.length === 0) return NO_OWN_LEVELS;
  const levels: OwnLevel[] = [];
  for (const order of working) add(levels, order, surelyShows(order, book), ZERO_SHARES);
  for (const order of working) addDoubtful(levels, order, book);
  const endedSince = book.now - book.graceMs * 1_000;
  // Oldest first: a busy market has thousands that ended before.
  for (let at = ended.length - 1; at >= 0; at -= 1) {
    const order = ended[at]!;
    if (order.endedAt !== null && order.endedAt <= endedSince) break;
    addDoubtful(levels, order, book);
  }
  return levels;
}

/** After all that is sure, so that what is left for others is compared with the rest of the level. */
function addDoubtful(levels: OwnLevel[], order: OwnOrder, book: OwnInBook): void {
  const shares = (mayShow(order, book) - surelyShows(order, book)) as Shares;
  if (shares > 0) add(levels, order, shares, foreignAt(book.seen, order));
}

function foreignAt({ bids, asks }: ForeignLevels, { bookSide, longPrice }: OwnOrder): Shares {
  const level = (bookSide === 'bid' ? bids : asks).find(({ price }) => price === longPrice);
  return level?.shares ?? ZERO_SHARES;
}

function add(levels: OwnLevel[], { bookSide, longPrice }: OwnOrder, shares: Shares, spared: Shares): void {
  if (shares > 0) levels.push({ side: bookSide, price: longPrice, shares, spared });
}
