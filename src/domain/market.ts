import type { EventId, MarketId } from './ids.js';
import { type Micros, type Money, PRICE_ONE } from './units.js';
import type {
  Currency,
  CurrencyMode,
  EventStatus,
  MarketStatus,
  Resolution,
  ResolutionMode,
} from './vocabulary.js';

/** One outcome of an event as far as it is known. Unknown facts are null, never guessed. */
export interface MarketDescription {
  readonly id: MarketId;
  readonly eventId: EventId;
  readonly title: string;
  /** Price units (0.0001) per tick; a divisor of 10,000. The venue does not state it: configuration does. */
  readonly tickUnits: number;
  readonly status: MarketStatus;
  /** null where its source does not say: no documented answer of the venue names it. */
  readonly disabled: boolean | null;
  readonly betStart: Micros | null;
  readonly betEnd: Micros | null;
  readonly resolution: Resolution | null;
  readonly longLabel: string;
  readonly shortLabel: string;
}

/** A question with its outcomes. */
export interface EventDescription {
  readonly id: EventId;
  readonly title: string;
  readonly slug: string;
  readonly status: EventStatus;
  /** `exclusive`: at most one market resolves long. null where its source does not say. */
  readonly resolutionMode: ResolutionMode | null;
  /** null where its source does not say: only an `event-live` input is sure to. */
  readonly isLive: boolean | null;
  readonly betStart: Micros | null;
  readonly betEnd: Micros | null;
  readonly eventStart: Micros | null;
  readonly eventEnd: Micros | null;
  readonly markets: readonly MarketDescription[];
}

/** What a run may trade: one currency and with it one mode; rules the venue does not publish come from configuration. */
export interface TradingTerms {
  readonly currency: Currency;
  readonly mode: CurrencyMode;
  /** Money units per whole share taken; never negative. */
  readonly takerFee: Money;
  /** Money units per whole share made; negative is a rebate. */
  readonly makerFee: Money;
  /** Least and most price x shares of one order. */
  readonly minAmount: Money;
  readonly maxAmount: Money;
}

/** What one long share pays in price units; a short share pays the rest. Of a void market there is no payout. */
export function payoutOf(resolution: Exclude<Resolution, 'void'>): number {
  if (typeof resolution === 'number') return resolution;
  return resolution === 'long' ? PRICE_ONE : 0;
}
