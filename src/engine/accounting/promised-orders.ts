import type { Approved, VenueRequest } from '../../domain/effects.js';
import type { MarketId } from '../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../domain/orders.js';
import type { Money } from '../../domain/units.js';
import { bookSide } from '../../domain/vocabulary.js';

export type ApprovedItem = Approved<LimitOrder> | Approved<OrderReplacement>;

/** An order that is to leave. */
export interface PromisedOrder {
  /** As it passed the gate. */
  readonly item: ApprovedItem;
  /** What would stand. */
  readonly order: LimitOrder;
  /** Cash that it is to lock, as of its approval: fees may change until it leaves. */
  readonly lock: Money;
  /** As much of it as is beyond what the order locks in whose place it comes. */
  readonly claim: number;
}

/** What is promised in one market, and how many shares of it buy and sell the long side. */
export interface Promised {
  /** In the order in which they passed the gate: a batch at most, which leaves from the front. */
  readonly promises: PromisedOrder[];
  /** Shares on either side of the book. */
  bid: number;
  ask: number;
}

const nothing = (): Promised => ({ promises: [], bid: 0, ask: 0 });
const NO_ORDERS: readonly LimitOrder[] = [];

/**
 * Orders that have passed the gate and not left yet. They may stand soon, so they count like those that do:
 * otherwise the levels of one plan, each within the limits, could exceed them together.
 */
export class PromisedOrders {
  readonly #byMarket = new Map<MarketId, Promised>();
  #count = 0;
  #locked = 0;
  #claimed = 0;

  /** @param dropped told of the market of every order that has left or will not */
  constructor(private readonly dropped: (market: MarketId) => void) {}

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

  /** @param promised what is promised {@link in} the market of the order */
  add(promise: PromisedOrder, promised: Promised): void {
    const { order, lock, claim } = promise;
    promised.promises.push(promise);
    count(promised, order, order.shares);
    this.#count += 1;
    this.#locked += lock;
    this.#claimed += claim;
  }

  /** @returns the same object every time: it is kept up to date */
  in(market: MarketId): Promised {
    let promised = this.#byMarket.get(market);
    if (promised === undefined) this.#byMarket.set(market, (promised = nothing()));
    return promised;
  }

  of(market: MarketId): readonly LimitOrder[] {
    const { promises } = this.in(market);
    return promises.length === 0 ? NO_ORDERS : promises.map(({ order }) => order);
  }

  /** The market is planned anew: what the plan before was to send will not be sent. */
  forget(market: MarketId): void {
    const promised = this.in(market);
    while (promised.promises.length > 0) this.#drop(promised, promised.promises.shift()!);
  }

  /** What has left is among the working orders from now on. */
  left(request: VenueRequest): void {
    if (request.kind === 'create-orders')
      for (const order of request.orders) this.#leave(order, order.marketId);
    if (request.kind === 'replace-orders')
      for (const item of request.replacements) this.#leave(item, item.place.marketId);
  }

  /** Mostly it is the first one. */
  #leave(item: ApprovedItem, market: MarketId): void {
    const promised = this.in(market);
    const { promises } = promised;
    if (promises[0]?.item === item) return this.#drop(promised, promises.shift()!);
    const at = promises.findIndex((promise) => promise.item === item);
    if (at >= 0) this.#drop(promised, promises.splice(at, 1)[0]!);
  }

  #drop(promised: Promised, { order, lock, claim }: PromisedOrder): void {
    count(promised, order, -order.shares);
    this.#count -= 1;
    this.#locked -= lock;
    this.#claimed -= claim;
    this.dropped(order.marketId);
  }
}

/** Written out: a member that is named by a value costs several times as much. */
function count(promised: Promised, { side, position }: LimitOrder, shares: number): void {
  if (bookSide(side, position) === 'bid') promised.bid += shares;
  else promised.ask += shares;
}
