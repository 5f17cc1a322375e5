/** One line of a recording in the neutral form (`../shared/data/README.md`), in integers. */
import type { EventId, MarketId } from './ids.js';
import type { Levels } from './inputs.js';
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
