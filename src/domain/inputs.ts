/**
 * Everything that can enter the engine. One inbox stamps each with a sequence number and a receive time; the
 * stamped inputs alone determine every decision.
 */
import type { Answer } from './answers.js';
import type { EventId, MarketId } from './ids.js';
import type { Levels } from './levels.js';
import type { EventDescription } from './market.js';
import type { HoldingReport, OrderReport } from './orders.js';
import type { RiskLimits } from './risk-limits.js';
import type { Micros, Money, PriceUnits, Shares } from './units.js';
import type {
  Currency,
  CurrencyMode,
  EventStatus,
  MarketOwnership,
  MarketStatus,
  Resolution,
  Side,
} from './vocabulary.js';

/** The best `topN` levels of one market. They replace the levels before. */
export interface BookInput {
  readonly kind: 'book';
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly mode: CurrencyMode;
  readonly topN: number;
  readonly bids: Levels;
  readonly asks: Levels;
  readonly venueTime: Micros;
}

/** A trade in a market, ours or not. The book that it changed follows. A venue that tells of trades says so in its profile. */
export interface TradeInput {
  readonly kind: 'trade';
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly mode: CurrencyMode;
  /** Of long. */
  readonly price: PriceUnits;
  readonly shares: Shares;
  /** `bid`: the taker bought long; null where the venue does not say. */
  readonly takerSide: Side | null;
  readonly venueTime: Micros;
}

/** The best bid and ask of one market. A side without orders is null. */
export interface TouchInput {
  readonly kind: 'touch';
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly mode: CurrencyMode;
  readonly bid: PriceUnits | null;
  readonly ask: PriceUnits | null;
}

