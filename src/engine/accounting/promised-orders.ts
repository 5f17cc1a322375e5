import type { Approved, VenueRequest } from '../../domain/effects.js';
import type { MarketId } from '../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../domain/orders.js';
import type { Money, Shares } from '../../domain/units.js';
import { bookSide, type Side } from '../../domain/vocabulary.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';

export type ApprovedItem = Approved<LimitOrder> | Approved<OrderReplacement>;

export interface PromisesAround {
  /** Cash that it is to lock, as of its approval: fees may change until it leaves. */
  readonly lockOf: (order: LimitOrder) => Money;
  /** Cash that the order locks in whose place it comes; nothing for null. */
  readonly lockedBy: (replaced: OwnOrder | null) => number;
  readonly added: (order: LimitOrder) => void;
  readonly dropped: (order: LimitOrder) => void;
}

/** An order that is to leave. */
interface PromisedOrder {
  /** As it passed the gate. */
  readonly item: ApprovedItem;
  /** What would stand. */
  readonly order: LimitOrder;
  /** Cash that it is to lock. */
  readonly lock: Money;
  /** As much of it as is beyond what the order locks in whose place it comes. */
  readonly claim: number;
}

/** What is promised in one market, and how many shares of it buy and sell the long side. */
interface Promised {
  /** In the order in which they passed the gate: a batch at most, which leaves from the front. */
  readonly promises: PromisedOrder[];
  bid: number;
  ask: number;
}

const nothing = (): Promised => ({ promises: [], bid: 0, ask: 0 });
const NOTHING: Promised = nothing();
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

  /**
   * @param item     as it passed the gate
   * @param order    what would stand
   * @param replaced in whose place; null: in nobody's
   */
  add(item: ApprovedItem, order: LimitOrder, replaced: OwnOrder | null): void {
    const promised = this.#promised(order.marketId);
    const lock = this.around.lockOf(order);
    const claim = Math.max(0, lock - this.around.lockedBy(replaced));
    promised.promises.push({ item, order, lock, claim });
    count(promised, order, order.shares);
    this.#count += 1;
    this.#locked += lock;
    this.#claimed += claim;
    this.around.added(order);
  }

  of(market: MarketId): readonly LimitOrder[] {
    const { promises } = this.#byMarket.get(market) ?? NOTHING;
    return promises.length === 0 ? NO_ORDERS : promises.map(({ order }) => order);
  }

  /** Shares of them that would stand on this side of the book. */
  shares(market: MarketId, side: Side): Shares {
    const { bid, ask } = this.#byMarket.get(market) ?? NOTHING;
    return (side === 'bid' ? bid : ask) as Shares;
  }

  /** The market is planned anew: what the plan before was to send will not be sent. */
  forget(market: MarketId): void {
    const promised = this.#byMarket.get(market) ?? NOTHING;
    while (promised.promises.length > 0) this.#drop(promised, promised.promises.shift()!);
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

  /** Mostly it is the first one. */
  #leave(item: ApprovedItem, market: MarketId): void {
    const promised = this.#byMarket.get(market) ?? NOTHING;
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
    this.around.dropped(order);
  }
}

/** Written out: a member that is named by a value costs several times as much. */
function count(promised: Promised, { side, position }: LimitOrder, shares: number): void {
  if (bookSide(side, position) === 'bid') promised.bid += shares;
  else promised.ask += shares;
}
