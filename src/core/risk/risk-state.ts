/** What guards have latched and a restart must not forget, as plain values for file and tape. */
import type { EventId, MarketId } from '../../domain/ids.js';
import type { QuoteScope } from '../../domain/inputs.js';
import type { Micros, Money } from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';

/** Quoting stopped after one-sided fills; sizes come back in steps from `until` on. */
export type CoolDown =
  | { readonly scope: 'market'; readonly marketId: MarketId; readonly until: Micros }
  | { readonly scope: 'event'; readonly eventId: EventId; readonly until: Micros };

/** A market that was made smaller, or stopped, after losing fills. */
export interface MarkOutStop {
  readonly marketId: MarketId;
  readonly level: 'reduced' | 'stopped';
}

/** Losses that count towards the limits of a currency, since a person last accepted them. */
export interface KeptLoss {
  readonly currency: Currency;
  /** Loss since then; not below zero. */
  readonly lost: Money;
  /** By how much profit lies below its best. */
  readonly fell: Money;
}

/** An amount taken at once by quotes that were to rest. */
export interface KeptTaking {
  readonly currency: Currency;
  readonly at: Micros;
  readonly amount: Money;
  /** Whether it was taken on purpose; left out, it was not. */
  readonly isWanted?: boolean | undefined;
}

/** What a person holds back. */
export interface KeptPause {
  readonly scope: QuoteScope;
  /** Nothing is quoted. */
  readonly isPaused: boolean;
  /** When the pause ends by itself; null: never. */
  readonly until: Micros | null;
  /** Ticks by which every quote is moved away. */
  readonly widenTicks: number;
  /** Who said so last, and when. */
  readonly by: string;
  readonly at: Micros;
}

export interface RiskState {
  readonly coolDowns: readonly CoolDown[];
  readonly markOuts: readonly MarkOutStop[];
  /** A resolution was taken back there. */
  readonly reversed: readonly MarketId[];
  /** Within the last hour, the oldest first. */
  readonly taken: readonly KeptTaking[];
  readonly pauses: readonly KeptPause[];
  /** One entry per currency with a loss. */
  readonly losses: readonly KeptLoss[];
}

/** Nothing is latched. */
export const NO_RISK_STATE: RiskState = Object.freeze({
  coolDowns: [],
  markOuts: [],
  reversed: [],
  taken: [],
  pauses: [],
  losses: [],
});
