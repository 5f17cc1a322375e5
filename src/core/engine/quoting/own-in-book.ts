/** What of our own orders a market's newest book shows, so that it can be subtracted. */
import type { Micros, Shares, Ticks } from '../../../domain/units.js';
import type { MarketOrders } from '../../execution/orders/order-blotter.js';
import { mayShow, type OwnOrder, surelyShows } from '../../execution/orders/own-order.js';
import { OwnLevels } from '../../mirror/books/foreign-book.js';
import type { ForeignLevels } from './book-view.js';

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
