import type { Micros, Shares, Ticks } from '../domain/units.js';
import type { MarketOrders } from '../execution/order-index.js';
import { type OwnOrder, shownAt } from '../execution/own-order.js';
import type { OwnLevel } from '../mirror/own-levels.js';

/** The same, kept as long as it must stay the same: between two changes of orders most markets see many books. */
export class OwnLevels {
  #levels: readonly OwnLevel[] = [];
  #version = -1;
  #tickUnits = 0;
  /** Books received from then on show all orders as they are now. */
  #steadyFrom = Infinity;

  /** @param bookAt, now, graceMs as in {@link ownLevelsOf} */
  of(
    orders: MarketOrders,
    tickUnits: number,
    bookAt: Micros,
    now: Micros,
    graceMs: number,
  ): readonly OwnLevel[] {
    const isSame = orders.version === this.#version && tickUnits === this.#tickUnits;
    if (isSame && bookAt >= this.#steadyFrom) return this.#levels;
    this.#levels = ownLevelsOf(orders, tickUnits, bookAt, now, graceMs);
    this.#version = orders.version;
    this.#tickUnits = tickUnits;
    const steadyFrom = steadyFromOf(orders);
    // What an older book shows depends on its age.
    this.#steadyFrom = bookAt >= steadyFrom ? steadyFrom : Infinity;
    return this.#levels;
  }
}

/** The last time at which an order began to show, lost shares or ended. */
function steadyFromOf({ working, ended }: MarketOrders): number {
  let from = ended.at(-1)?.endedAt ?? 0;
  for (const { bornAt, shrunkAt } of working) {
    if (bornAt > from) from = bornAt;
    if (shrunkAt > from) from = shrunkAt;
  }
  return from;
}

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
