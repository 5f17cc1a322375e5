import type { EventId, MarketId } from '../../domain/ids.js';
import type { Levels } from '../../domain/levels.js';
import type { PriceUnits } from '../../domain/units.js';
import type { ResolutionNews } from './events/resolution-claims.js';

/** Something a person may want to know, with both views where two disagree. The engine makes notices of them. */
export type Finding =
  | { readonly kind: 'book-malformed'; readonly marketId: MarketId }
  /** The market's tick is configured, and a price is off it. `fitting`: the coarsest usual tick that all prices fit. */
  | {
      readonly kind: 'book-off-grid';
      readonly marketId: MarketId;
      readonly price: PriceUnits;
      readonly tickUnits: number;
      readonly fitting: number | null;
    }
  /** The market's prices are on another grid than was known; the mirror goes by it already. */
  | { readonly kind: 'grid-learned'; readonly marketId: MarketId; readonly tickUnits: number }
  | {
      readonly kind: 'witness-disagreed';
      readonly marketId: MarketId;
      /** 1 is the first in a row; the second withdraws the book. */
      readonly inARow: number;
      readonly mirror: { readonly bids: Levels; readonly asks: Levels };
      readonly venue: { readonly bids: Levels; readonly asks: Levels };
    }
  | { readonly kind: 'status-not-understood'; readonly eventId: EventId }
  /** The venue has no such event, or none that it shows. */
  | { readonly kind: 'event-not-shown'; readonly eventId: EventId }
  /** The venue shows the event, without this market. */
  | { readonly kind: 'market-not-in-event'; readonly eventId: EventId; readonly marketId: MarketId }
  | (ResolutionNews & { readonly eventId: EventId })
  | { readonly kind: 'channel-refused'; readonly channel: string; readonly reason: string };
/** What happened to the mirror so far in this run. Telemetry reads it. */
export interface MirrorCounters {
  framesApplied: number;
  /** Venue time older than the applied one. */
  framesOlder: number;
  framesOfOtherMode: number;
  /** About an event or market that neither configuration nor the venue has named. */
  framesUnplaced: number;
  framesMalformed: number;
  booksOffGrid: number;
  booksMalformed: number;
  booksRead: number;
  witnessesAgreed: number;
  witnessesDisagreed: number;
  /** The past kept did not reach back far enough to judge. */
  witnessesInconclusive: number;
  booksWithdrawn: number;
  statusesNotUnderstood: number;
  readsFailed: number;
}

export const noCounts = (): MirrorCounters => ({
  framesApplied: 0,
  framesOlder: 0,
  framesOfOtherMode: 0,
  framesUnplaced: 0,
  framesMalformed: 0,
  booksOffGrid: 0,
  booksMalformed: 0,
  booksRead: 0,
  witnessesAgreed: 0,
  witnessesDisagreed: 0,
  witnessesInconclusive: 0,
  booksWithdrawn: 0,
  statusesNotUnderstood: 0,
  readsFailed: 0,
});
