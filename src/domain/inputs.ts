/**
 * Everything that can enter the engine. One inbox stamps each with a sequence number and a receive time; the
 * stamped inputs alone determine every decision.
 */
import type { Answer } from './answers.js';
import type { EventId, MarketId } from './ids.js';
import type { Levels } from './levels.js';
import type { HoldingReport, OrderReport } from './orders.js';
import type { Micros, Money, PriceUnits } from './units.js';
import type {
  Currency,
  CurrencyMode,
  EventStatus,
  MarketStatus,
  Position,
  Resolution,
} from './vocabulary.js';

/** `order-book-update`: the absolute best N levels of one market (specification 6.3). */
export interface BookUpdate {
  readonly kind: 'book-update';
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly mode: CurrencyMode;
  readonly topN: number;
  readonly bids: Levels;
  readonly asks: Levels;
  readonly venueTime: Micros;
}

/** `best-prices-change`. */
export interface BestPricesChange {
  readonly kind: 'best-prices-change';
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly mode: CurrencyMode;
  readonly bid: PriceUnits | null;
  readonly ask: PriceUnits | null;
}

/** `price-change`: volumes are money units of the mode's canonical currency, null when not stated. */
export interface PriceChange {
  readonly kind: 'price-change';
  readonly eventId: EventId;
  readonly status: EventStatus;
  readonly mode: CurrencyMode;
  readonly wagerable: boolean;
  readonly volumePlayMoney: Money | null;
  readonly volumeRealMoney: Money | null;
  readonly markets: readonly {
    readonly marketId: MarketId;
    readonly status: MarketStatus;
    readonly resolution: Resolution | null;
  }[];
}

/** `new-market`. */
export interface NewMarket {
  readonly kind: 'new-market';
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly title: string;
  readonly status: MarketStatus;
  readonly betStart: Micros | null;
  readonly betEnd: Micros | null;
}

/** `live-data-update`. */
export interface LiveDataUpdate {
  readonly kind: 'live-data-update';
  readonly eventId: EventId;
  readonly status: EventStatus;
  readonly resolution: string | null;
  readonly isLive: boolean;
  readonly eventStart: Micros | null;
  readonly eventEnd: Micros | null;
}

/**
 * `market-status-change`. The payload is undocumented: what could not be read is `undefined` (not said), and
 * `understood: false` stops quoting on the event until REST has told its state. `eventId` is null only then.
 */
export interface MarketStatusChange {
  readonly kind: 'market-status-change';
  readonly understood: boolean;
  readonly eventId: EventId | null;
  /** null: the whole event. */
  readonly marketId: MarketId | null;
  readonly status?: MarketStatus | EventStatus;
  readonly betStart?: Micros | null;
  readonly betEnd?: Micros | null;
  readonly disabled?: boolean;
  readonly venueTime: Micros | null;
}

/** `market-comment`. */
export interface MarketComment {
  readonly kind: 'market-comment';
  readonly eventId: EventId;
  readonly commentId: number;
  readonly content: string;
}

/** `order-update`: a report about one of the account's orders. */
export interface OrderUpdate {
  readonly kind: 'order-update';
  readonly report: OrderReport;
  readonly cancelReason: string | null;
  readonly systemInitiated: boolean;
  readonly venueTime: Micros;
}

/** `position-update`. */
export interface PositionUpdate {
  readonly kind: 'position-update';
  readonly holding: HoldingReport;
}

/** `balance-changed`: carries no amount; balances are to be read again. */
export interface BalanceChanged {
  readonly kind: 'balance-changed';
  readonly venueTime: Micros;
}

/** `deposit-success`. */
export interface DepositSuccess {
  readonly kind: 'deposit-success';
  readonly amount: Money;
  readonly currency: Currency;
}

/** `test-event` on the test channel. */
export interface TestEvent {
  readonly kind: 'test-event';
}

/** A frame that no reader could place; counted and logged, never a crash. */
export interface MalformedFrame {
  readonly kind: 'malformed-frame';
  readonly event: string;
  readonly channel: string;
  readonly reason: string;
}

/** The realtime connection came or went. `lost` is sent within milliseconds of the loss. */
export interface ConnectionChange {
  readonly kind: 'connection';
  readonly state: 'connected' | 'lost' | 'refused';
  readonly reason: string;
}

/** What a channel tells of: our account, one event, or something else. */
export type ChannelSubject =
  | { readonly kind: 'account' }
  | { readonly kind: 'event'; readonly eventId: EventId }
  | { readonly kind: 'other' };

/** A channel was joined or refused. */
export interface SubscriptionChange {
  readonly kind: 'subscription';
  /** Its name at the venue, for people. */
  readonly channel: string;
  readonly about: ChannelSubject;
  readonly state: 'subscribed' | 'refused';
  readonly reason: string;
}

/** Everything the realtime feed can say. */
export type FeedInput =
  | BookUpdate
  | BestPricesChange
  | PriceChange
  | NewMarket
  | LiveDataUpdate
  | MarketStatusChange
  | MarketComment
  | OrderUpdate
  | PositionUpdate
  | BalanceChanged
  | DepositSuccess
  | TestEvent
  | MalformedFrame
  | ConnectionChange
  | SubscriptionChange;

/** A timer the engine asked for, or the regular beat. */
export interface TimerFired {
  readonly kind: 'timer';
}

/** A fair value from outside (a model, another market): probability of the long side. */
export interface FairValueUpdate {
  readonly kind: 'fair-value';
  readonly marketId: MarketId;
  readonly p: number;
  /** 0 to 1, as the source states it. */
  readonly confidence: number;
  readonly at: Micros;
}

/** Rules of one market that configuration states and the venue may change. */
export interface MarketRules {
  /** Price units per tick. */
  readonly tickUnits: number;
  readonly minAmount: Money;
  readonly maxAmount: Money;
  readonly takerFee: Money;
  readonly makerFee: Money;
}

/** What a person or the process tells the engine. */
export type OperatorCommand =
  | { readonly kind: 'command'; readonly command: 'start' }
  /** Close the intent gate, cancel everything, prove it. */
  | { readonly kind: 'command'; readonly command: 'stop'; readonly reason: string }
  /** Latched until a person resumes. */
  | { readonly kind: 'command'; readonly command: 'kill'; readonly reason: string }
  /** A person accepts whatever latched. */
  | { readonly kind: 'command'; readonly command: 'resume' }
  /** What a kill was for is over (a guard's fence was cleared); what else latched, and losses, hold. */
  | { readonly kind: 'command'; readonly command: 'release' }
  /** The venue changed the rules of a market, which it does not say itself. */
  | {
      readonly kind: 'command';
      readonly command: 'set-terms';
      readonly marketId: MarketId;
      readonly changes: Partial<MarketRules>;
    }
  | {
      readonly kind: 'command';
      readonly command: 'set-parameters';
      readonly instance: string;
      readonly values: Readonly<Record<string, unknown>>;
    };

export type Input = FeedInput | Answer | TimerFired | FairValueUpdate | OperatorCommand;

/** An input as the inbox hands it on. */
export interface Stamped<I extends Input = Input> {
  /** 1, 2, 3 and so on within one run. */
  readonly seq: number;
  /** Wall time of receipt, never decreasing within one run. */
  readonly at: Micros;
  readonly input: I;
}

/** Position words as frames write them; both spellings are accepted everywhere. */
export const POSITION_SPELLINGS: Readonly<Record<string, Position>> = {
  long: 'long',
  short: 'short',
  l: 'long',
  s: 'short',
};
