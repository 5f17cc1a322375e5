import type { Micros, Shares, Ticks } from '../domain/units.js';
import type { Side } from '../domain/vocabulary.js';
import type { MarketOrders } from './order-index.js';
import type { OwnOrder } from './own-order.js';

/** What one order of the account shows, or may show, in the venue's book, in long-side terms. */
export interface ShownOrder {
  readonly side: Side;
  /** The book's tick nearest to the order's price, towards its own side. */
  readonly price: Ticks;
  readonly shares: Shares;
}

/**
 * What is to be subtracted from a book before it counts as foreign. What an order lost within the grace period, by a
 * fill or by its end, is still subtracted: books that show it may be under way.
 * @param tickUnits price units per tick of the market
 */
export function shownOrders(
  { working, ended }: MarketOrders,
  tickUnits: number,
  now: Micros,
  graceMs: number,
): ShownOrder[] {
  const since = now - graceMs * 1_000;
  const shown: ShownOrder[] = [];
  for (const order of working) show(order, since, tickUnits, shown);
  for (let i = ended.length - 1; i >= 0 && (ended[i]!.endedAt ?? 0) >= since; i -= 1)
    show(ended[i]!, since, tickUnits, shown);
  return shown;
}

function show(order: OwnOrder, since: number, tickUnits: number, shown: ShownOrder[]): void {
  const shares = order.shrunkAt >= since ? Math.max(order.shownBefore, order.remaining) : order.remaining;
  if (shares > 0) shown.push(levelOf(order, shares as Shares, tickUnits));
}

function levelOf(order: OwnOrder, shares: Shares, tickUnits: number): ShownOrder {
  const exact = order.longPrice / tickUnits;
  const price = (order.bookSide === 'bid' ? Math.floor(exact) : Math.ceil(exact)) as Ticks;
  return { side: order.bookSide, price, shares };
}