/** The status of an event and of its markets. Volumes are in the main currency of the mode; null when not stated. */
export interface EventStatusInput {
  readonly kind: 'event-status';
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

/** A market was added to an event. */
export interface MarketListedInput {
  readonly kind: 'market-listed';
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly title: string;
  readonly status: MarketStatus;
  readonly betStart: Micros | null;
  readonly betEnd: Micros | null;
}

/** An event began, ended, or goes on: its status, its times and whether it is being played. */
export interface EventLiveInput {
  readonly kind: 'event-live';
  readonly eventId: EventId;
  readonly status: EventStatus;
  readonly resolution: string | null;
  readonly isLive: boolean;
  readonly eventStart: Micros | null;
  readonly eventEnd: Micros | null;
}

/**
 * The tradability of a market or of a whole event changed. What the venue did not say is `undefined`. `understood: false`
 * stops quoting on the event until a read has told its state; `eventId` is null only then.
 */
export interface MarketStatusInput {
  readonly kind: 'market-status';
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

/** Somebody wrote about an event. */
export interface CommentInput {
  readonly kind: 'comment';
  readonly eventId: EventId;
  readonly commentId: number;
  readonly content: string;
}

/** One of the account's orders changed. */
export interface OrderInput {
  readonly kind: 'order';
  readonly report: OrderReport;
  readonly cancelReason: string | null;
  readonly systemInitiated: boolean;
  readonly venueTime: Micros;
}

/** The shares that the account holds in one market changed. */
export interface HoldingInput {
  readonly kind: 'holding';
  readonly holding: HoldingReport;
}

/** The account's cash changed, without an amount: balances are read again. */
export interface BalanceInput {
  readonly kind: 'balance';
  readonly venueTime: Micros;
}

/** Cash was paid into the account. */
export interface DepositInput {
  readonly kind: 'deposit';
  readonly amount: Money;
  readonly currency: Currency;
}

/** The venue tries its feed. Nothing follows from it. */
export interface TestInput {
  readonly kind: 'test';
}

/** A message that could not be read. It is counted and logged. */
export interface MalformedInput {
  readonly kind: 'malformed';
  readonly event: string;
  readonly channel: string;
  readonly reason: string;
}

/** The realtime connection was made or lost. `lost` is sent within milliseconds of the loss. */
export interface LinkInput {
  readonly kind: 'link';
  readonly state: 'connected' | 'lost' | 'refused';
  readonly reason: string;
}

/** What a channel tells of: our account, one event, or something else. */
export type ChannelSubject =
  | { readonly kind: 'account' }
  | { readonly kind: 'event'; readonly eventId: EventId }
  | { readonly kind: 'other' };

/** A channel was joined or refused, or left because nothing of it is wanted any more. */
export interface SubscriptionInput {
  readonly kind: 'subscription';
  /** Its name at the venue, for people. */
  readonly channel: string;
  readonly about: ChannelSubject;
  readonly state: 'subscribed' | 'refused' | 'left';
  readonly reason: string;
}

/** Everything the realtime feed can say. */
export type FeedInput =
  | BookInput
  | TradeInput
  | TouchInput
  | EventStatusInput
  | MarketListedInput
  | EventLiveInput
  | MarketStatusInput
  | CommentInput
  | OrderInput
  | HoldingInput
  | BalanceInput
  | DepositInput
  | TestInput
  | MalformedInput
  | LinkInput
  | SubscriptionInput;

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

/** A named number from outside about a market, which is no probability: a signal of kind `external`. */
export interface SignalUpdate {
  readonly kind: 'signal';
  readonly marketId: MarketId;
  readonly name: string;
  readonly value: number;
  /** 0 to 1, as the source states it. */
  readonly confidence: number;
  readonly at: Micros;
}

export type OutsideValue = FairValueUpdate | SignalUpdate;

/** What a source outside the venue says at one time: it is decided once for all of it, as for the outcomes of an event. */
export interface OutsideInput {
  readonly kind: 'outside';
  readonly values: readonly OutsideValue[];
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
  /** It took too long to answer. */
  | {
      readonly kind: 'command';
      readonly command: 'stop-strategy';
      readonly instance: string;
      readonly reason: string;
    }
  /** All of the changes, or none when one of them cannot be. */
  | ({
      readonly kind: 'command';
      readonly command: 'configure';
      /** Who, for the log. */
      readonly by: string;
    } & ConfigurationChange)
  /** Nothing is quoted there, for so long or until it is resumed. */
  | {
      readonly kind: 'command';
      readonly command: 'pause';
      readonly by: string;
      readonly scope: QuoteScope;
      readonly forMs: number | null;
    }
  /** Every quote there stands so many ticks further from the other side; 0 ends it. */
  | {
      readonly kind: 'command';
      readonly command: 'widen';
      readonly by: string;
      readonly scope: QuoteScope;
      readonly ticks: number;
    }
  /** Ends what `pause` and `widen` said of the scope, and of what lies within it. */
  | {
      readonly kind: 'command';
      readonly command: 'unpause';
      readonly by: string;
      readonly scope: QuoteScope;
    };

/** What a person wants otherwise while the bot runs. */
export interface ConfigurationChange {
  /** Events that join, or of which something else is stated. Markets that are not named go on as they are. */
  readonly events: readonly ConfiguredEvent[];
  /** Instances that join or change. */
  readonly instances: readonly InstanceChange[];
  /** Instances that leave: their quotes are withdrawn. */
  readonly leaving: readonly string[];
}

/** An event as the configuration states it. */
export interface ConfiguredEvent {
  readonly description: EventDescription;
  /** By market. */
  readonly ownership: readonly (readonly [MarketId, MarketOwnership])[];
  /** Markets whose tick the book and refusals teach. */
  readonly learnedGrids: readonly MarketId[];
  /** How many markets resolve long, where that is certain. */
  readonly winners: number | null;
  readonly closes: Micros | null;
  readonly category: string | null;
  readonly underlying: string | null;
  readonly informationWindows: readonly { readonly from: Micros; readonly to: Micros }[];
}

/** What is not named stays as it is. */
export interface InstanceChange extends ParameterChange {
  readonly limits?: RiskLimits;
  /** All that it quotes from now on. */
  readonly markets?: readonly MarketId[];
}

/** The markets that a person's command is about. */
export type QuoteScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'event'; readonly eventId: EventId }
  | { readonly kind: 'market'; readonly marketId: MarketId }
  | { readonly kind: 'instance'; readonly instance: string };

/** New values for parameters of an instance; what is not named keeps its value. */
export interface ParameterChange {
  readonly instance: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** By the place of the modifier. */
  readonly modifiers: readonly Readonly<Record<string, unknown>>[];
}

export type Input = FeedInput | Answer | TimerFired | OutsideInput | OperatorCommand;

/** An input as the inbox hands it on. */
export interface Stamped<I extends Input = Input> {
  /** 1, 2, 3 and so on within one run. */
  readonly seq: number;
  /** Wall time of receipt, never decreasing within one run. */
  readonly at: Micros;
  readonly input: I;
}
