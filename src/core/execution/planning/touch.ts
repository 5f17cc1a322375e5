/**
 * Checks whether an order would rest, against the newest book: when it is routed (it is moved just behind the touch)
 * and when it is put into its request (it is dropped). This venue has no post-only orders.
 */
import { bookSideOf, type LimitOrder, longPriceOf } from '../../../domain/orders.js';
import { PRICE_ONE, type PriceUnits } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';

/** Best foreign prices of the long side; null where nothing foreign is known. */
export interface Touch {
  readonly bid: PriceUnits | null;
  readonly ask: PriceUnits | null;
}

/** Would a quote of this side and long-side price trade at once? */
export const takes = (side: Side, longPrice: number, { bid, ask }: Touch): boolean =>
  side === 'bid' ? ask !== null && longPrice >= ask : bid !== null && longPrice <= bid;

/** Would the order trade at once instead of resting? */
export const wouldTake = (order: Pick<LimitOrder, 'side' | 'position' | 'price'>, touch: Touch): boolean =>
  takes(bookSideOf(order), longPriceOf(order), touch);

/**
 * The nearest price at which a quote rests: one tick behind the price where it would trade.
 * @returns a long-side price, null when the grid has none left there
 */
export function restingPrice(
  side: Side,
  longPrice: PriceUnits,
  touch: Touch,
  tickUnits: number,
): PriceUnits | null {
  if (!takes(side, longPrice, touch)) return longPrice;
  const price = side === 'bid' ? Number(touch.ask) - tickUnits : Number(touch.bid) + tickUnits;
  return price > 0 && price < PRICE_ONE ? (price as PriceUnits) : null;
}
