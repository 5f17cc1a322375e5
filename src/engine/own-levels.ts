import type { Micros, Shares, Ticks } from '../domain/units.js';
import type { MarketOrders } from '../execution/order-index.js';
import type { OwnOrder } from '../execution/own-order.js';
import type { OwnLevel } from '../mirror/own-levels.js';

/**
 * What of our orders the book shows. Answers and frames come in no mutual order, so a book older than an order's
 * request cannot show it yet, and one older than its end still does.
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
  for (const order of orders.working)
    if (order.remaining > 0 && order.bornAt <= bookAt)
      levels.push(levelOf(order, order.remaining, tickUnits));
  for (const order of orders.ended) {
    const left = order.requested - order.filled;
    const isShown = order.endedAt !== null && order.endedAt > bookAt && order.bornAt <= bookAt;
    if (isShown && left > 0 && now - order.endedAt < graceMs * 1_000)
      levels.push(levelOf(order, left as Shares, tickUnits));
  }
  return levels;
}

const levelOf = (order: OwnOrder, shares: Shares, tickUnits: number): OwnLevel => ({
  side: order.bookSide,
  price: Math.round(order.longPrice / tickUnits) as Ticks,
  shares,
});
