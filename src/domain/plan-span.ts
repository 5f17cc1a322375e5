import type { PriceUnits } from './units.js';

/**
 * Where the orders of a plan lie, all in one market: what neither the outermost of them takes from the book, nor lies too far
 * from a price, none of them does. Prices are those of the long side.
 */
export interface PlanSpan {
  readonly lowestLong: PriceUnits;
  readonly highestLong: PriceUnits;
  /** The boldest on either side of the book: below every price, or above, where none is on that side. */
  readonly highestBid: PriceUnits;
  readonly lowestAsk: PriceUnits;
  /** Whether any of them sells what is held. */
  readonly sells: boolean;
  /** Price units per tick of the grid on which they are. */
  readonly tickUnits: number;
}
