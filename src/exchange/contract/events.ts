/**
 * Events that a command causes: one type per realtime event of specification 6.2, and `trade` for observers inside the
 * program. Order updates and trades come first, as they happen. Then each changed book, best price, price, position and
 * balance follows once.
 */
import type { AccountId, EventId, MarketId, OrderId, WagerId } from './ids.js';
import type { Micros, Money, PriceUnits, Shares } from '../../domain/units.js';
import type {
  Currency,
  CurrencyMode,
  EventStatus,
  MarketStatus,
  Position,
  Resolution,
  Side,
} from '../../domain/vocabulary.js';

/** `order-update`, to the owner: created, opened, filled in part or whole, cancelled, expired. */
export interface OrderUpdateEvent {
  readonly kind: 'order-update';
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly marketId: MarketId;
  readonly eventId: EventId;
  readonly status: RealtimeOrderStatus;
  /** null: the order was created just now. */
  readonly previousStatus: RealtimeOrderStatus | null;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  /** Of the named position; null for a market order. */
  readonly price: PriceUnits | null;
  readonly requested: Shares;
  /** Cumulative. */
  readonly filled: Shares;
  /** Filled by this update. */
  readonly filledDelta: Shares;
  /** Price x shares of all fills so far, without fees; its quotient by `filled` is the average price. */
  readonly filledAmount: Money;
  readonly cancelReason: CancelReason | null;
  readonly systemInitiated: boolean;
  readonly expiresAt: Micros | null;
  readonly at: Micros;
}

export type RealtimeOrderStatus = 'pending' | 'open' | 'partial_filled' | 'filled' | 'canceled' | 'expired';

export type CancelReason =
  | 'user-requested'
  | 'replaced'
  | 'conflicting-order'
  | 'unfilled-market-order'
  | 'expired'
  | 'market-closed'
  | 'event-cancelled'
  | 'event-resolved';

/** One side of a trade. Others' volume from a recording has neither order nor account. */
export interface TradeParty {
  readonly orderId: OrderId | null;
  readonly account: AccountId | null;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  /** Paid by this party; negative is a rebate. */
  readonly fee: Money;
}

/** A trade, for observers inside the program. It has no realtime channel. */
export interface TradeEvent {
  readonly kind: 'trade';
  readonly tradeId: number;
  readonly marketId: MarketId;
  readonly eventId: EventId;
  readonly mode: CurrencyMode;
  /** Long-side price: the resting order's. */
  readonly price: PriceUnits;
  readonly shares: Shares;
  /** `mint`: both bought, `redeem`: both sold, `transfer`: shares changed hands. */
  readonly settlement: 'transfer' | 'mint' | 'redeem';
  /** Side of the taker in the long-side book. */
  readonly takerBookSide: Side;
  readonly taker: TradeParty;
  readonly maker: TradeParty;
  readonly at: Micros;
}

/** One side of a published book, best first, in long-side prices. Both arrays have the same length. */
export interface PublishedLevels {
  readonly prices: readonly PriceUnits[];
  readonly shares: readonly Shares[];
}

/** `order-book-update`: the absolute best N levels of one market. An unchanged side is the same object as before. */
export interface OrderBookUpdateEvent {
  readonly kind: 'order-book-update';
  readonly marketId: MarketId;
  readonly eventId: EventId;
  readonly mode: CurrencyMode;
  readonly topN: number;
  readonly bids: PublishedLevels;
  readonly asks: PublishedLevels;
  readonly at: Micros;
}

/** `best-prices-change`, of wagerable markets only. */
export interface BestPricesChangeEvent {
  readonly kind: 'best-prices-change';
  readonly marketId: MarketId;
  readonly eventId: EventId;
  readonly mode: CurrencyMode;
  readonly bid: PriceUnits | null;
  readonly ask: PriceUnits | null;
}

/** `price-change`. A price is the long mid, or the last trade where a side is missing, or null. */
export interface PriceChangeEvent {
  readonly kind: 'price-change';
  readonly eventId: EventId;
  readonly mode: CurrencyMode;
  readonly status: EventStatus;
  readonly wagerable: boolean;
  readonly wagersPlayMoney: number;
  readonly wagersRealMoney: number;
  readonly volumePlayMoney: Money;
  readonly volumeRealMoney: Money;
  readonly markets: readonly MarketPrice[];
}

/** Half price units (0.00005), because a mid may lie between two of them. */
export type HalfPriceUnits = number;

export interface MarketPrice {
  readonly marketId: MarketId;
  readonly status: MarketStatus;
  readonly resolution: Resolution | null;
  readonly playMoney: HalfPriceUnits | null;
  readonly realMoney: HalfPriceUnits | null;
}

/** `new-market`. */
export interface NewMarketEvent {
  readonly kind: 'new-market';
  readonly marketId: MarketId;
  readonly eventId: EventId;
}

/** `live-data-update`: live data, status or resolution of an event changed. */
export interface LiveDataUpdateEvent {
  readonly kind: 'live-data-update';
  readonly eventId: EventId;
  readonly status: EventStatus;
  /** Title of the winning market of an exclusive event, `long` or `short` of a single one; null: unresolved. */
  readonly resolution: string | null;
  readonly resolvedAt: Micros | null;
  readonly eventStart: Micros | null;
  readonly eventEnd: Micros | null;
  readonly extraData: Readonly<Record<string, unknown>> | null;
  readonly isLive: boolean;
}

/** `market-status-change` (payload: facts "Events and markets"). */
export interface MarketStatusChangeEvent {
  readonly kind: 'market-status-change';
  readonly eventId: EventId;
  /** null: the whole event. */
  readonly marketId: MarketId | null;
  readonly status: EventStatus | MarketStatus;
  readonly previousStatus: EventStatus | MarketStatus;
  readonly betStart: Micros | null;
  readonly betEnd: Micros | null;
  readonly disabled: boolean;
  readonly at: Micros;
}

/** `market-comment`, some seconds after it was posted. */
export interface MarketCommentEvent {
  readonly kind: 'market-comment';
  readonly commentId: number;
  readonly eventId: EventId;
  readonly account: AccountId;
  readonly content: string;
  readonly postedAt: Micros;
}

/** `balance-changed`, once per command and account. */
export interface BalanceChangedEvent {
  readonly kind: 'balance-changed';
  readonly account: AccountId;
  readonly at: Micros;
}

/** `deposit-success`. */
export interface DepositSuccessEvent {
  readonly kind: 'deposit-success';
  readonly account: AccountId;
  readonly currency: Currency;
  readonly amount: Money;
}

/** `position-update`, once per command and holding. */
export interface PositionUpdateEvent {
  readonly kind: 'position-update';
  readonly account: AccountId;
  readonly wagerId: WagerId;
  readonly marketId: MarketId;
  readonly eventId: EventId;
  readonly position: Position;
  readonly currency: Currency;
  readonly shares: Shares;
  /** Cost of the open shares, without fees. */
  readonly purchasesAmount: Money;
}

/** `test-event`. */
export interface TestEventEvent {
  readonly kind: 'test-event';
  readonly at: Micros;
}

export type ExchangeEvent =
  | OrderUpdateEvent
  | TradeEvent
  | OrderBookUpdateEvent
  | BestPricesChangeEvent
  | PriceChangeEvent
  | NewMarketEvent
  | LiveDataUpdateEvent
  | MarketStatusChangeEvent
  | MarketCommentEvent
  | BalanceChangedEvent
  | DepositSuccessEvent
  | PositionUpdateEvent
  | TestEventEvent;
