import { PRICE_ONE, type PriceUnits } from '../../../domain/units.js';
import type { Currency, Side } from '../../../domain/vocabulary.js';
import type { CommonTraits, OwnOrder } from '../orders/own-order.js';

/** What stands already and may go on standing, so that its place in the queue is not given up. */
export interface Standing {
  readonly orders: readonly OwnOrder[];
  /** A level short of at most so many shares is not topped up. */
  readonly missingShares: number;
}

const NONE: readonly OwnOrder[] = [];

/** Those of one side of the book. The memory lasts, and takes up the orders of the next plan. */
export class StandingSide {
  /** See {@link Standing}. */
  missingShares = 0;
  #orders = NONE;
  #currency: Currency | null = null;
  /** Where their prices lie. */
  #lowest = PRICE_ONE;
  #highest = 0 as PriceUnits;

  constructor(private readonly side: Side) {}

  /** @param currency the market's: an order in another one expresses no quote of the run */
  begin(currency: Currency, { orders, missingShares }: Standing): void {
    this.#currency = currency;
    this.#orders = orders;
    this.missingShares = missingShares;
    this.#lowest = PRICE_ONE;
    this.#highest = 0 as PriceUnits;
  }

  /** One of the orders is of this side, and stands there. */
  see(price: PriceUnits): void {
    if (price < this.#lowest) this.#lowest = price;
    if (price > this.#highest) this.#highest = price;
  }

  /** May anything stand at the price? Mostly nothing does where a quote moves to. */
  reaches(price: PriceUnits): boolean {
    return price >= this.#lowest && price <= this.#highest;
  }

  /**
   * Which orders at a level's price fit into it whole, oldest first. A purchase is kept even where the router would sell by
   * now: the way of expressing a quote is changed when the quote moves.
   * @param wanted shares of the level
   * @param held   shares that may still be sold on this side
   */
  keptAt(price: PriceUnits, wanted: number, held: number): readonly OwnOrder[] {
    if (!this.reaches(price)) return NONE;
    let kept: OwnOrder[] | null = null;
    let sold = 0;
    let bought = 0;
    for (let i = 0; i < this.#orders.length; i += 1) {
      const order = this.#orders[i]!;
      if (order.longPrice !== price || !this.#mayKeep(order)) continue;
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

  #mayKeep(order: OwnOrder): boolean {
    return order.bookSide === this.side && order.currency === this.#currency && mayStand(order);
  }
}

const NO_STANDING: Standing = { orders: NONE, missingShares: 0 };

/** Both sides of the book. */
export class StandingSides {
  readonly bids = new StandingSide('bid');
  readonly asks = new StandingSide('ask');

  /** @param currency see {@link StandingSide.begin} */
  read(currency: Currency, standing: Standing | null): void {
    const { bids, asks } = this;
    const { orders } = standing ?? NO_STANDING;
    bids.begin(currency, standing ?? NO_STANDING);
    asks.begin(currency, standing ?? NO_STANDING);
    let traits: CommonTraits | null = null;
    let side = bids;
    for (let row = 0; row < orders.length; row += 1) {
      const order = orders[row]!;
      if (order.traits !== traits) {
        traits = order.traits;
        side = traits.bookSide === 'bid' ? bids : asks;
      }
      side.see(order.longPrice);
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
