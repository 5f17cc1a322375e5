import type { Micros, Shares, Ticks } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { MarketOrders } from '../../execution/orders/order-index.js';
import { isSurelyOpen, mayShow, type OwnOrder, surelyShows } from '../../execution/orders/own-order.js';
import type { OwnLevel } from '../../mirror/own-levels.js';

/** A book as it was last looked at. */
export interface SeenForeign {
  /** What others had at a price, in price units of the long side; 0 where nothing was seen. */
  foreignAt(side: Side, longPrice: number): Shares;
}

/** A book, and what to compare it with. */
interface Look {
  readonly tickUnits: number;
  /** Receive time of the book. */
  readonly bookAt: Micros;
  /** Nothing that ended earlier shows any more. */
  readonly endedSince: Micros;
  readonly seen: SeenForeign;
}

/** The same, kept as long as it must stay the same: between two changes of orders most markets see many books. */
export class OwnLevels {
  #levels: readonly OwnLevel[] = [];
  #version = -1;
  #tickUnits = 0;
  /** Books received from then on show all orders as they are now. */
  #steadyFrom = Infinity;

  /** @param graceMs how long an ended order may at most still be subtracted */
  constructor(private readonly graceMs: number) {}

  /** @param bookAt receive time of the newest book @param seen as of the look before */
  of(
    orders: MarketOrders,
    tickUnits: number,
    bookAt: Micros,
    now: Micros,
    seen: SeenForeign,
  ): readonly OwnLevel[] {
    const isSame = orders.version === this.#version && tickUnits === this.#tickUnits;
    if (isSame && bookAt >= this.#steadyFrom) return this.#levels;
    const steadyFrom = steadyFromOf(orders);
    const isSteady = bookAt >= steadyFrom;
    const endedSince = Math.max(bookAt, now - this.graceMs * 1_000) as Micros;
    this.#levels = isSteady
      ? steadyLevels(orders.working, tickUnits)
      : ownLevelsOf(orders, { tickUnits, bookAt, endedSince, seen });
    this.#version = orders.version;
    this.#tickUnits = tickUnits;
    // What an older book shows depends on its age.
    this.#steadyFrom = isSteady ? steadyFrom : Infinity;
    return this.#levels;
  }
}

/** The last time at which an order began to show, lost shares or ended; never while something is in doubt. */
function steadyFromOf({ working, ended }: MarketOrders): number {
  let from = ended.at(-1)?.endedAt ?? 0;
  for (const order of working) {
    if (!isSurelyOpen(order)) return Infinity;
    if (order.bornAt > from) from = order.bornAt;
    if (order.shownSince > from) from = order.shownSince;
  }
  return from;
}

/** A book from since then shows what is left of every order, and nothing of those that ended: mostly it is so. */
function steadyLevels(working: readonly OwnOrder[], tickUnits: number): readonly OwnLevel[] {
  const levels: OwnLevel[] = [];
  for (const order of working)
    if (order.remaining > 0) levels.push(levelOf(order, order.remaining, tickUnits, 0 as Shares));
  return levels;
}

/**
 * What of our orders a book shows. Answers and frames come in no mutual order: a book older than an order's request
 * cannot show it yet; between a request and the first book after the news of its effect nobody knows, and a level is
 * taken for what others had there before as far as it can be.
 */
function ownLevelsOf({ working, ended }: MarketOrders, look: Look): readonly OwnLevel[] {
  const levels: OwnLevel[] = [];
  for (const order of working) pushSure(levels, order, look);
  for (const order of working) pushDoubtful(levels, order, look);
  // Oldest first: what ended since the book is at the end, and a busy market has thousands that ended before.
  for (let at = ended.length - 1; at >= 0; at -= 1) {
    const order = ended[at]!;
    if (order.endedAt !== null && order.endedAt <= look.endedSince) break;
    pushDoubtful(levels, order, look);
  }
  return levels;
}

function pushSure(levels: OwnLevel[], order: OwnOrder, { bookAt, tickUnits }: Look): void {
  const shares = surelyShows(order, bookAt);
  if (shares > 0) levels.push(levelOf(order, shares, tickUnits, 0 as Shares));
}

/** After all that is sure, so that what is spared of a level is compared with the rest of it. */
function pushDoubtful(levels: OwnLevel[], order: OwnOrder, { bookAt, tickUnits, seen }: Look): void {
  const shares = (mayShow(order, bookAt) - surelyShows(order, bookAt)) as Shares;
  if (shares > 0)
    levels.push(levelOf(order, shares, tickUnits, seen.foreignAt(order.bookSide, order.longPrice)));
}

const levelOf = (order: OwnOrder, shares: Shares, tickUnits: number, spared: Shares): OwnLevel => ({
  side: order.bookSide,
  price: Math.round(order.longPrice / tickUnits) as Ticks,
  shares,
  spared,
});
