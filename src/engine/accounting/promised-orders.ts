import type { Approved, VenueRequest } from '../../domain/effects.js';
import type { MarketId } from '../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../domain/orders.js';
import type { Money } from '../../domain/units.js';
import { bookSide } from '../../domain/vocabulary.js';

export type ApprovedItem = Approved<LimitOrder> | Approved<OrderReplacement>;

/** Orders of one market that are to leave, in the order in which they passed the gate: a place in every list is an order. */
export interface Promises {
  /** As they passed the gate. */
  readonly items: readonly ApprovedItem[];
  /** What would stand. */
  readonly orders: readonly LimitOrder[];
  /** Cash that each is to lock, as of its approval: fees may change until it leaves. */
  readonly locks: readonly number[];
  /** As much of it as is beyond what the order locks in whose place it comes. */
  readonly claims: readonly number[];
}

const NO_PROMISES: Promises = { items: [], orders: [], locks: [], claims: [] };

/** What is promised in one market, and how many shares of it buy and sell the long side. */
export interface Promised {
  /** Lists that are never written: a plan that passed the gate at once is kept as it was made. */
  promises: Promises;
  /** So many of them have left, from the front. */
  gone: number;
  /** Shares on either side of the book. */
  bid: number;
  ask: number;
}

const nothing = (): Promised => ({ promises: NO_PROMISES, gone: 0, bid: 0, ask: 0 });

/**
 * Orders that have passed the gate and not left yet. They may stand soon, so they count like those that do:
 * otherwise the levels of one plan, each within the limits, could exceed them together.
 */
export class PromisedOrders {
  readonly #byMarket = new Map<MarketId, Promised>();
  #all = 0;
  #locked = 0;
  #claimed = 0;

  /** @param dropped told of the market of orders that have left or will not */
  constructor(private readonly dropped: (market: MarketId) => void) {}

  get count(): number {
    return this.#all;
  }

  /** What all of them would lock. */
  get locked(): Money {
    return this.#locked as Money;
  }

  /** What they take of the cash that is free now. */
  get claimed(): Money {
    return this.#claimed as Money;
  }

  /** @param promised what is promised {@link in} the market of the orders */
  add(promises: Promises, promised: Promised): void {
    const before = promised.promises;
    promised.promises = before === NO_PROMISES ? promises : joined(before, promises);
    const { length } = promised.promises.orders;
    for (let at = before.orders.length; at < length; at += 1) this.#count(promised, at, 1);
  }

  /** @returns the same object every time: it is kept up to date */
  in(market: MarketId): Promised {
    let promised = this.#byMarket.get(market);
    if (promised === undefined) this.#byMarket.set(market, (promised = nothing()));
    return promised;
  }

  of(market: MarketId): readonly LimitOrder[] {
    const { promises, gone } = this.in(market);
    return gone === 0 ? promises.orders : promises.orders.slice(gone);
  }

  /** The market is planned anew: what the plan before was to send will not be sent. */
  forget(market: MarketId): void {
    const promised = this.in(market);
    const { promises, gone } = promised;
    if (promises === NO_PROMISES) return;
    for (let at = gone; at < promises.orders.length; at += 1) this.#count(promised, at, -1);
    empty(promised);
    this.dropped(market);
  }

  /** What has left is among the working orders from now on. */
  left(request: VenueRequest): void {
    if (request.kind === 'create-orders') this.#leaveAll(request.orders, marketOfOrder);
    if (request.kind === 'replace-orders') this.#leaveAll(request.replacements, marketOfReplacement);
  }

  /** The orders of a market follow each other. */
  #leaveAll<Item extends ApprovedItem>(items: readonly Item[], marketOf: (item: Item) => MarketId): void {
    for (let next = 0; next < items.length;) {
      const market = marketOf(items[next]!);
      const promised = this.in(market);
      let isChanged = false;
      for (; next < items.length && marketOf(items[next]!) === market; next += 1)
        isChanged = this.#leave(items[next]!, promised) || isChanged;
      if (isChanged) this.dropped(market);
    }
  }

  /** Mostly it is the first one. @returns whether it was promised */
  #leave(item: ApprovedItem, promised: Promised): boolean {
    const { promises, gone } = promised;
    const isFirst = promises.items[gone] === item;
    const at = isFirst ? gone : promises.items.indexOf(item, gone);
    if (at < 0) return false;
    this.#count(promised, at, -1);
    if (isFirst) promised.gone += 1;
    else promised.promises = without(promises, at);
    if (promised.gone === promised.promises.items.length) empty(promised);
    return true;
  }

  /** One more of its promises, or one less. */
  #count(promised: Promised, at: number, change: 1 | -1): void {
    const { orders, locks, claims } = promised.promises;
    const { side, position, shares } = orders[at]!;
    // Written out: a member that is named by a value costs several times as much.
    if (bookSide(side, position) === 'bid') promised.bid += change * shares;
    else promised.ask += change * shares;
    this.#all += change;
    this.#locked += change * locks[at]!;
    this.#claimed += change * claims[at]!;
  }
}

const marketOfOrder = ({ marketId }: LimitOrder): MarketId => marketId;
const marketOfReplacement = ({ place }: OrderReplacement): MarketId => place.marketId;

function empty(promised: Promised): void {
  promised.promises = NO_PROMISES;
  promised.gone = 0;
}

const joined = (before: Promises, more: Promises): Promises => ({
  items: [...before.items, ...more.items],
  orders: [...before.orders, ...more.orders],
  locks: [...before.locks, ...more.locks],
  claims: [...before.claims, ...more.claims],
});

const without = ({ items, orders, locks, claims }: Promises, at: number): Promises => ({
  items: items.toSpliced(at, 1),
  orders: orders.toSpliced(at, 1),
  locks: locks.toSpliced(at, 1),
  claims: claims.toSpliced(at, 1),
});
