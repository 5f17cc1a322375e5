/** Records as the exchange shows them: immutable copies, made when they are asked for. */
import type { AccountId, EventId, MarketId, OrderId, WagerId } from './ids.js';
import type { Micros, Money, PriceUnits, Shares } from '../../domain/units.js';
import type {
  Currency,
  CurrencyMode,
  EventStatus,
  KycStatus,
  MarketStatus,
  Position,
  Resolution,
  ResolutionMode,
  Side,
  TimeInterval,
  WagerStatus,
} from '../../domain/vocabulary.js';
import type { Category } from './config.js';
import type { HalfPriceUnits } from './events.js';

/** Specification 2.1. */
export interface AccountView {
  readonly id: AccountId;
  readonly username: string;
  readonly email: string;
  /** Spendable cash per currency (what resting bids lock is not in it), every currency in order. */
  readonly wallet: Readonly<Record<Currency, Money>>;
  readonly emailConfirmed: boolean;
  readonly realCurrencyEnabled: boolean;
  readonly kycStatus: KycStatus;
  readonly dateJoined: Micros | null;
  readonly walletUser: boolean;
}

/** Status words of REST: an expired order is listed as `canceled`. */
export type ListedOrderStatus = 'processing' | 'open' | 'partial_filled' | 'filled' | 'canceled';

/** Specification 2.3, both shapes. */
export interface OrderView {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  /** Of the named position; null for a market order. */
  readonly price: PriceUnits | null;
  /** Requested; of a market order by amount: what it filled. */
  readonly shares: Shares;
  readonly filled: Shares;
  /** Price x shares of the fills, without fees. */
  readonly filledAmount: Money;
  /** Price x shares; of a market order its amount, or what it filled when it has none. */
  readonly amount: Money;
  readonly status: ListedOrderStatus;
  readonly expiresAt: Micros | null;
  readonly createdAt: Micros;
}

/** What happened to a wager. */
export interface WagerActionView {
  readonly id: number;
  readonly type: 'purchase' | 'sale' | 'payout' | 'refund' | 'reversal';
  readonly shares: Shares;
  /** Of the wager's position; null for all but purchases and sales. */
  readonly price: PriceUnits | null;
  /** Cash of this action before fees; negative for what is taken back. */
  readonly amount: Money;
  readonly fee: Money;
  readonly orderId: OrderId | null;
  readonly at: Micros;
}

/** Specification 2.5. */
export interface WagerView {
  readonly id: WagerId;
  readonly account: AccountId;
  readonly status: WagerStatus;
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly position: Position;
  readonly currency: Currency;
  readonly shares: Shares;
  /** Price x shares of every purchase, without fees. */
  readonly totalAmount: Money;
  /** Cost of the shares still held (average cost), without fees. */
  readonly purchasesAmount: Money;
  /** Purchases since the wager was opened, when it is the last outcome bought in its event; else empty. */
  readonly activePurchases: readonly WagerActionView[];
  /** (received + obtainable now - paid) / paid, fees included. */
  readonly roi: number;
  /** Received + obtainable now - paid, fees included. */
  readonly earnings: Money;
  readonly amountOnWin: Money;
  /** What the book would pay now, after the taker fee; shares it cannot take are worth nothing here. */
  readonly amountOnSell: Money;
  readonly lastProfit: Money | null;
  readonly lastSellAmount: Money | null;
  readonly lastPurchase: Micros;
  readonly lastUpdate: Micros;
  /** null: forgotten by now. */
  readonly lastAction: WagerActionView | null;
  readonly actionsCount: number;
}

export interface WagerDetailView extends WagerView {
  /** Oldest first. */
  readonly actions: readonly WagerActionView[];
}

export interface Page<Item> {
  /** Matching records on all pages. */
  readonly total: number;
  readonly offset: number;
  readonly pageSize: number;
  readonly results: readonly Item[];
}

/** One level of a book (specification 2.7). */
export interface BookLevelView {
  /** Of the asked position. */
  readonly price: PriceUnits;
  readonly shares: Shares;
  readonly amount: Money;
  /** Taker fee of all shares of the level. */
  readonly fees: Money;
  readonly cumulativeShares: Shares;
  readonly cumulativeAmount: Money;
  readonly cumulativeFees: Money;
  /** Shares of the viewer's orders that are not filled yet; null when nobody signed. */
  readonly userShares: Shares | null;
}

export interface BookView {
  /** Highest price first. */
  readonly bids: readonly BookLevelView[];
  /** Lowest price first. */
  readonly asks: readonly BookLevelView[];
}

