import type { EventId, MarketId } from '../../domain/ids.js';

/** A market of a backtest. Its slot is its place in the list of all of them. */
export interface RunMarket {
  readonly slot: number;
  readonly eventId: EventId;
  readonly marketId: MarketId;
  /** Price units per tick. */
  readonly tickUnits: number;
  /** Levels per side that its recording can show, or that the configuration lets it show. */
  readonly depth: number;
}
