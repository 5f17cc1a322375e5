/** Commands change the exchange. One HTTP request is one command; items of a batch run in order. */
import type { AccountId, EventId, MarketId, OrderId } from './ids.js';
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
import type { AccountConfig, EventConfig, MarketConfig } from './config.js';

/**
 * An order creation input (specification 2.4). Numbers are counts on the grids of `domain/units.ts`. The exchange
 * checks them: a value off its grid is refused by the rule for that field.
 */
export interface OrderRequest {
  readonly marketId: MarketId;
  /** Verified to own the market when given. */
  readonly eventId: EventId | null;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  /** Count of 0.0001, of the named position; null: a market order. */
  readonly price: number | null;
  /** Count of 0.01; anything but a positive integer is `InvalidShares`. */
  readonly shares: number | null;
  /** Count of 0.000001. With shares it only validates a limit order and caps a market order. */
  readonly amount: number | null;
  readonly expiresAt: Micros | null;
  readonly cancelConflicting: boolean;
}

/** One item of a batch update. A missing field stays as it is. */
export interface OrderUpdateRequest {
  readonly orderId: OrderId;
  /** Count of 0.0001, as in {@link OrderRequest}. */
  readonly price?: number;
  /** Count of 0.01: the whole size of the replacement. */
  readonly shares?: number;
  /** null removes the expiry. */
  readonly expiresAt?: Micros | null;
}

/** Identifies a request, for idempotency and for the refusal of duplicates. */
export interface RequestIdentity {
  /** `Idempotency-Key`, null when absent. */
  readonly key: string | null;
  /** Canonical JSON text of the body, or a digest of it: equal for equal JSON values only. */
  readonly body: string;
}

/** Faults that the exchange imitates on request. Absent in ordinary runs. */
export interface Misbehaviour {
  /** Replaces `processingDelayMs` for the orders of this command. */
  readonly processingMs?: number;
  /** Batch update cancels and then fails to create. */
  readonly loseReplacement?: true;
}

interface Creating {
  readonly account: AccountId;
  /** null: neither idempotent nor checked for duplicates. */
  readonly request: RequestIdentity | null;
  readonly misbehaviour?: Misbehaviour;
}

export interface PlaceOrder extends Creating {
  readonly kind: 'place-order';
  readonly order: OrderRequest;
}
export interface PlaceBatch extends Creating {
  readonly kind: 'place-batch';
  readonly orders: readonly OrderRequest[];
}
export interface UpdateBatch extends Creating {
  readonly kind: 'update-batch';
  readonly updates: readonly OrderUpdateRequest[];
}
export interface CancelOrder {
  readonly kind: 'cancel-order';
  readonly account: AccountId;
  readonly orderId: OrderId;
}
export interface CancelBatch {
  readonly kind: 'cancel-batch';
  readonly account: AccountId;
  readonly orderIds: readonly OrderId[];
}
/** Both scopes null: every order of the account. */
export interface CancelAll {
  readonly kind: 'cancel-all';
  readonly account: AccountId;
  readonly eventId: EventId | null;
  readonly marketId: MarketId | null;
}
export interface RegisterSafe {
  readonly kind: 'register-safe';
  readonly account: AccountId;
  readonly safeAddress: string;
  readonly chainId: number;
}
/**
 * Does what has fallen due: expiries, the end of `processing`, bet windows, delayed comments. Every other command does
 * this first as well.
 */
export interface AdvanceTime {
  readonly kind: 'advance-time';
}

/** The account's first balances come from the world, like those of the configuration. */
export interface AddAccount {
  readonly kind: 'add-account';
  readonly account: AccountConfig;
}
export interface AddEvent {
  readonly kind: 'add-event';
  readonly event: EventConfig;
}
export interface AddMarket {
  readonly kind: 'add-market';
  readonly eventId: EventId;
  readonly market: MarketConfig;
  /** A resolved event opens again. Left out: it is refused. */
  readonly reopens?: true;
}
/** `cancelled` undoes every cash flow. `resolved` and `reversed` are refused: they have commands of their own. */
export interface SetEventStatus {
  readonly kind: 'set-event-status';
  readonly eventId: EventId;
  readonly status: EventStatus;
}
export interface SetMarketStatus {
  readonly kind: 'set-market-status';
  readonly marketId: MarketId;
  readonly status?: MarketStatus;
  readonly disabled?: boolean;
  readonly betEnd?: Micros | null;
}
/** Markets without a resolution here stay as they are. The event is resolved with its last market. */
export interface ResolveEvent {
  readonly kind: 'resolve-event';
  readonly eventId: EventId;
  readonly resolutions: readonly { readonly marketId: MarketId; readonly resolution: Resolution }[];
}
/** Takes the payouts of a resolution back. */
export interface ReverseEvent {
  readonly kind: 'reverse-event';
  readonly eventId: EventId;
}
export interface SetLive {
  readonly kind: 'set-live';
  readonly eventId: EventId;
  readonly isLive: boolean;
  readonly extraData: Readonly<Record<string, unknown>> | null;
}
export interface Deposit {
  readonly kind: 'deposit';
  readonly account: AccountId;
  readonly currency: Currency;
  /** Positive. */
  readonly amount: Money;
}
export interface PostComment {
  readonly kind: 'post-comment';
  readonly eventId: EventId;
  readonly account: AccountId;
  readonly content: string;
}
export interface SendTestEvent {
  readonly kind: 'send-test-event';
}