export interface PricePoint {
  readonly at: Micros;
  /** Markets that have a price, in display order. */
  readonly outcomes: readonly {
    readonly marketId: MarketId;
    readonly title: string;
    readonly price: HalfPriceUnits;
  }[];
}

export interface PriceHistoryView {
  readonly mode: CurrencyMode;
  readonly interval: TimeInterval;
  /** Chronological. */
  readonly points: readonly PricePoint[];
}

export interface MarketView {
  readonly id: MarketId;
  readonly eventId: EventId;
  readonly title: string;
  readonly tickUnits: number;
  readonly status: MarketStatus;
  /** Orders are taken and matched at this moment. */
  readonly tradable: boolean;
  readonly disabled: boolean;
  readonly betStart: Micros | null;
  readonly betEnd: Micros | null;
  readonly resolution: Resolution | null;
  readonly longLabel: string;
  readonly shortLabel: string;
  /** Place among the markets of its event, from 0. */
  readonly order: number;
  readonly playMoney: HalfPriceUnits | null;
  readonly realMoney: HalfPriceUnits | null;
}

export interface EventView {
  readonly id: EventId;
  readonly title: string;
  readonly slug: string;
  readonly description: string;
  readonly status: EventStatus;
  readonly category: Category;
  readonly resolutionMode: ResolutionMode;
  readonly isBinary: boolean;
  readonly isLive: boolean;
  readonly extraData: Readonly<Record<string, unknown>> | null;
  /** Whether orders are taken at this moment. */
  readonly wagerable: boolean;
  readonly betStart: Micros | null;
  readonly betEnd: Micros | null;
  readonly eventStart: Micros | null;
  readonly eventEnd: Micros | null;
  readonly resolvedAt: Micros | null;
  readonly tax: Readonly<Record<CurrencyMode, number | null>>;
  readonly minAmount: Money;
  readonly maxAmount: Money;
  readonly wagersPlayMoney: number;
  readonly wagersRealMoney: number;
  readonly volumePlayMoney: Money;
  readonly volumeRealMoney: Money;
  readonly markets: readonly MarketView[];
}

/** What a comment shows of its author. */
export interface AuthorView {
  readonly id: AccountId;
  readonly username: string;
  /** Won wagers / settled wagers; 0 without any. */
  readonly winRate: number;
  readonly wagersCount: number;
  /** Profit of closed wagers, currency units of all currencies at par. */
  readonly netEarnings: Money;
}

/** Shares held of one position, and the part of them that no resting ask has locked. */
export interface HoldingView {
  readonly shares: Shares;
  readonly free: Shares;
}

/** A holding and the part of it that resting asks lock. */
export interface HoldingRow {
  readonly marketId: MarketId;
  readonly position: Position;
  readonly shares: Shares;
  readonly locked: Shares;
}

/** One account in one currency. */
export interface AccountRow {
  readonly id: AccountId;
  readonly currency: Currency;
  /** Spendable; may be negative after a reversal. */
  readonly cash: Money;
  /** Locked by bids; never negative. */
  readonly locked: Money;
  readonly shares: readonly HoldingRow[];
}

/**
 * `collateral` backs the shares in existence, `fees` and `rounding` are the venue's, `clearing` swaps the real
 * currencies at par, `external` is the world: deposits, and the counterparty of foreign volume.
 */
export type SystemAccountName = 'collateral' | 'fees' | 'rounding' | 'clearing' | 'external';

export interface SystemRow {
  readonly name: SystemAccountName;
  readonly currency: Currency;
  readonly amount: Money;
}

/** All cash there is. `sum` is zero in every currency after every command. */
export interface LedgerView {
  readonly accounts: readonly AccountRow[];
  readonly system: readonly SystemRow[];
  readonly sum: Readonly<Record<Currency, Money>>;
}

/** A row of the trade register. */
export interface TradeRow {
  readonly id: number;
  readonly marketId: MarketId;
  readonly mode: CurrencyMode;
  /** Long-side price. */
  readonly price: PriceUnits;
  readonly shares: Shares;
  readonly settlement: 'transfer' | 'mint' | 'redeem';
  readonly takerBookSide: 'bid' | 'ask';
  /** null: others' volume. */
  readonly takerOrderId: OrderId | null;
  readonly makerOrderId: OrderId | null;
  readonly takerAccount: AccountId | null;
  readonly makerAccount: AccountId | null;
  readonly takerFee: Money;
  readonly makerFee: Money;
  readonly at: Micros;
}
