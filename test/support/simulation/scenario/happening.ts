import type { FaultRule } from '../../../../src/venues/simulated/models/faults.js';
import type {
  Currency,
  EventStatus,
  MarketStatus,
  Position,
  Resolution,
  Side,
} from '../../../../src/domain/vocabulary.js';
import type { Weather } from '../network.js';

/** One thing that befalls the house. Plain JSON, so that a failing seed can be read. */
export type Happening =
  | { readonly kind: 'weather'; readonly weather: Weather }
  | { readonly kind: 'misbehaviour'; readonly rules: readonly FaultRule[] }
  | { readonly kind: 'connection-lost'; readonly againAfterMs: number }
  | { readonly kind: 'bot-killed'; readonly againAfterMs: number }
  | { readonly kind: 'bot-stopped' }
  | { readonly kind: 'bot-frozen'; readonly forMs: number }
  | { readonly kind: 'bot-started-twice' }
  | { readonly kind: 'clock-set'; readonly byMs: number }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'venue-killed'; readonly againAfterMs: number }
  | { readonly kind: 'market-status'; readonly market: number; readonly status: MarketStatus }
  | { readonly kind: 'market-disabled'; readonly market: number; readonly disabled: boolean }
  | { readonly kind: 'market-closing'; readonly market: number; readonly afterMs: number }
  | { readonly kind: 'event-status'; readonly event: number; readonly status: EventStatus }
  | {
      readonly kind: 'event-resolved';
      readonly event: number;
      readonly resolutions: readonly { readonly market: number; readonly resolution: Resolution }[];
    }
  | { readonly kind: 'event-reversed'; readonly event: number }
  | {
      readonly kind: 'order-by-hand';
      readonly market: number;
      readonly side: Side;
      readonly position: Position;
      readonly price: number;
      readonly shares: number;
    }
  | { readonly kind: 'deposit'; readonly amount: number }
  | { readonly kind: 'event-live'; readonly event: number; readonly isLive: boolean }
  /** Nothing more can be written down. */
  | { readonly kind: 'disk-full'; readonly forMs: number }
  /** A person withdraws everything, and lets the bot go on after a while. */
  | { readonly kind: 'kill-switch'; readonly forMs: number }
  | HandHappening;

/** What happens besides in houses of the third edition. */
export type Turn = Extract<
  Happening,
  { readonly kind: 'event-live' | 'disk-full' | 'kill-switch' | 'market-closing' }
>;

/** What a person does by hand with the account of the bot, in markets that they share. */
export type HandHappening =
  | {
      readonly kind: 'hand-places';
      readonly market: number;
      readonly side: Side;
      readonly position: Position;
      readonly currency: Currency;
      /** From the best price of the other side: 0 and less takes; null: at any price. */
      readonly ticks: number | null;
      readonly shares: number;
      /** Whether orders of the account that are in the way are cancelled: those of the bot, too. */
      readonly clearsTheWay: boolean;
      readonly expiresAfterMs: number | null;
    }
  /** `any`: of the whole account, those of the bot included. */
  | { readonly kind: 'hand-cancels'; readonly which: number; readonly whose: 'own' | 'any' }
  | { readonly kind: 'hand-moves'; readonly which: number; readonly byTicks: number }
  | { readonly kind: 'hand-clears'; readonly market: number };

export interface TimedHappening {
  readonly atMs: number;
  readonly happening: Happening;
}

/** What a seed tells: how wrong the bot's clock is, what happens when, and how long it all takes. */
export interface Story {
  readonly clock: { readonly aheadMs: number; readonly driftPpm: number };
  readonly happenings: readonly TimedHappening[];
  /** Trade and trouble until then; after that nothing goes wrong any more. */
  readonly troubleMs: number;
  /** For how long the venue then asks for silence, to every request of a minute; 0: it does not. */
  readonly turnedAwayMs: number;
  /** Silence at the end, in which everything must come right. */
  readonly quietMs: number;
}
