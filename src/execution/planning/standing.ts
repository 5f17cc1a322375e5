import type { PriceUnits } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { OwnOrder } from '../orders/own-order.js';

/** What stands already and may go on standing, so that its place in the queue is not given up. */
export interface Standing {
  readonly orders: readonly OwnOrder[];
  /** A level short of at most so many shares is not topped up. */
  readonly missingShares: number;
}

const NONE: readonly OwnOrder[] = [];

/**
 * Which orders at a level's price fit into it whole, oldest first. A purchase is kept even where the router would sell by
 * now: the way of expressing a quote is changed when the quote moves.
 * @param wanted shares of the level
 * @param held   shares that may still be sold on this side
 */
export function keptAt(
  side: Side,
  price: PriceUnits,
  wanted: number,
  held: number,
  standing: Standing | null,
): readonly OwnOrder[] {
  if (standing === null) return NONE;
  let orders: OwnOrder[] | null = null;
  let sold = 0;
  let bought = 0;
  for (const order of standing.orders) {
    if (order.longPrice !== price || !standsOn(order, side)) continue;
    const { remaining } = order;
    if (remaining > wanted - sold - bought) continue;
    if (order.side === 'ask' && remaining > held - sold) continue;
    if (orders === null) orders = [order];
    else orders.push(order);
    if (order.side === 'ask') sold += remaining;
    else bought += remaining;
  }
  return orders ?? NONE;
}

/** Shares of these orders, or of those among them that sell. */
export function sharesOf(orders: readonly OwnOrder[], which: 'all' | 'sales'): number {
  let shares = 0;
  for (const { side, remaining } of orders) if (which === 'all' || side === 'ask') shares += remaining;
  return shares;
}

const standsOn = ({ bookSide, ownership, state, remaining }: OwnOrder, side: Side): boolean =>
  bookSide === side &&
  ownership === 'ours' &&
  remaining > 0 &&
  (state === 'live' || state === 'creating' || state === 'unknown');
