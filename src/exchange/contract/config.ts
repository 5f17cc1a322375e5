import type { AccountId, EventId, MarketId } from './ids.js';
import type { Micros, Money } from '../../domain/units.js';
import type { Currency, CurrencyMode, KycStatus, ResolutionMode } from '../../domain/vocabulary.js';

/** Fees per whole share, money units. A negative fee is a rebate. */
export interface FeeSchedule {
  readonly taker: Money;
  readonly maker: Money;
}

/** An account. Its API keys belong to the server. */
export interface AccountConfig {
  readonly id: AccountId;
  readonly username: string;
  readonly email: string;
  readonly emailConfirmed: boolean;
  readonly realCurrencyEnabled: boolean;
  readonly kycStatus: KycStatus;
  /** May not place orders (`UserBlockedBets`). */
  readonly blocked: boolean;
  /** Real money is unavailable in this country (`RealMoneyForbiddenCountry`). */
  readonly forbiddenCountry: boolean;
  readonly following: readonly AccountId[];
  /** Strangers may see this account's wagers. */
  readonly publicWagers: boolean;
  readonly walletUser: boolean;
  readonly dateJoined: Micros | null;
  readonly balances: Readonly<Partial<Record<Currency, Money>>>;
}

/** One outcome of an event. */
export interface MarketConfig {
  readonly id: MarketId;
  readonly title: string;
  /** Price units (0.0001) per tick; a divisor of 10,000. */
  readonly tickUnits: number;
  readonly longLabel: string;
  readonly shortLabel: string;
}

export interface Category {
  readonly id: number;
  readonly name: string;
}

export interface EventConfig {
  readonly id: EventId;
  readonly title: string;
  readonly slug: string;
  readonly description: string;
  readonly resolutionMode: ResolutionMode;
  readonly category: Category;
  readonly isBinary: boolean;
  /** Orders are taken from `betStart` until before `betEnd`; null: no bound. */
  readonly betStart: Micros | null;
  readonly betEnd: Micros | null;
  readonly eventStart: Micros | null;
  readonly eventEnd: Micros | null;
  /** Informational rates (specification 4.16); nothing is charged. Null: no tax. */
  readonly tax: Readonly<Record<CurrencyMode, number | null>>;
  /** Least and most price x shares of one order. */
  readonly minAmount: Money;
  readonly maxAmount: Money;
  /** In display order. */
  readonly markets: readonly MarketConfig[];
}

/** How many records are kept, by default 200,000 of each kind. */
export interface Retention {
  readonly orders: number;
  readonly trades: number;
  readonly wagerActions: number;
  /** Price samples per event and currency mode: 0, or at least 4. Beyond it the older half is thinned. Default 20,000. */
  readonly priceSamples?: number;
}

/** Configuration of the exchange. Listeners, keys and faults belong to the server. */
export interface ExchangeConfig {
  /** A creating request is refused if the same one came within this time. 0: never. */
  readonly duplicateWindowMs: number;
  /** Time that orders stay `processing` before they reach the book. 0: none. */
  readonly processingDelayMs: number;
  /** Delay of `market-comment`. */
  readonly commentDelayMs: number;
  /** Levels per side of one `order-book-update`. */
  readonly topN: number;
  readonly fees: Readonly<Record<CurrencyMode, FeeSchedule>>;
  readonly idempotency: { readonly keptMs: number; readonly bytes: number };
  /** How many finished orders, trades and wager actions are kept. */
  readonly retention?: Retention;
  /** In the order of their listing; ids are unique. */
  readonly accounts: readonly AccountConfig[];
  readonly events: readonly EventConfig[];
}
