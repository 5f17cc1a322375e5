import type { OrderId } from '../../../domain/ids.js';
import type { MissedOrders, OrderReport } from '../../../domain/orders.js';
import { allPages } from './all-pages.js';
import { type Caller, orders } from './calls.js';
import type { Outcome } from '../../outcome.js';
import { mapValue } from '../../outcome.js';

/** In these an order stays for ever. */
const OVER = ['filled', 'canceled'] as const;
type Over = (typeof OVER)[number];

/** Descending: what is over comes in at any place, never leaves, and shifts the older ones away from the beginning. */
const NEWEST_FIRST = '-id';
const PAGE_SIZE = 100;

/**
 * The ends of missed orders. Both lists grow with the history of the account, so each is read no further than to the
 * oldest of the orders, and no more pages than allowed: what was not found may still be there.
 * @param tell called with what was filled where there is more to be read: whatever becomes of that, these are over
 */
export async function listEnds(
  caller: Caller,
  missed: MissedOrders,
  tell: (filled: readonly OrderReport[]) => void,
): Promise<Outcome<readonly OrderReport[]>> {
  const search = new Search(caller, missed);
  const filled = await search.through('filled', Math.floor(missed.pages / OVER.length));
  if (!filled.ok || search.isOver) return filled;
  if (filled.value.length > 0) tell(filled.value);
  const canceled = await search.through('canceled', missed.pages - search.pages);
  return mapValue(canceled, (found) => [...filled.value, ...found]);
}

class Search {
  /** Pages read so far. */
  pages = 0;
  #left: ReadonlySet<OrderId>;

  constructor(
    private readonly caller: Caller,
    private readonly missed: MissedOrders,
  ) {
    this.#left = new Set(missed.ids);
  }

  /** Whether all were found. */
  get isOver(): boolean {
    return this.#left.size === 0;
  }

  /** @returns those of the orders that are in the list, as far as it was read */
  async through(status: Over, most: number): Promise<Outcome<readonly OrderReport[]>> {
    const oldest = Math.min(...[...this.#left].map(Number));
    const last = this.pages + most;
    let left = new Set(this.#left);
    const outcome = await allPages({
      page: async (offset) => {
        this.pages += 1;
        // A pass that begins anew gives nothing of the one before.
        if (offset === 0) left = new Set(this.#left);
        return mapValue(await this.#page(status, offset), ({ orders: items, nextOffset }) => {
          for (const { orderId } of items) left.delete(orderId);
          const isBeyond = Number(items.at(-1)?.orderId ?? 0) < oldest;
          const isEnough = left.size === 0 || isBeyond || this.pages >= last;
          return { items, nextOffset: isEnough ? null : nextOffset };
        });
      },
      keyOf: (order) => order.orderId,
    });
    this.#left = left;
    return mapValue(outcome, (found) => found.filter(({ orderId }) => this.missed.ids.has(orderId)));
  }

  #page(status: Over, offset: number) {
    const { marketId, eventId } = this.missed;
    const where =
      marketId !== null ? { market: Number(marketId) } : eventId === null ? {} : { event: Number(eventId) };
    return this.caller(orders({ status, ...where, ordering: NEWEST_FIRST, limit: PAGE_SIZE, offset }));
  }
}
