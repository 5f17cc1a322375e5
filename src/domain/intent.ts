import type { MarketId } from './ids.js';
import type { Shares, Ticks } from './units.js';
import type { Side } from './vocabulary.js';

/**
 * One part of how a price came about: `fair 0.52`, `skew -0.004`, `half-spread -0.02`. The steps of a quote add up to
 * its price before rounding; the rounding is what is left to the level's tick.
 */
export interface Step {
  readonly label: string;
  readonly value: number;
}

/** One desired quote in long-side ticks. */
export interface QuoteLevel {
  readonly price: Ticks;
  readonly shares: Shares;
  readonly reason: readonly Step[];
}

/** One level of an intent. */
export const levelOf = (reason: readonly Step[], price: Ticks, shares: Shares): QuoteLevel => ({
  reason,
  price,
  shares,
});

/**
 * What a strategy wants to stand in one market, in long-side probability: best first, bids below asks. An empty
 * intent means "nothing of mine in this market".
 */
export interface QuoteIntent {
  readonly marketId: MarketId;
  readonly bids: readonly QuoteLevel[];
  readonly asks: readonly QuoteLevel[];
  /** The side whose one level is to trade at once; left out: everything rests. */
  readonly take?: Side;
}
