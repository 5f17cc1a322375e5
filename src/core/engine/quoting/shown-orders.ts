import type { Micros, Shares, Ticks } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { MarketOrders } from '../../execution/orders/order-blotter.js';
import { isSurelyOpen, mayShow, type OwnOrder, surelyShows } from '../../execution/orders/own-order.js';
import { OwnLevels } from '../../mirror/books/own-levels.js';

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

/**
 * What a market's books show of our orders. What those show that know all of them as they are now is kept until one
 * changes: between two changes of orders most markets see many books, and the first of them need not wait until every
 * order has come out of memory.
 */
export class ShownOrders {
  readonly #steady = new OwnLevels();
  /** Books received from then on show all orders as they are now; none does while something is in doubt. */
  #steadyFrom = Infinity;
  #version = -1;
  #tickUnits = 0;
  #isSteady = false;
  /** What an older book shows, which depends on its age; made when one is first asked about. */
  #older: OwnLevels | null = null;

  /** @param graceMs how long an ended order may at most still be subtracted */
  constructor(private readonly graceMs: number) {}

  /**
   * @param bookAt receive time of the newest book
   * @param seen   as of the look before
   * @returns filled again by the next call
   */
  in(orders: MarketOrders, tickUnits: number, bookAt: Micros, now: Micros, seen: SeenForeign): OwnLevels {
    if (orders.version !== this.#version || tickUnits !== this.#tickUnits) this.#keep(orders, tickUnits);
    this.#isSteady = bookAt >= this.#steadyFrom;
    if (this.#isSteady) return this.#steady;
    this.#older ??= new OwnLevels();
    const endedSince = Math.max(bookAt, now - this.graceMs * 1_000) as Micros;
    fillOlder(this.#older, orders, { tickUnits, bookAt, endedSince, seen });
    return this.#older;
  }

  /** What {@link in} answered last, if every newer book shows the same while no order changes; else null. */
  get lasting(): OwnLevels | null {
    return this.#isSteady ? this.#steady : null;
  }

  /** Of every order what is left of it, and nothing of those that ended. */
  #keep({ version, working, ended }: MarketOrders, tickUnits: number): void {
    this.#version = version;
    this.#tickUnits = tickUnits;
    this.#steady.clear();
    let from: number = ended.at(-1)?.endedAt ?? 0;
    for (const order of working) {
      if (!isSurelyOpen(order)) from = Infinity;
      if (from === Infinity) break;
      from = Math.max(from, order.bornAt, order.shownSince);
      if (order.remaining > 0) add(this.#steady, order, order.remaining, tickUnits, 0 as Shares);
    }
    this.#steadyFrom = from;
  }
}

/**
 * What of our orders a book shows. Answers and frames come in no mutual order: a book older than an order's request
 * cannot show it yet; between a request and the first book after the news of its effect nobody knows, and a level is
 * taken for what others had there before as far as it can be.
 */
function fillOlder(levels: OwnLevels, { working, ended }: MarketOrders, look: Look): void {
  levels.clear();
  for (const order of working) addSure(levels, order, look);
  for (const order of working) addDoubtful(levels, order, look);
  // Oldest first: what ended since the book is at the end, and a busy market has thousands that ended before.
  for (let at = ended.length - 1; at >= 0; at -= 1) {
    const order = ended[at]!;
    if (order.endedAt !== null && order.endedAt <= look.endedSince) break;
    addDoubtful(levels, order, look);
  }
}

function addSure(levels: OwnLevels, order: OwnOrder, { bookAt, tickUnits }: Look): void {
  const shares = surelyShows(order, bookAt);
  if (shares > 0) add(levels, order, shares, tickUnits, 0 as Shares);
}

/** After all that is sure, so that what is spared of a level is compared with the rest of it. */
function addDoubtful(levels: OwnLevels, order: OwnOrder, { bookAt, tickUnits, seen }: Look): void {
  const shares = (mayShow(order, bookAt) - surelyShows(order, bookAt)) as Shares;
  if (shares > 0) add(levels, order, shares, tickUnits, seen.foreignAt(order.bookSide, order.longPrice));
}

const add = (levels: OwnLevels, order: OwnOrder, shares: Shares, tickUnits: number, spared: Shares): void =>
  levels.add(order.bookSide, Math.round(order.longPrice / tickUnits) as Ticks, shares, spared);
