import type { Money, PriceUnits, Shares } from '../domain/units.js';

/** The limits of one strategy instance. */
export interface RiskLimits {
  readonly maxOrderShares: Shares;
  readonly maxOrderAmount: Money;
  /** Net shares per market in either direction, everything that may fill counted. */
  readonly maxPositionShares: Shares;
  readonly maxEventLoss: Money;
  /** Loss of the run beyond which the kill switch latches. */
  readonly maxLoss: Money;
  /** Most distance of a price from the reference. */
  readonly priceCollar: PriceUnits;
  readonly ordersPerMinute: number;
}
