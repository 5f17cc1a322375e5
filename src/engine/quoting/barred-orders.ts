import type { LimitOrder } from '../../domain/orders.js';
import type { Micros } from '../../domain/units.js';

/** As much of an order as the venue judges. */
type Terms = Pick<LimitOrder, 'marketId' | 'side' | 'position' | 'price' | 'shares'>;

/** The venue may have changed its mind by then. */
const BARRED = 600_000_000;

/**
 * Orders that broke a rule of the venue's which is not ours: each is asked for again after ten minutes at the earliest,
 * for it would be refused again. Others of the same market may pass.
 */
export class BarredOrders {
  readonly #until = new Map<string, number>();

  bar(terms: Terms, at: Micros): void {
    for (const [key, until] of this.#until) if (until <= at) this.#until.delete(key);
    this.#until.set(keyOf(terms), at + BARRED);
  }

  isBarred(terms: Terms, at: Micros): boolean {
    if (this.#until.size === 0) return false;
    return at < (this.#until.get(keyOf(terms)) ?? 0);
  }

  /** A person resumed, or rules changed. */
  lift(): void {
    this.#until.clear();
  }
}

const keyOf = ({ marketId, side, position, price, shares }: Terms): string =>
  `${marketId} ${side} ${position} ${price} ${shares}`;
