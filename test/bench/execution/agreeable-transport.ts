/**
 * A venue behind the wire that does what it is asked and fills nothing, without a socket in between. Its answers are
 * written straight as text: what it leaves in the caches and to the collector is not the bot's, and slows the bot down.
 */
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
  /** Left out of an update that leaves it as it is. */
  readonly shares?: string;
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
    const [path = '', query = ''] = request.path.split('?');
    const answer = this.#answer(path, query, body);
    return Promise.resolve({ kind: 'answered', status: 200, headers: JSON_TYPE, body: answer });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #answer(path: string, query: string, body: Body): string {
    const items = (body['orders'] ?? []) as readonly Item[];
    if (path.endsWith('/orders/batch/')) return this.#created(items, new Date().toISOString());
    if (path.endsWith('/orders/batch-update/')) return this.#updated(items, new Date().toISOString());
    return JSON.stringify(this.#read(path, new URLSearchParams(query)));
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
      created_at: new Date().toISOString(),
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
  `{"id":${id},"event":"${event}","market":"${market}","side":"${side}","position":"${position}",` +
  `"price":${price},"shares":${shares},"shares_requested":${shares},"shares_filled":"0","currency":"OOM",` +
  `"expired_at":null,"status":"open","created":"${at}"}`;

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
