import type { EventId, MarketId, OrderId } from './ids.js';
import type { Micros, Money, Shares } from './units.js';
import type { Currency, Position, Side } from './vocabulary.js';

/**
 * Shares of one of our orders that traded since the last report about it. Reports are cumulative, so one fill may
 * stand for several trades at several prices: the exact amount is what it carries, not a price.
 */
export interface Fill {
  readonly orderId: OrderId;
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  /** Newly traded; zero when a later report only told the price of shares already passed on. */
  readonly shares: Shares;
  /**
   * Paid (bid) or received (ask) for them before fees: price of the named position times shares. While no source
   * has told the average price it is the order's own; what was too much or too little then is in a later fill, so
   * only the sum over an order's fills is sure not to be negative.
   */
  readonly amount: Money;
  /** Charged on top of the amount by our terms; negative is a rebate. The venue does not state it per fill. */
  readonly fee: Money;
  /** Whether we took or made; `unknown` where no source tells. */
  readonly liquidity: 'maker' | 'taker' | 'unknown';
  /** Venue time of the report that told of it, else its receive time. */
  readonly at: Micros;
}
