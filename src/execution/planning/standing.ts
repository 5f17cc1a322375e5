import type { PriceUnits } from '../../domain/units.js';
import type { Currency, Side } from '../../domain/vocabulary.js';
import type { OwnOrder } from '../orders/own-order.js';

/** What stands already and may go on standing, so that its place in the queue is not given up. */
export interface Standing {
  readonly orders: readonly OwnOrder[];
  /** A level short of at most so many shares is not topped up. */
  readonly missingShares: number;
}

const NONE: readonly OwnOrder[] = [];

/** One of 32 bits, by the price. */
const bitOf = (price: number): number => 1 << (Math.imul(price, 0x9e37_79b1) >>> 27);

/**
 * Those of one side of the book. Every level looks through all of them, so their prices stand in a column. The memory
 * lasts, and takes up the orders of the next plan.
 */
export class StandingSide {
  #orders = NONE;
  #length = 0;
  readonly #prices: number[] = [];
  /** Bits of all prices: mostly nothing stands where a quote moves to. */
  #bits = 0;
  /** Which of the orders each price is of. */
  readonly #rows: number[] = [];

  /** @param currency the market's: an order in another one expresses no quote of the run */
  read(side: Side, currency: Currency, standing: Standing | null): void {
    this.#orders = standing === null ? NONE : standing.orders;
    this.#length = 0;
    this.#bits = 0;
    for (let row = 0; row < this.#orders.length; row += 1) {
      const order = this.#orders[row]!;
      if (order.bookSide !== side || order.currency !== currency || !mayStand(order)) continue;
      const { longPrice } = order;
      this.#prices[this.#length] = longPrice;
      this.#bits |= bitOf(longPrice);
      this.#rows[this.#length] = row;
      this.#length += 1;
    }
  }

  /**
   * Which orders at a level's price fit into it whole, oldest first. A purchase is kept even where the router would sell by
   * now: the way of expressing a quote is changed when the quote moves.
   * @param wanted shares of the level
   * @param held   shares that may still be sold on this side
   */
  keptAt(price: PriceUnits, wanted: number, held: number): readonly OwnOrder[] {
    if ((this.#bits & bitOf(price)) === 0) return NONE;
    let kept: OwnOrder[] | null = null;
    let sold = 0;
    let bought = 0;
    for (let i = 0; i < this.#length; i += 1) {
      if (this.#prices[i] !== price) continue;
      const order = this.#orders[this.#rows[i]!]!;
      const { remaining } = order;
      if (remaining > wanted - sold - bought) continue;
      if (order.side === 'ask' && remaining > held - sold) continue;
      if (kept === null) kept = [order];
      else kept.push(order);
      if (order.side === 'ask') sold += remaining;
      else bought += remaining;
    }
    return kept ?? NONE;
  }
}

/** Shares of these orders, or of those among them that sell. */
export function sharesOf(orders: readonly OwnOrder[], which: 'all' | 'sales'): number {
  // Nothing stands where a quote moves to.
  if (orders.length === 0) return 0;
  let shares = 0;
  for (const { side, remaining } of orders) if (which === 'all' || side === 'ask') shares += remaining;
  return shares;
}

const mayStand = ({ ownership, state, remaining }: OwnOrder): boolean =>
  ownership === 'ours' && remaining > 0 && (state === 'live' || state === 'creating' || state === 'unknown');
