/** A venue behind the wire that does what it is asked and fills nothing, without a socket in between. */
import type { HttpRequest, HttpResult, Transport } from '../../../src/venue/rest/transport.js';
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
  readonly shares: string;
}

/** Told of every batch of orders. @param readyAt performance.now() when its bytes would have gone to the socket */
export type OnBatch = (items: number, readyAt: number) => void;

export class AgreeableTransport implements Transport {
  /** Orders that the answers since the last look told of: private frames about them are to follow. */
  readonly told: VenueOrder[] = [];
  readonly #orders = new Map<number, VenueOrder>();
  readonly #mids = new Map<number, number>();
  #lastId = 0;

  constructor(private readonly onBatch: OnBatch) {}

  /** What the next read of the market's book is to say. */
  shows(market: number, midCents: number): void {
    this.#mids.set(market, midCents);
  }

  /** Signed, looked at for the last time and in the journal before it counts as ready. */
  send(request: HttpRequest): Promise<HttpResult> {
    request.headers();
    try {
      request.beforeFirstByte();
    } catch (error) {
      return Promise.resolve({ kind: 'not-sent', reason: (error as Error).message });
    }
    const readyAt = performance.now();
    const body = JSON.parse(request.body ?? '{}') as Body;
    if (Array.isArray(body['orders'])) this.onBatch(body['orders'].length, readyAt);
    const { pathname, searchParams } = new URL(request.path, 'http://venue.test');
    const answer = JSON.stringify(this.#answer(pathname, searchParams, body));
    return Promise.resolve({ kind: 'answered', status: 200, headers: JSON_TYPE, body: answer });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #answer(path: string, query: URLSearchParams, body: Body): unknown {
    const items = (body['orders'] ?? []) as readonly Item[];
    if (path.endsWith('/orders/batch/'))
      return { results: items.map((item, index) => ({ index, success: true, order: this.#create(item) })) };
    if (path.endsWith('/orders/batch-update/'))
      return items.map((item, index) => ({
        index,
        order_id: item.id,
        success: true,
        order: this.#replace(item),
      }));
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
      created_at: new Date().toISOString(),
    }));
  }

  #create({ market, event, side, position, price, shares }: Item): unknown {
    return this.#rest({ market, event, side, position, price: Number(price), shares: Number(shares) });
  }

  #replace({ id, price, shares }: Item): unknown {
    const old = this.#orders.get(id);
    if (old === undefined) throw new Error(`order ${id} is not there to be replaced`);
    this.#orders.delete(id);
    return this.#rest({ ...old, price: Number(price), shares: Number(shares) });
  }

  #rest(order: Omit<VenueOrder, 'id'>): unknown {
    this.#lastId += 1;
    const placed = { ...order, id: this.#lastId };
    this.#orders.set(placed.id, placed);
    this.told.push(placed);
    return {
      ...placed,
      event: String(order.event),
      market: String(order.market),
      shares_requested: order.shares,
      shares_filled: '0',
      currency: 'OOM',
      expired_at: null,
      status: 'open',
      created: new Date().toISOString(),
    };
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };

function pageOf(all: readonly object[], query: URLSearchParams): object {
  const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 20)];
  const end = offset + limit;
  const next = end < all.length ? `http://venue.test/?offset=${end}&limit=${limit}` : null;
  return {
    pagination: { total: all.length, next, previous: null, page_size: limit, offset },
    results: all.slice(offset, end),
  };
}
