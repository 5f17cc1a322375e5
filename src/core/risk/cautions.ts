/** What guards latched and a restart must not forget. Plain values, as a file and a tape keep them. */
import type { EventId, MarketId } from '../../domain/ids.js';
import type { Micros, Money } from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';

/** Quoting stopped after one-sided fills; sizes come back in steps from `until` on. */
export type CoolDown =
  | { readonly scope: 'market'; readonly marketId: MarketId; readonly until: Micros }
  | { readonly scope: 'event'; readonly eventId: EventId; readonly until: Micros };

/** Fills that went wrong made a market smaller, or stopped it. */
export interface MarkOutCaution {
  readonly marketId: MarketId;
  readonly level: 'reduced' | 'stopped';
}

/** What counts towards the limits of a currency since a person last accepted what was lost. */
export interface LossCaution {
  readonly currency: Currency;
  /** Profit since then, the other way round; not below zero. */
  readonly lost: Money;
  /** By how much profit lies below its best. */
  readonly fell: Money;
}

/** What was taken at once although it was to rest, at one moment. */
export interface TakingCaution {
  readonly currency: Currency;
  readonly at: Micros;
  readonly amount: Money;
}

export interface Cautions {
  readonly coolDowns: readonly CoolDown[];
  readonly markOuts: readonly MarkOutCaution[];
  /** A resolution was taken back there. */
  readonly reversed: readonly MarketId[];
  /** Within the last hour, the oldest first. */
  readonly taken: readonly TakingCaution[];
  /** One entry per currency in which anything is lost. */
  readonly losses: readonly LossCaution[];
}

/** Nothing is latched. */
export const NO_CAUTIONS: Cautions = Object.freeze({
  coolDowns: [],
  markOuts: [],
  reversed: [],
  taken: [],
  losses: [],
});
