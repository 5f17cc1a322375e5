import type { PriceUnits, Shares } from './units.js';

/** Levels of one side, best first; both arrays have the same length. Prices are of the long side. */
export interface Levels {
  readonly prices: readonly PriceUnits[];
  readonly shares: readonly Shares[];
}
