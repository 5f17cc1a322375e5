import type { Approved, VenueRequest } from '../../../domain/effects.js';
import type { MarketId } from '../../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../../domain/orders.js';
import type { Money } from '../../../domain/units.js';
import type { Proposal } from '../../risk/index.js';

/** What is asked for an order that passed the gate. */
export type PromisedItem = Approved<LimitOrder> | Approved<OrderReplacement>;

interface PromisedOrder {
  readonly item: PromisedItem;
  /** As of the approval: fees may change until the order leaves. */
  readonly proposal: Proposal;
}

/** Shares promised on either side of a market's book. */
export interface PromisedInMarket {
  readonly bid: number;
  readonly ask: number;
}

const NO_ORDERS: readonly PromisedOrder[] = [];

/**
 * Orders that have passed the gate and not left yet. They may stand soon, so they count like those that do: otherwise the
 * levels of one plan, each within the limits, could exceed them together.
 */
export class PromisedOrders {
  readonly #byMarket = new Map<MarketId, PromisedOrder[]>();
  #count = 0;
  #locked = 0;
  #claimed = 0;

  /** @param dropped told of the market of orders that have left or will not */
  constructor(private readonly dropped: (market: MarketId) => void) {}

  get count(): number {
    return this.#count;
  }

  /** Cash that all promised orders would lock. */
  get locked(): Money {
    return this.#locked as Money;
  }

  /** Cash that they take of what is free now. */
  get claimed(): Money {
    return this.#claimed as Money;
  }

  add(item: PromisedItem, proposal: Proposal): void {
    const { marketId } = proposal.order;
    const orders = this.#byMarket.get(marketId) ?? [];
    orders.push({ item, proposal });
    this.#byMarket.set(marketId, orders);
    this.#total(proposal, 1);
  }

  /** Shares promised on each side. */
  in(market: MarketId): PromisedInMarket {
    let [bid, ask] = [0, 0];
    for (const { proposal } of this.#in(market)) {
      bid += proposal.bought;
      ask += proposal.sold;
    }
    return { bid, ask };
  }

  has(market: MarketId): boolean {
    return this.#byMarket.has(market);
  }

  /** What would stand, in the order in which it passed the gate. */
  of(market: MarketId): readonly LimitOrder[] {
    return this.#in(market).map(({ proposal }) => proposal.order);
  }

  /** The market is planned anew: what the plan before was to send will not be sent. */
  forget(market: MarketId): void {
    this.#drop(market, () => true);
  }

  /** What has left is among the working orders from now on. */
  left(request: VenueRequest): void {
    if (request.kind === 'create-orders')
      this.#leave(
        request.orders,
        request.orders.map(({ marketId }) => marketId),
      );
    if (request.kind === 'replace-orders')
      this.#leave(
        request.replacements,
        request.replacements.map(({ place }) => place.marketId),
      );
  }

  #leave(items: readonly PromisedItem[], markets: readonly MarketId[]): void {
    const leaving = new Set(items);
    for (const market of new Set(markets)) this.#drop(market, ({ item }) => leaving.has(item));
  }

  #drop(market: MarketId, goes: (order: PromisedOrder) => boolean): void {
    const before = this.#in(market);
    const going = before.filter(goes);
    if (going.length === 0) return;
    const left = before.filter((order) => !going.includes(order));
    if (left.length === 0) this.#byMarket.delete(market);
    else this.#byMarket.set(market, left);
    for (const { proposal } of going) this.#total(proposal, -1);
    this.dropped(market);
  }

  #in(market: MarketId): readonly PromisedOrder[] {
    return this.#byMarket.get(market) ?? NO_ORDERS;
  }

  #total({ locked, claimed }: Proposal, sign: 1 | -1): void {
    this.#count += sign;
    this.#locked += sign * locked;
    this.#claimed += sign * claimed;
  }
}