/** One side of others' book, best first, in long-side prices. Both arrays have the same length. */
export interface ForeignSide {
  readonly prices: readonly PriceUnits[];
  readonly shares: readonly Shares[];
}
/**
 * A recorded book line sets others' absolute volume. If it states `depth` levels, levels behind the last one stay as
 * they were. If it states fewer, they are gone.
 */
export interface SetForeignBook {
  readonly kind: 'set-foreign-book';
  readonly marketId: MarketId;
  readonly mode: CurrencyMode;
  readonly bids: ForeignSide;
  readonly asks: ForeignSide;
  /** Levels per side that the recording can show. */
  readonly depth: number;
  /** Whether a stated level fills our orders that it crosses. */
  readonly crossing: 'fill' | 'ignore';
}
/** A recorded trade acts as an immediate-or-cancel order of others at its price. */
export interface ForeignPrint {
  readonly kind: 'foreign-print';
  readonly marketId: MarketId;
  readonly mode: CurrencyMode;
  /** Side of the aggressor on the long side of the book. */
  readonly takerSide: Side;
  readonly price: PriceUnits;
  readonly shares: Shares;
}

/** One side of a recorded book in a market's ticks: a range of columns that never change. */
export interface TickColumns {
  readonly ticks: Int32Array;
  /** More than zero, best level first. */
  readonly shares: Float64Array;
  readonly from: number;
  readonly to: number;
  /** Levels behind the last one may exist although fewer than `depth` are stated. Default: no. */
  readonly isCut?: boolean;
}
/**
 * Everything a recording shows of one market at one time: its prints, then the book they led to. They are published as
 * one change. Prices are ticks. Unlike the two commands above, the content is not checked.
 */
export interface ForeignMoment {
  readonly kind: 'foreign-moment';
  readonly marketId: MarketId;
  readonly mode: CurrencyMode;
  readonly prints: readonly {
    readonly takerSide: Side;
    readonly tick: number;
    readonly shares: Shares;
  }[];
  /** null: no book line at this time. The caller may reuse the object after the command. */
  readonly book: { readonly bids: TickColumns; readonly asks: TickColumns } | null;
  readonly depth: SetForeignBook['depth'];
  readonly crossing: SetForeignBook['crossing'];
}

/**
 * One order of others, in a recording that shows every order with its place in the queue. The content is not checked.
 * - `join`: an order joins behind `ahead` shares of others;
 * - `leave`: `shares` were cancelled that had `ahead` shares of others before them;
 * - `restate`: after prints the level has `shares` left.
 */
export interface ForeignOrder {
  readonly kind: 'foreign-order';
  readonly marketId: MarketId;
  readonly mode: CurrencyMode;
  readonly change: 'join' | 'leave' | 'restate';
  readonly side: Side;
  readonly tick: number;
  readonly shares: number;
  readonly ahead: number;
  readonly depth: SetForeignBook['depth'];
  readonly crossing: SetForeignBook['crossing'];
}

export type Command =
  | PlaceOrder
  | PlaceBatch
  | UpdateBatch
  | CancelOrder
  | CancelBatch
  | CancelAll
  | RegisterSafe
  | AdvanceTime
  | AddAccount
  | AddEvent
  | AddMarket
  | SetEventStatus
  | SetMarketStatus
  | ResolveEvent
  | ReverseEvent
  | SetLive
  | Deposit
  | PostComment
  | SendTestEvent
  | SetForeignBook
  | ForeignPrint
  | ForeignMoment
  | ForeignOrder;

export type CommandKind = Command['kind'];
