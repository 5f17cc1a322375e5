import type { MarketId } from '../../../domain/ids.js';
import { dearerFee, lockAt } from '../../../domain/locks.js';
import type { Micros, Money } from '../../../domain/units.js';
import type { MarketTerms } from '../planning/market-terms.js';
import type { OwnOrders } from './own-orders.js';

/**
 * What the working orders of one market lock: all of them, those that the balance may not have known of, and of these the
 * ones that it may have known of as well.
 */
interface Locked {
  readonly all: number;
  readonly since: number;
  readonly unclear: number;
}

const NOTHING: Locked = { all: 0, since: 0, unclear: 0 };

/**
 * Cash of the run's currency that working bids lock, market by market and altogether. Only markets whose orders have
 * changed are added up again, so that the cost does not depend on the number of markets.
 */
export class LockedCash {
  readonly #byMarket = new Map<MarketId, Locked>();
  readonly #changed: Set<MarketId>;
  #all = 0;
  #since = 0;
  #unclear = 0;
  #asOf = -1;

  /** @param termsOf undefined: nothing can be locked there */
  constructor(
    private readonly orders: Pick<OwnOrders, 'own' | 'watch'>,
    private readonly termsOf: (market: MarketId) => MarketTerms | undefined,
  ) {
    this.#changed = orders.watch();
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
   * What orders of all markets lock that nobody had named by then. A balance read at that time may be older than these
   * orders, whether the request or its answer was lost. What an update brought has a name of its own.
   */
  since(asOf: Micros): Money {
    this.#settleAsOf(asOf);
    return this.#since as Money;
  }

  /**
   * Whether an order of {@link since} was asked for before that time and has a name now: the balance may leave its lock out
   * already, and only another read tells.
   */
  isUnclear(asOf: Micros): boolean {
    this.#settleAsOf(asOf);
    return this.#unclear > 0;
  }

  /** What an order locks in this market has changed. */
  changed(market: MarketId): void {
    this.#changed.add(market);
  }

  #settleAsOf(asOf: Micros): void {
    if (asOf !== this.#asOf) {
      this.#asOf = asOf;
      for (const market of this.#byMarket.keys()) this.#changed.add(market);
    }
    this.#settle();
  }

  #settle(): void {
    if (this.#changed.size === 0) return;
    for (const market of this.#changed) {
      const before = this.#byMarket.get(market) ?? NOTHING;
      const now = this.#lockedIn(market);
      this.#all += now.all - before.all;
      this.#since += now.since - before.since;
      this.#unclear += now.unclear - before.unclear;
      if (now.all === 0) this.#byMarket.delete(market);
      else this.#byMarket.set(market, now);
    }
    this.#changed.clear();
  }

  #lockedIn(market: MarketId): Locked {
    const terms = this.termsOf(market);
    if (terms === undefined) return NOTHING;
    const fee = dearerFee(terms);
    let [all, since, unclear] = [0, 0, 0];
    for (const { side, currency, price, remaining, bornAt, lockKnownAt } of this.orders.own(market).working) {
      if (side !== 'bid' || currency !== terms.currency) continue;
      const lock = lockAt(price, remaining, fee);
      all += lock;
      if (lockKnownAt !== null && lockKnownAt <= this.#asOf) continue;
      since += lock;
      if (lockKnownAt !== null && bornAt <= this.#asOf) unclear += lock;
    }
    return { all, since, unclear };
  }
}
