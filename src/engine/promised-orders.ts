import type { Approved, VenueRequest } from '../domain/effects.js';
import type { MarketId } from '../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../domain/orders.js';
import type { Money, Shares } from '../domain/units.js';
import { bookSide, type Side } from '../domain/vocabulary.js';

type ApprovedItem = Approved<LimitOrder> | Approved<OrderReplacement>;

export interface PromisesAround {
  /** What an order locks once it stands. */
  readonly lockOf: (order: LimitOrder) => Money;
  readonly added: (order: LimitOrder) => void;
  readonly dropped: (order: LimitOrder) => void;
}

/** What is promised in one market, and how many shares of it buy and sell the long side. */
interface Promised {
  readonly orders: Map<ApprovedItem, LimitOrder>;
  bid: number;
  ask: number;
}

const NOTHING: Promised = { orders: new Map(), bid: 0, ask: 0 };

/**
 * Orders that have passed the gate and not left yet. They may stand soon, so they count like those that do:
 * otherwise the levels of one plan, each within the limits, could exceed them together.
 */
export class PromisedOrders {
  readonly #byMarket = new Map<MarketId, Promised>();
  #count = 0;
  #locked = 0;

  constructor(private readonly around: PromisesAround) {}

  get count(): number {
    return this.#count;
  }

  /** What all of them would lock. */
  get locked(): Money {
    return this.#locked as Money;
  }

  /** @param item as it passed the gate @param order what would stand */
  add(item: ApprovedItem, order: LimitOrder): void {
    const promised = this.#promised(order.marketId);
    promised.orders.set(item, order);
    promised[sideOf(order)] += order.shares;
    this.#count += 1;
    this.#locked += this.around.lockOf(order);
    this.around.added(order);
  }

  of(market: MarketId): Iterable<LimitOrder> {
    return (this.#byMarket.get(market) ?? NOTHING).orders.values();
  }

  /** Shares of them that would stand on this side of the book. */
  shares(market: MarketId, side: Side): Shares {
    return (this.#byMarket.get(market) ?? NOTHING)[side] as Shares;
  }

  /** The market is planned anew: what the plan before was to send will not be sent. */
  forget(market: MarketId): void {
    const promised = this.#byMarket.get(market);
    if (promised !== undefined && promised.orders.size > 0)
      for (const item of promised.orders.keys()) this.#drop(item, market);
  }

  /** What has left is among the working orders from now on. */
  left(request: VenueRequest): void {
    if (request.kind === 'create-orders')
      for (const order of request.orders) this.#drop(order, order.marketId);
    if (request.kind === 'replace-orders')
      for (const item of request.replacements) this.#drop(item, item.place.marketId);
  }

  #promised(market: MarketId): Promised {
    let promised = this.#byMarket.get(market);
    if (promised === undefined)
      this.#byMarket.set(market, (promised = { orders: new Map(), bid: 0, ask: 0 }));
    return promised;
  }

  #drop(item: ApprovedItem, market: MarketId): void {
    const promised = this.#byMarket.get(market);
    const order = promised?.orders.get(item);
    if (promised === undefined || order === undefined) return;
    promised.orders.delete(item);
    promised[sideOf(order)] -= order.shares;
    this.#count -= 1;
    this.#locked -= this.around.lockOf(order);
    this.around.dropped(order);
  }
}

const sideOf = ({ side, position }: LimitOrder): Side => bookSide(side, position);
