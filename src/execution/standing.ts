import type { PriceUnits, Shares } from '../domain/units.js';
import type { Side } from '../domain/vocabulary.js';
import type { OwnOrder } from './own-order.js';

/** What stands already and may go on standing, so that its place in the queue is not given up. */
export interface Standing {
  readonly orders: readonly OwnOrder[];
  /** A level short of at most so many shares is not topped up. */
  readonly missingShares: number;
}

/** What a level keeps of the orders that stand at its price. */
export interface Kept {
  /** Shares of each order kept, sales and purchases apart. */
  readonly sales: readonly Shares[];
  readonly purchases: readonly Shares[];
  readonly sold: number;
  readonly bought: number;
}

const NOTHING: Kept = { sales: [], purchases: [], sold: 0, bought: 0 };

/**
 * Which orders at a level's price fit into it whole, oldest first. A purchase is kept even where the router would
 * sell by now: the way of expressing a quote is changed when the quote moves.
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
  const sales: Shares[] = [];
  const purchases: Shares[] = [];
  let sold = 0;
  let bought = 0;
  for (const order of standing.orders) {
    if (!standsAt(order, side, price) || order.remaining > wanted - sold - bought) continue;
    if (order.side === 'bid') {
      purchases.push(order.remaining);
      bought += order.remaining;
    } else if (order.remaining <= held - sold) {
      sales.push(order.remaining);
      sold += order.remaining;
    }
  }
  return { sales, purchases, sold, bought };
}

const standsAt = (
  { bookSide, longPrice, ownership, state, remaining }: OwnOrder,
  side: Side,
  price: PriceUnits,
) =>
  bookSide === side &&
  longPrice === price &&
  ownership === 'ours' &&
  remaining > 0 &&
  (state === 'live' || state === 'creating' || state === 'unknown');
