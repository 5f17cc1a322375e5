import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';
import type { TrackedOrder } from './tracked-order.js';

const NONE: readonly TrackedOrder[] = [];
const NOWHERE: readonly MarketId[] = [];

/**
 * Ended orders of which an answer or a listing has told the end and nobody how much was filled before it: the frame that
 * says so is late, or lost. There are few at any time.
 */
export class UnheardEnds {
  /** With the time since when each may have been filled by more than was told. */
  readonly #since = new Map<TrackedOrder, Micros>();

  /** Those of one market, in order of appearance. */
  of(market: MarketId): readonly TrackedOrder[] {
    if (this.#since.size === 0) return NONE;
    return [...this.#since.keys()].filter(({ marketId }) => marketId === market);
  }

  /** When the first of them began to wait; null when there is none. */
  get oldest(): Micros | null {
    let oldest: Micros | null = null;
    for (const since of this.#since.values()) if (oldest === null || since < oldest) oldest = since;
    return oldest;
  }

  /** What the order has filled is not known from now on. */
  add(order: TrackedOrder, at: Micros): void {
    this.#since.set(order, at);
  }

  /**
   * What was filled is known of those that it holds for.
   * @returns the market of each
   */
  settle(isKnown: (order: TrackedOrder, since: Micros) => boolean): readonly MarketId[] {
    if (this.#since.size === 0) return NOWHERE;
    const known = [...this.#since].filter(([order, since]) => isKnown(order, since)).map(([order]) => order);
    for (const order of known) this.#since.delete(order);
    return known.map(({ marketId }) => marketId);
  }
}
