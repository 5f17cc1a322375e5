import type { EventId, MarketId, OrderId } from './ids.js';
import type { Micros, Money, Shares } from './units.js';
import type { Currency, Position, Side } from './vocabulary.js';

/** What a fill takes back of an inferred one, because the venue has told of it or contradicts it. */
export interface Replaced {
  /** Of the inferred fill. */
  readonly id: number;
  readonly orderId: OrderId;
  readonly shares: Shares;
  /** What was booked of them: at the price of the inferred fill, which named that position. */
  readonly amount: Money;
  readonly fee: Money;
}

/**
 * Shares of one of our orders that traded since the last report about it. Reports are cumulative, so one fill may
 * stand for several trades at several prices: the exact amount is what it carries, not a price.
 */
export interface Fill {
  /** 1, 2, 3 in the order in which the run learned of them. */
  readonly id: number;
  /** `unnamed-` and a number where it is inferred and nobody told the name of the order. */
  readonly orderId: OrderId;
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  /**
   * Newly traded; zero when a later report only told the price of shares already passed on, or of an inferred fill. Negative
   * when an inferred fill is taken back.
   */
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
  /** Receive time of the report that told of it. Of an inferred one: when holdings were first seen to differ. */
  readonly at: Micros;
  /**
   * Nobody told of it: the venue holds other shares than the known fills add up to. Order and price are the likeliest ones.
   */
  readonly isInferred: boolean;
  readonly replaces: Replaced | null;
}
