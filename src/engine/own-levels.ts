import type { Micros, Shares, Ticks } from '../domain/units.js';
import type { MarketOrders } from '../execution/order-index.js';
import { type OwnOrder, shownAt } from '../execution/own-order.js';
import type { OwnLevel } from '../mirror/own-levels.js';

/**
 * What of our orders a book shows. Answers and frames come in no mutual order, so a book older than an order's
 * request cannot show it yet, and one older than its last fill or its end still shows what stood then.
 * @param bookAt  receive time of the newest book
 * @param graceMs how long an ended order may at most still be subtracted
 */
export function ownLevelsOf(
  orders: MarketOrders,
  tickUnits: number,
  bookAt: Micros,
  now: Micros,
  graceMs: number,
): readonly OwnLevel[] {
  const levels: OwnLevel[] = [];
  for (const order of orders.working) pushShown(levels, order, bookAt, tickUnits);
  // Oldest first: what ended since the book is at the end, and a busy market has thousands that ended before.
  const since = Math.max(bookAt, now - graceMs * 1_000);
  for (let at = orders.ended.length - 1; at >= 0; at -= 1) {
    const order = orders.ended[at]!;
    if (order.endedAt !== null && order.endedAt <= since) break;
    pushShown(levels, order, bookAt, tickUnits);
  }
  return levels;
}

function pushShown(levels: OwnLevel[], order: OwnOrder, bookAt: Micros, tickUnits: number): void {
  const shares = shownAt(order, bookAt);
  if (shares > (0 as Shares)) levels.push(levelOf(order, shares, tickUnits));
}

const levelOf = (order: OwnOrder, shares: Shares, tickUnits: number): OwnLevel => ({
  side: order.bookSide,
  price: Math.round(order.longPrice / tickUnits) as Ticks,
  shares,
});
