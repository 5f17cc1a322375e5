import type { PriceUnits } from '../domain/units.js';
import type { Side } from '../domain/vocabulary.js';
import type { OwnOrder } from './own-order.js';

/** What stands already and may go on standing, so that its place in the queue is not given up. */
export interface Standing {
  readonly orders: readonly OwnOrder[];
  /** A level short of at most so many shares is not topped up. */
  readonly missingShares: number;
}

/** What a level keeps of the orders that stand at its price, oldest first. */
export interface Kept {
  readonly orders: readonly OwnOrder[];
  /** Shares of them that sell, and that buy. */
  readonly sold: number;
  readonly bought: number;
}

const NOTHING: Kept = { orders: [], sold: 0, bought: 0 };

/**
 * Which orders at a level's price fit into it whole. A purchase is kept even where the router would sell by now: the
 * way of expressing a quote is changed when the quote moves.
 * @param wanted shares of the level
 * @param held   shares that may still be sold on this side
 */
export function keptAt(
  side: Side,
  price: PriceUnits,
  wanted: number,
  held: number,
  standing: Standing | null,
): Kept {
  if (standing === null) return NOTHING;
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
  return orders === null ? NOTHING : { orders, sold, bought };
}

const standsOn = ({ bookSide, ownership, state, remaining }: OwnOrder, side: Side): boolean =>
  bookSide === side &&
  ownership === 'ours' &&
  remaining > 0 &&
  (state === 'live' || state === 'creating' || state === 'unknown');
