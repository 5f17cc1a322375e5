import type { Approved, VenueRequest } from '../domain/effects.js';
import type { MarketId } from '../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../domain/orders.js';

type ApprovedItem = Approved<LimitOrder> | Approved<OrderReplacement>;

/**
 * Orders that have passed the gate and not left yet. They may stand soon, so they count like those that do:
 * otherwise the levels of one plan, each within the limits, could exceed them together.
 */
export class PromisedOrders {
  readonly #byMarket = new Map<MarketId, Map<ApprovedItem, LimitOrder>>();

  get count(): number {
    let count = 0;
    for (const promised of this.#byMarket.values()) count += promised.size;
    return count;
  }

  /** @param item as it passed the gate @param order what would stand */
  add(item: ApprovedItem, order: LimitOrder): void {
    const promised = this.#byMarket.get(order.marketId);
    if (promised === undefined) this.#byMarket.set(order.marketId, new Map([[item, order]]));
    else promised.set(item, order);
  }

  of(market: MarketId): Iterable<LimitOrder> {
    return this.#byMarket.get(market)?.values() ?? [];
  }

  all(): Iterable<Iterable<LimitOrder>> {
    return [...this.#byMarket.values()].map((promised) => promised.values());
  }

  /** The market is planned anew: what the plan before was to send will not be sent. */
  forget(market: MarketId): void {
    this.#byMarket.get(market)?.clear();
  }

  /** What has left is among the working orders from now on. */
  left(request: VenueRequest): void {
    if (request.kind === 'create-orders') request.orders.forEach((item) => this.#drop(item));
    if (request.kind === 'replace-orders') request.replacements.forEach((item) => this.#drop(item));
  }

  #drop(item: ApprovedItem): void {
    for (const promised of this.#byMarket.values()) promised.delete(item);
  }
}
