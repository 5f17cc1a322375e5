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

/**
 * Paces creates and updates of one instance: no minute has more than the limit, and they leave evenly instead of all at
 * once. Quotes that have to wait go on standing.
 */
export class OrderPace {
  readonly #capacity: number;
  /** Orders per microsecond. */
  readonly #pace: number;
  /** Orders leave in groups of a second, so that a request carries several. */
  readonly #group: number;
  #tokens: number;
  #at: number;
  /** When it began to bind; null while it does not. */
  #bindsSince: Micros | null = null;
  #heldAt = -Infinity;
  #boundFor = 0;

  /** @param sent creates and updates of runs before; a clock may have been set back since */
  constructor(
    readonly perMinute: number,
    sent: readonly SentOrders[],
    startedAt: Micros,
  ) {
    this.#capacity = Math.max(1, Math.floor(perMinute * BURST));
    this.#pace = (perMinute - this.#capacity + 1) / MINUTE;
    this.#group = Math.max(1, Math.floor(this.#pace * SECOND));
    this.#tokens = this.#capacity;
    const past = sent.map(({ at, orders }) => ({ at: Math.min(at, startedAt) as Micros, orders }));
    past.sort((one, other) => one.at - other.at);
    this.#at = past[0]?.at ?? startedAt;
    for (const { at, orders } of past) this.spend(orders, at);
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

  #refill(at: Micros): void {
    if (at <= this.#at) return;
    this.#tokens = Math.min(this.#capacity, this.#tokens + (at - this.#at) * this.#pace);
    this.#at = at;
  }
}

/** The pace of the instance that quotes a market; null where nobody does. */
export type PaceOf = (market: MarketId) => OrderPace | null;
