import type { MarketId } from '../../../domain/ids.js';
import { dearerFee, lockAt } from '../../../domain/locks.js';
import type { Micros, Money } from '../../../domain/units.js';
import type { MarketTerms } from '../planning/market-terms.js';
import type { OrderFollower } from './order-blotter.js';
import type { OwnOrder } from './own-order.js';
import type { OwnOrders } from './own-orders.js';

/** What the working orders of one market lock: all of them, and those that the balance may not have known of. */
interface Locked {
  readonly all: number;
  readonly since: number;
}

const NOTHING: Locked = { all: 0, since: 0 };

/**
 * Cash of the run's currency that working bids lock, market by market and altogether. Orders that come are added; only
 * markets whose orders have changed otherwise are added up again, so that asking costs the same however many markets there
 * are.
 */
export class LockedCash implements OrderFollower {
  readonly #byMarket = new Map<MarketId, Locked>();
  readonly #changed = new Set<MarketId>();
  #all = 0;
  #since = 0;
  #asOf = -1;

  /** @param termsOf undefined: nothing can be locked there */
  constructor(
    private readonly orders: OwnOrders,
    private readonly termsOf: (market: MarketId) => MarketTerms | undefined,
  ) {
    orders.follow(this);
  }

  /** What the working orders of all markets lock. */
  get all(): Money {
    this.#settle();
    return this.#all as Money;
  }

  of(market: MarketId): Money {
    this.#settle();
    return (this.#byMarket.get(market) ?? NOTHING).all as Money;
  }

  /**
   * What those of all markets lock that nobody had named by then: a balance read then may be of a time before they came, be
   * it that the request or its answer was lost. What an update brought has a name of its own.
   */
  since(asOf: Micros): Money {
    if (asOf !== this.#asOf) this.#beginAt(asOf);
    this.#settle();
    return this.#since as Money;
  }

  /** What an order locks in this market has changed. */
  changed(market: MarketId): void {
    this.#changed.add(market);
  }

  came(orders: readonly OwnOrder[], first: number, end: number): void {
    const { marketId } = orders[first]!;
    if (!this.#changed.has(marketId)) this.#add(marketId, orders, first, end);
  }

  #beginAt(asOf: Micros): void {
    this.#asOf = asOf;
    for (const market of this.#byMarket.keys()) this.#changed.add(market);
  }

  #settle(): void {
    if (this.#changed.size === 0) return;
    for (const market of this.#changed) this.#addUp(market);
    this.#changed.clear();
  }

  #addUp(market: MarketId): void {
    const { all, since } = this.#byMarket.get(market) ?? NOTHING;
    this.#all -= all;
    this.#since -= since;
    this.#byMarket.delete(market);
    const { working } = this.orders.own(market);
    this.#add(market, working, 0, working.length);
  }

  #add(market: MarketId, orders: readonly OwnOrder[], first: number, end: number): void {
    const terms = this.termsOf(market);
    if (terms === undefined) return;
    const fee = dearerFee(terms);
    let all = 0;
    let since = 0;
    for (let at = first; at < end; at += 1) {
      const order = orders[at]!;
      if (order.side !== 'bid' || order.currency !== terms.currency) continue;
      const { price, remaining, namedAt } = order;
      const lock = lockAt(price, remaining, fee);
      all += lock;
      if (namedAt === null || namedAt > this.#asOf) since += lock;
    }
    if (all === 0) return;
    this.#all += all;
    this.#since += since;
    const before = this.#byMarket.get(market) ?? NOTHING;
    this.#byMarket.set(market, { all: before.all + all, since: before.since + since });
  }
}
