import type { Approved, VenueRequest } from '../domain/effects.js';
import type { MarketId } from '../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../domain/orders.js';
import type { Money } from '../domain/units.js';

type ApprovedItem = Approved<LimitOrder> | Approved<OrderReplacement>;

export interface PromisesAround {
  /** What an order locks once it stands. */
  readonly lockOf: (order: LimitOrder) => Money;
  readonly added: (order: LimitOrder) => void;
  readonly dropped: (order: LimitOrder) => void;
}

/**
 * Orders that have passed the gate and not left yet. They may stand soon, so they count like those that do:
 * otherwise the levels of one plan, each within the limits, could exceed them together.
 */
export class PromisedOrders {
  readonly #byMarket = new Map<MarketId, Map<ApprovedItem, LimitOrder>>();
  readonly #orders = new Map<ApprovedItem, LimitOrder>();
  #locked = 0;

  constructor(private readonly around: PromisesAround) {}

  get count(): number {
    return this.#orders.size;
  }

  /** What all of them would lock. */
  get locked(): Money {
    return this.#locked as Money;
  }

  /** @param item as it passed the gate @param order what would stand */
  add(item: ApprovedItem, order: LimitOrder): void {
    const promised = this.#byMarket.get(order.marketId);
    if (promised === undefined) this.#byMarket.set(order.marketId, new Map([[item, order]]));
    else promised.set(item, order);
    this.#orders.set(item, order);
    this.#locked += this.around.lockOf(order);
    this.around.added(order);
  }

  of(market: MarketId): Iterable<LimitOrder> {
    return this.#byMarket.get(market)?.values() ?? [];
  }

  /** The market is planned anew: what the plan before was to send will not be sent. */
  forget(market: MarketId): void {
    const promised = this.#byMarket.get(market);
    if (promised !== undefined) for (const item of promised.keys()) this.#drop(item);
  }

  /** What has left is among the working orders from now on. */
  left(request: VenueRequest): void {
    if (request.kind === 'create-orders') request.orders.forEach((item) => this.#drop(item));
    if (request.kind === 'replace-orders') request.replacements.forEach((item) => this.#drop(item));
  }

  #drop(item: ApprovedItem): void {
    const order = this.#orders.get(item);
    if (order === undefined) return;
    this.#orders.delete(item);
    const promised = this.#byMarket.get(order.marketId);
    promised?.delete(item);
    if (promised?.size === 0) this.#byMarket.delete(order.marketId);
    this.#locked -= this.around.lockOf(order);
    this.around.dropped(order);
  }
}
