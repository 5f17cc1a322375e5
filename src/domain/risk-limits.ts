import type { Money, PriceUnits, Shares } from './units.js';

/** The limits of one strategy instance. Money is of the run's one currency. */
export interface RiskLimits {
  readonly maxOrderShares: Shares;
  /** Price times shares of the named position. */
  readonly maxOrderAmount: Money;
  /** Net shares per market in either direction, everything that may fill counted. */
  readonly maxPositionShares: Shares;
  /** Worst case of one event, everything that may fill counted. */
  readonly maxEventLoss: Money;
  /** The same of all events of one category, and of all events of the run, added up; null: no limit. */
  readonly maxCategoryLoss: Money | null;
  readonly maxAccountLoss: Money | null;
  /** Cash that working bids of the run may lock together; null: as much as there is. */
  readonly maxLocked: Money | null;
  /** Loss of the run beyond which the kill switch latches. */
  readonly maxLoss: Money;
  /** Fall of profit from its best beyond which the kill switch latches; null: no such limit. */
  readonly maxDrawdown: Money | null;
  /** Amount taken by quotes within an hour beyond which the kill switch latches; null: no such limit. */
  readonly maxTakenAmount: Money | null;
  /** Amount that may be taken on purpose within an hour; null: nothing. */
  readonly taking: Money | null;
  readonly fillBreaker: FillBreakerLimits;
  readonly markOut: MarkOutLimits;
  /** Greatest distance of a price from the fair value and from the mid of the book. */
  readonly priceCollar: PriceUnits;
  /** Whether own quotes on exclusive outcomes must not add up to a certain loss. */
  readonly coherentQuotes: boolean;
  /** Creates and updates of the run. */
  readonly ordersPerMinute: number;
}

/** When one-sided fills stop quoting, and how it comes back. */
export interface FillBreakerLimits {
  readonly windowMs: number;
  /** Net shares filled in one direction within the window; null: no such limit. */
  readonly maxShares: Shares | null;
  /** The same as money paid or received; null: no such limit. */
  readonly maxAmount: Money | null;
  readonly coolDownMs: number;
  /** Sizes come back in so many steps, 1 / (steps + 1) first, each for `stepMs`. */
  readonly steps: number;
  readonly stepMs: number;
}

/** When losing fills make a market smaller, and then stop it. */
export interface MarkOutLimits {
  /** A fill is judged so long after it. */
  readonly horizonMs: number;
  /** How many fills are judged together. */
  readonly fills: number;
  /** Greatest average loss per share at the horizon, in price units; null: no such limit. */
  readonly maxLoss: PriceUnits | null;
  /** Part of the size that is left at first: 0 to 1. */
  readonly reduceTo: number;
}
