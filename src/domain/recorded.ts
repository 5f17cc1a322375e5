/** One line of a recording in the neutral form (`docs/guides/recordings.md`), in integers. */
import type { EventId, MarketId } from './ids.js';
import type { Levels } from './levels.js';
import type { Micros, PriceUnits, Shares } from './units.js';
import type { Resolution, Side } from './vocabulary.js';

interface RecordedAt {
  /** Exchange time, never decreasing within one file. */
  readonly at: Micros;
  readonly eventId: EventId;
  readonly marketId: MarketId;
}

/** Absolute best levels; written only when they changed. */
export interface RecordedBook extends RecordedAt {
  readonly kind: 'book';
  readonly bids: Levels;
  readonly asks: Levels;
  /**
   * Sides behind whose last level others may stand unseen although fewer levels are stated than the recording can show:
   * some of them were the recorder's own and were taken out. Left out where there are none.
   */
  readonly cut?: BookCut;
}

export interface BookCut {
  readonly bids: boolean;
  readonly asks: boolean;
}

/** A print. It stands before the book line that it changed. */
export interface RecordedTrade extends RecordedAt {
  readonly kind: 'trade';
  readonly price: PriceUnits;
  readonly shares: Shares;
  /** The aggressor bought (`bid`) or sold (`ask`) long; null: unknown. */
  readonly takerSide: Side | null;
}

/** `closed` is also a suspension. */
export interface RecordedStatus extends RecordedAt {
  readonly kind: 'status';
  readonly status: 'open' | 'closed' | 'resolved';
  /** Of a resolved market. */
  readonly resolution: Resolution | null;
  readonly inPlay: boolean;
}

export type RecordedLine = RecordedBook | RecordedTrade | RecordedStatus;
