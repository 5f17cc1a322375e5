/** Orders of an account as a venue lists them, page by page; what advances between two pages is up to the test. */
import { limitOrder } from '../orders/order-scenario.js';
import { listed, ms, reportOf } from '../orders/own-order-reports.js';
import type { OrderReport } from '../../../src/domain/orders.js';
import type { Caller } from '../../../src/venues/futuur/rest/calls.js';

/** In the direction in which orders move; from the first three an order may go to any later one. */
export const SHELVES = ['processing', 'open', 'partial_filled', 'filled', 'canceled'] as const;
export type Shelf = (typeof SHELVES)[number];
const OVER = SHELVES.indexOf('filled');

export class OrderShelves {
  /** `filled -id +0` for each page read: status, ordering and offset. */
  readonly pages: string[] = [];
  readonly #orders = new Map<number, Shelf>();

  /** @param betweenPages called when a page was read, with how many were */
  constructor(private readonly betweenPages: (pages: number) => void = () => undefined) {}

  put(id: number, shelf: Shelf): void {
    this.#orders.set(id, shelf);
  }

  /** Moves an order on; one that is over stays where it is. */
  advance(id: number, to: Shelf): void {
    const from = this.#orders.get(id);
    if (from === undefined || SHELVES.indexOf(from) >= OVER) return;
    if (SHELVES.indexOf(to) > SHELVES.indexOf(from)) this.#orders.set(id, to);
  }

  readonly caller: Caller = ({ query }) => {
    const asked = Object.fromEntries(query);
    const { status, ordering } = asked;
    const [limit, offset] = [Number(asked['limit']), Number(asked['offset'])];
    const shelf = this.#on(status as Shelf, ordering === '-id');
    const orders = shelf.slice(offset, offset + limit);
    const nextOffset = offset + limit < shelf.length ? offset + limit : null;
    this.pages.push(`${status} ${ordering} +${offset}`);
    this.betweenPages(this.pages.length);
    const value = { orders, total: shelf.length, nextOffset };
    return Promise.resolve({ ok: true, value: value as never, sentAt: ms(this.pages.length) });
  };

  #on(status: Shelf, isDescending: boolean): OrderReport[] {
    const ids = [...this.#orders].filter(([, shelf]) => shelf === status).map(([id]) => id);
    return ids
      .toSorted((one, other) => (isDescending ? other - one : one - other))
      .map((id) => listed(reportOf(limitOrder(40, 1), id, { status })));
  }
}
