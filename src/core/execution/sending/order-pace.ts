import type { MarketId } from '../../../domain/ids.js';
import type { SentOrders } from '../../ports/journal.js';
import type { Micros } from '../../../domain/units.js';

const MINUTE = 60_000_000;
const SECOND = 1_000_000;
/** Part of the minute's orders that may leave at once. */
const BURST = 0.25;
/** The limit counts as binding for this long after it held an order back. */
const BINDS_FOR = 10 * SECOND;
/** What sums of floats may lack. */
const ROUNDING = 1e-6;

const burstOf = (perMinute: number): number => Math.max(1, Math.floor(perMinute * BURST));

/** Orders that leave minute after minute where so many may leave in any minute: what may leave at once is left out. */
export const sustainedOrders = (perMinute: number): number => perMinute - burstOf(perMinute) + 1;

/** The limit with which so many leave minute after minute. */
export const orderLimitFor = (sustained: number): number =>
  Math.max(1, Math.ceil((sustained - 1) / (1 - BURST)));

/**
 * Paces creates and updates of one instance: no minute has more than the limit, and they leave evenly instead of all at
 * once. Quotes that have to wait go on standing.
 */
export class OrderPace {
  #capacity = 0;
  /** Orders per microsecond. */
  #pace = 0;
  /** Orders leave in groups of a second, so that a request carries several. */
  #group = 0;
  #tokens: number;
  #at: number;
  /** When it began to bind; null while it does not. */
  #bindsSince: Micros | null = null;
  #heldAt = -Infinity;
  #boundFor = 0;

  /** @param sent creates and updates of runs before; a clock may have been set back since */
  constructor(
    public perMinute: number,
    sent: readonly SentOrders[],
    startedAt: Micros,
  ) {
    this.#measure();
    this.#tokens = this.#capacity;
    const past = sent.map(({ at, orders }) => ({ at: Math.min(at, startedAt) as Micros, orders }));
    past.sort((one, other) => one.at - other.at);
    this.#at = past[0]?.at ?? startedAt;
    for (const { at, orders } of past) this.spend(orders, at);
  }

  /** So many may leave from now on; what was spent until now counts. */
  limit(perMinute: number, at: Micros): void {
    this.#refill(at);
    this.perMinute = perMinute;
    this.#measure();
    this.#tokens = Math.min(this.#tokens, this.#capacity);
  }

  /** How many orders may leave now. */
  free(at: Micros): number {
    this.#refill(at);
    return this.#tokens + ROUNDING >= this.#group ? Math.floor(this.#tokens + ROUNDING) : 0;
  }

  /** When orders may leave at the earliest. */
  nextAt(at: Micros): Micros {
    this.#refill(at);
    const missing = this.#group - this.#tokens;
    return (missing <= ROUNDING ? at : at + Math.ceil(missing / this.#pace)) as Micros;
  }

  /** Orders leave. */
  spend(orders: number, at: Micros): void {
    this.#refill(at);
    this.#tokens -= orders;
  }

  /** An order would leave now but for this limit. */
  holdsBack(at: Micros): void {
    if (this.bindsSince(at) === null) this.#bindsSince = at;
    else this.#boundFor += at - this.#heldAt;
    this.#heldAt = at;
  }

  /** Since when the limit makes quotes move less often than wanted; null when it does not. */
  bindsSince(at: Micros): Micros | null {
    return at < this.#heldAt + BINDS_FOR ? this.#bindsSince : null;
  }

  /** How long it was binding, in microseconds. */
  get boundFor(): number {
    return this.#boundFor;
  }

  #measure(): void {
    this.#capacity = burstOf(this.perMinute);
    this.#pace = sustainedOrders(this.perMinute) / MINUTE;
    this.#group = Math.max(1, Math.floor(this.#pace * SECOND));
  }

  #refill(at: Micros): void {
    if (at <= this.#at) return;
    this.#tokens = Math.min(this.#capacity, this.#tokens + (at - this.#at) * this.#pace);
    this.#at = at;
  }
}

/** One pace for each instance. What runs before sent counts for each: they did not note whose it was. */
export class OrderPaces {
  readonly all: OrderPace[] = [];
  readonly #byInstance = new Map<string, OrderPace>();
  readonly #byMarket = new Map<MarketId, OrderPace>();

  constructor(
    private readonly sent: readonly SentOrders[],
    private readonly startedAt: Micros,
  ) {}

  readonly of: PaceOf = (market) => this.#byMarket.get(market) ?? null;

  /** The instance quotes these markets, so many orders a minute, from now on. */
  arrange(instance: string, markets: readonly MarketId[], perMinute: number, at: Micros): void {
    let pace = this.#byInstance.get(instance);
    if (pace === undefined) {
      pace = new OrderPace(perMinute, this.sent, this.startedAt);
      this.#byInstance.set(instance, pace);
      this.all.push(pace);
    } else if (pace.perMinute !== perMinute) pace.limit(perMinute, at);
    for (const market of markets) this.#byMarket.set(market, pace);
  }
}

/** The pace of the instance that quotes a market; null where nobody does. */
export type PaceOf = (market: MarketId) => OrderPace | null;
