/** Which orders of whoever recorded stood in the books, as frames and answers tell. */
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { OrderReport } from '../../domain/orders.js';
import { PRICE_ONE, type Micros } from '../../domain/units.js';
import type { OrderStatus, Side } from '../../domain/vocabulary.js';

/** Shares of one own order in a book, in terms of its long side. */
export interface OwnShares {
  readonly side: Side;
  readonly price: number;
  readonly shares: number;
}

interface Standing {
  readonly orderId: OrderId;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly price: number;
  readonly requested: number;
  readonly since: Micros;
  filled: number;
}

/** Orders that ended are remembered so far back, so that a late answer does not raise them again. */
const ENDED_MOST = 10_000;
const IN_BOOK: ReadonlySet<OrderStatus> = new Set(['open', 'partial_filled']);
const BEFORE_BOOK: ReadonlySet<OrderStatus> = new Set(['pending', 'processing']);
const NONE: readonly OwnShares[] = [];

/** Reports may come in any order: fills only grow, and what has ended stays so. */
export class StandingOrders {
  readonly #standing = new Map<OrderId, Standing>();
  readonly #markets = new Map<MarketId, Map<OrderId, Standing>>();
  readonly #ended = new Set<OrderId>();

  report(report: OrderReport, at: Micros): void {
    const { orderId, status } = report;
    if (this.#ended.has(orderId) || BEFORE_BOOK.has(status)) return;
    if (!IN_BOOK.has(status)) return this.end(orderId);
    const known = this.#standing.get(orderId) ?? this.#enter(report, at);
    if (known !== null) known.filled = Math.max(known.filled, report.filled ?? 0);
  }

  end(orderId: OrderId): void {
    const known = this.#standing.get(orderId);
    this.#standing.delete(orderId);
    if (known !== undefined) this.#markets.get(known.marketId)?.delete(orderId);
    this.#ended.add(orderId);
    if (this.#ended.size <= ENDED_MOST) return;
    const [oldest] = this.#ended;
    if (oldest !== undefined) this.#ended.delete(oldest);
  }

  /**
   * A complete listing: what is not on it has ended, unless it is younger than the request.
   * @param asked venue time at which the request left
   */
  listed(orders: readonly OrderReport[], asked: Micros): void {
    const named = new Set(orders.map(({ orderId }) => orderId));
    for (const { orderId, since } of this.#standing.values())
      if (since < asked && !named.has(orderId)) this.end(orderId);
    for (const order of orders) this.report(order, order.createdAt ?? asked);
  }

  /** What of one's own stands in a market. */
  in(market: MarketId): readonly OwnShares[] {
    const orders = this.#markets.get(market);
    if (orders === undefined || orders.size === 0) return NONE;
    return [...orders.values()].map(({ side, price, requested, filled }) => ({
      side,
      price,
      shares: Math.max(0, requested - filled),
    }));
  }

  /** @returns null for an order without a price: it never stands */
  #enter(report: OrderReport, at: Micros): Standing | null {
    const { orderId, marketId, side, position, price, requested } = report;
    if (price === null) return null;
    const isLong = position === 'long';
    const standing = {
      orderId,
      marketId,
      side: isLong ? side : side === 'bid' ? ('ask' as const) : ('bid' as const),
      price: isLong ? price : PRICE_ONE - price,
      requested,
      since: at,
      filled: 0,
    };
    this.#standing.set(orderId, standing);
    const orders = this.#markets.get(marketId) ?? new Map<OrderId, Standing>();
    this.#markets.set(marketId, orders.set(orderId, standing));
    return standing;
  }
}
