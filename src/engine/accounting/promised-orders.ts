import type { Approved, VenueRequest } from '../../domain/effects.js';
import type { MarketId } from '../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../domain/orders.js';
import type { Money, Shares } from '../../domain/units.js';
import { bookSide, type Side } from '../../domain/vocabulary.js';

export type ApprovedItem = Approved<LimitOrder> | Approved<OrderReplacement>;

/** Cash that an order is to lock, as of its approval: fees may change until it leaves. */
export interface PromisedLock {
  readonly all: Money;
  /** Beyond what the order locks in whose place it comes. */
  readonly more: Money;
}

export interface PromisesAround {
  readonly lockOf: (order: LimitOrder, item: ApprovedItem) => PromisedLock;
  readonly added: (order: LimitOrder) => void;
  readonly dropped: (order: LimitOrder) => void;
}

/** What is promised in one market, and how many shares of it buy and sell the long side. */
interface Promised {
  /** As they passed the gate, and what would stand, in the same order: a batch at most, which leaves from the front. */
  readonly items: ApprovedItem[];
  readonly orders: LimitOrder[];
  readonly locks: PromisedLock[];
  bid: number;
  ask: number;
}

const nothing = (): Promised => ({ items: [], orders: [], locks: [], bid: 0, ask: 0 });
const NOTHING: Promised = nothing();

/**
 * Orders that have passed the gate and not left yet. They may stand soon, so they count like those that do:
 * otherwise the levels of one plan, each within the limits, could exceed them together.
 */
export class PromisedOrders {
  readonly #byMarket = new Map<MarketId, Promised>();
  #count = 0;
  #locked = 0;
  #claimed = 0;

  constructor(private readonly around: PromisesAround) {}

  get count(): number {
    return this.#count;
  }

  /** What all of them would lock. */
  get locked(): Money {
    return this.#locked as Money;
  }

  /** What they take of the cash that is free now. */
  get claimed(): Money {
    return this.#claimed as Money;
  }

  /** @param item as it passed the gate @param order what would stand */
  add(item: ApprovedItem, order: LimitOrder): void {
    const promised = this.#promised(order.marketId);
    promised.items.push(item);
    promised.orders.push(order);
    const lock = this.around.lockOf(order, item);
    promised.locks.push(lock);
    promised[sideOf(order)] += order.shares;
    this.#count += 1;
    this.#locked += lock.all;
    this.#claimed += lock.more;
    this.around.added(order);
  }

  of(market: MarketId): readonly LimitOrder[] {
    return (this.#byMarket.get(market) ?? NOTHING).orders;
  }

  /** Shares of them that would stand on this side of the book. */
  shares(market: MarketId, side: Side): Shares {
    return (this.#byMarket.get(market) ?? NOTHING)[side] as Shares;
  }

  /** The market is planned anew: what the plan before was to send will not be sent. */
  forget(market: MarketId): void {
    const promised = this.#byMarket.get(market) ?? NOTHING;
    for (let left = promised.orders.length; left > 0; left -= 1) this.#drop(promised, 0);
  }

  /** What has left is among the working orders from now on. */
  left(request: VenueRequest): void {
    if (request.kind === 'create-orders')
      for (const order of request.orders) this.#leave(order, order.marketId);
    if (request.kind === 'replace-orders')
      for (const item of request.replacements) this.#leave(item, item.place.marketId);
  }

  #promised(market: MarketId): Promised {
    let promised = this.#byMarket.get(market);
    if (promised === undefined) this.#byMarket.set(market, (promised = nothing()));
    return promised;
  }

  #leave(item: ApprovedItem, market: MarketId): void {
    const promised = this.#byMarket.get(market) ?? NOTHING;
    const at = promised.items.indexOf(item);
    if (at >= 0) this.#drop(promised, at);
  }

  #drop(promised: Promised, at: number): void {
    const order = promised.orders[at]!;
    const { all, more } = promised.locks[at]!;
    promised.items.splice(at, 1);
    promised.orders.splice(at, 1);
    promised.locks.splice(at, 1);
    promised[sideOf(order)] -= order.shares;
    this.#count -= 1;
    this.#locked -= all;
    this.#claimed -= more;
    this.around.dropped(order);
  }
}

const sideOf = ({ side, position }: LimitOrder): Side => bookSide(side, position);
