import type { EventId } from '../../domain/ids.js';
import type { RecordedBook, RecordedTrade } from '../../domain/recorded.js';
import type { Micros, Money } from '../../domain/units.js';

/**
 * Which trades of others are believed to have happened between two books of a feed that does not tell them. News of
 * turnover and own fills comes ahead of the books around it, by the time for which books are held back.
 */
export interface TradesModel {
  /** A message told the turnover of an event so far. */
  turnover(event: EventId, at: Micros, total: Money): void;
  /** Shares of the recorder itself traded; they are part of the turnover. */
  ownFill(event: EventId, at: Micros, shares: number): void;
  /**
   * @param before the market's book before, null when there was none
   * @param after  the next one, whose time is that of the trades
   */
  between(before: RecordedBook | null, after: RecordedBook): readonly RecordedTrade[];
}
