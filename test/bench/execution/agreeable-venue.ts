/** A venue that does what it is asked and fills nothing: it answers calls with text, as over REST. */
import { bookSides, type VenueOrder } from './frames.js';

type Body = Readonly<Record<string, unknown>>;
interface Item {
  readonly id: number;
  readonly market: number;
  readonly event: number;
  readonly side: string;
  readonly position: string;
  /** A number in a create, text in an update. */
  readonly price: number | string;
  /** Left out of an update that leaves it as it is. */
  readonly shares?: string;
}

export class AgreeableVenue {
  /** Orders that the answers since the last look told of: private frames about them are to follow. */
  readonly told: VenueOrder[] = [];
  readonly #orders = new Map<number, VenueOrder>();
  readonly #mids = new Map<number, number>();
  #lastId = 0;

  /** @param now milliseconds; by default the time of day */
  constructor(private readonly now: () => number = Date.now) {}

  /** What the next read of the market's book is to say. */
  shows(market: number, midCents: number): void {
    this.#mids.set(market, midCents);
  }

  /**
   * @param call path with query, and the body as it was sent
   * @throws Error for a call that a bot with nothing but orders that rest does not make
   */
  answer(call: { readonly path: string; readonly body: string | null }): string {
    const [path = '', query = ''] = call.path.split('?');
    const body = JSON.parse(call.body ?? '{}') as Body;
    const items = (body['orders'] ?? []) as readonly Item[];
    if (path.endsWith('/orders/batch/')) return this.#created(items, this.#time());
    if (path.endsWith('/orders/batch-cancel/'))
      return this.#cancelled(body['order_ids'] as readonly number[]);
    if (path.endsWith('/orders/batch-update/')) return this.#updated(items, this.#time());
    return JSON.stringify(this.#read(path, new URLSearchParams(query)));
  }

  #time(): string {
    return new Date(this.now()).toISOString();
  }

  #read(path: string, query: URLSearchParams): unknown {
    if (path.endsWith('/me/balances/')) return [{ currency: 'OOM', amount: '1000000000' }];
    if (path.endsWith('/book/')) return bookSides(this.#mids.get(Number(path.split('/').at(-3))) ?? 50);
    if (path.endsWith('/wagers/')) return pageOf([], query);
    if (path.endsWith('/orders/')) return pageOf(query.get('status') === 'open' ? this.#listed() : [], query);
    throw new Error(`nothing is to be asked of ${path}`);
  }

  #listed(): readonly object[] {
    return [...this.#orders.values()].map(({ event: _event, ...order }) => ({
      ...order,
      currency: 'OOM',
      amount: order.price * order.shares,
      status: 'open',
      expired_at: null,
      created_at: this.#time(),
    }));
  }

  #created(items: readonly Item[], at: string): string {
    const results = items.map(({ market, event, side, position, price, shares }, index) => {
      const order = this.#rest(market, event, side, position, Number(price), Number(shares));
      return `{"index":${index},"success":true,"order":${answerText(order, at)}}`;
    });
    return `{"results":[${results.join(',')}]}`;
  }

  #updated(items: readonly Item[], at: string): string {
    const results = items.map(({ id, price, shares }, index) => {
      const { market, event, side, position, shares: size } = this.#removed(id);
      const order = this.#rest(market, event, side, position, Number(price), Number(shares ?? size));
      return `{"index":${index},"order_id":${id},"success":true,"order":${answerText(order, at)}}`;
    });
    return `[${results.join(',')}]`;
  }

  #cancelled(ids: readonly number[]): string {
    return JSON.stringify(ids.map((id, index) => ({ index, order_id: this.#removed(id).id, success: true })));
  }

  #removed(id: number): VenueOrder {
    const order = this.#orders.get(id);
    if (order === undefined) throw new Error(`order ${id} is not there to be replaced`);
    this.#orders.delete(id);
    return order;
  }

  #rest(
    market: number,
    event: number,
    side: string,
    position: string,
    price: number,
    shares: number,
  ): VenueOrder {
    const order = { id: ++this.#lastId, market, event, side, position, price, shares };
    this.#orders.set(order.id, order);
    this.told.push(order);
    return order;
  }
}

const answerText = ({ id, market, event, side, position, price, shares }: VenueOrder, at: string): string =>
  `{"id":${id},"event":"${event}","market":"${market}","price":${price},"shares":${shares},"shares_requested":${shares},` +
  `"shares_filled":"0","currency":"OOM","side":"${side}","position":"${position}","expired_at":null,"status":"open",` +
  `"created":"${at}"}`;

function pageOf(all: readonly object[], query: URLSearchParams): object {
  const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 20)];
  const end = offset + limit;
  const next = end < all.length ? `http://venue.test/?offset=${end}&limit=${limit}` : null;
  return {
    pagination: { total: all.length, next, previous: null, page_size: limit, offset },
    results: all.slice(offset, end),
  };
}
