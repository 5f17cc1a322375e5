import { PRICE_ONE, type PriceUnits } from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';
import type { OwnOrder } from '../orders/own-order.js';

/** What stands already and may go on standing, so that its place in the queue is not given up. */
export interface Standing {
  readonly orders: readonly OwnOrder[];
  /** A level short of at most so many shares is not topped up. */
  readonly missingShares: number;
}

const NONE: readonly OwnOrder[] = [];

/**
 * Those of one side of the book. Every level looks through all of them, so their prices stand in a column. The memory
 * lasts, and takes up the orders of the next plan.
 */
export class StandingSide {
  /** See {@link Standing}. */
  missingShares = 0;
  #orders = NONE;
  #length = 0;
  readonly #prices: number[] = [];
  /** Where the prices lie: mostly nothing stands where a quote moves to. */
  #lowest: number = PRICE_ONE;
  #highest = 0;
  /** Which of the orders each price is of. */
  readonly #rows: number[] = [];

  begin(standing: Standing | null): void {
    this.missingShares = standing === null ? 0 : standing.missingShares;
    this.#orders = standing === null ? NONE : standing.orders;
    this.#length = 0;
    this.#lowest = PRICE_ONE;
    this.#highest = 0;
  }

  /** @param row which of the orders it is */
  add(row: number, price: PriceUnits): void {
    this.#prices[this.#length] = price;
    this.#rows[this.#length] = row;
    this.#length += 1;
    if (price < this.#lowest) this.#lowest = price;
    if (price > this.#highest) this.#highest = price;
  }

  /**
   * Which orders at a level's price fit into it whole, oldest first. A purchase is kept even where the router would sell by
   * now: the way of expressing a quote is changed when the quote moves.
   * @param wanted shares of the level
   * @param held   shares that may still be sold on this side
   */
  keptAt(price: PriceUnits, wanted: number, held: number): readonly OwnOrder[] {
    if (price < this.#lowest || price > this.#highest) return NONE;
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

/** Both sides of the book. */
export class StandingSides {
  readonly bids = new StandingSide();
  readonly asks = new StandingSide();

  /** @param currency the market's: an order in another one expresses no quote of the run */
  read(currency: Currency, standing: Standing | null): void {
    this.bids.begin(standing);
    this.asks.begin(standing);
    if (standing === null) return;
    for (let row = 0; row < standing.orders.length; row += 1) {
      const order = standing.orders[row]!;
      if (order.currency !== currency || !mayStand(order)) continue;
      if (order.bookSide === 'bid') this.bids.add(row, order.longPrice);
      else this.asks.add(row, order.longPrice);
    }
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
