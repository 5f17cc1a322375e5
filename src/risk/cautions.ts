/** What guards latched and a restart must not forget. Plain values, as a file and a tape keep them. */
import type { EventId, MarketId } from '../domain/ids.js';
import type { Micros } from '../domain/units.js';

/** Quoting stopped after one-sided fills; sizes come back in steps from `until` on. */
export type CoolDown =
  | { readonly scope: 'market'; readonly marketId: MarketId; readonly until: Micros }
  | { readonly scope: 'event'; readonly eventId: EventId; readonly until: Micros };

/** Fills that went wrong made a market smaller, or stopped it. */
export interface MarkOutCaution {
  readonly marketId: MarketId;
  readonly level: 'reduced' | 'stopped';
}

export interface Cautions {
  readonly coolDowns: readonly CoolDown[];
  readonly markOuts: readonly MarkOutCaution[];
  /** A resolution was taken back there. */
  readonly reversed: readonly MarketId[];
}

/** Nothing is latched. */
export const NO_CAUTIONS: Cautions = Object.freeze({ coolDowns: [], markOuts: [], reversed: [] });
