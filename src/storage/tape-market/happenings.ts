/** What happened at the venue as a tape of a bot tells it, in the venue's order and without the bot's own shares. */
import type { EventId, MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { BookCut, RecordedLine } from '../../domain/recorded.js';
import type { InferredPrint } from '../../venues/simulated/models/inferred-prints.js';
import type { OthersLevel } from './others-side.js';
import type { TapedOrderNews } from './taped-orders.js';

/** Best first. */
export interface OthersBook {
  readonly bids: readonly OthersLevel[];
  readonly asks: readonly OthersLevel[];
}

/** One frame of a market's book: what traded on the way to it, and what stands of others now. */
export interface BookMoment extends OthersBook {
  readonly kind: 'moment';
  readonly at: Micros;
  readonly eventId: EventId;
  readonly marketId: MarketId;
  /** Levels a side that a frame can show. */
  readonly depth: number;
  /** Best price first; what others took from us included. */
  readonly prints: readonly InferredPrint[];
  /** Sides of which levels were ours alone, and what stands behind them was never seen. */
  readonly cut: BookCut;
  /** Whether shares of ours were taken out of it. */
  readonly isWithoutOwn: boolean;
  /** The book before it less what was cancelled: what the prints met. null when there were none. */
  readonly between: OthersBook | null;
}

export type Happening = BookMoment | TapedOrderNews | RecordedLine;
