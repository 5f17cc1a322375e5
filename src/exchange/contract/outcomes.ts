import type { OrderId } from './ids.js';
import type { CommandKind } from './commands.js';
import type { AccountView, OrderView } from './views.js';

/**
 * Refusals of specification 7.2. An ask for more shares than are held and free is `UserNotEnoughBalance`;
 * `InvalidShares` is about the number alone.
 */
export type OrderRefusalCode =
  | 'RealMoneyForbiddenCountry'
  | 'RealMoneyBetNotAllowed'
  | 'EmailNotConfirmed'
  | 'UserBlockedBets'
  | 'UserNotEnoughBalance'
  | 'InvalidShares'
  | 'OutcomeDisabled'
  | 'MarketClosed'
  | 'OrderBookMarketClosed'
  | 'OrderBookConflictingOrders'
  | 'OrderBookInvalidAmount';

/** Why an order was not created: a code of 7.2, or `ValidationError` with messages per field of the wire. */
export type OrderRefusal =
  | { readonly code: OrderRefusalCode }
  | { readonly code: 'ValidationError'; readonly fields: Readonly<Record<string, readonly string[]>> };

/** Why a whole command had no effect. */
export type CommandRefusal = OrderRefusal | { readonly code: 'wager_action_duplicated' };

/** Why an order could not be cancelled or updated. The server writes the sentence (specification 7.3). */
export type CancelRefusal = 'not-found' | 'processing' | 'filled' | 'canceled';

export type PlaceOutcome =
  | { readonly ok: true; readonly order: OrderView; readonly cancelledIds: readonly OrderId[] }
  | { readonly ok: false; readonly refusal: CommandRefusal };

export type ItemResult<Value, Why> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly why: Why };

export type PlaceBatchOutcome =
  | {
      readonly ok: true;
      /** In the order of the request. */
      readonly items: readonly ItemResult<OrderView, OrderRefusal>[];
      /** Cancelled because an item said `cancelConflicting`. */
      readonly cancelledIds: readonly OrderId[];
    }
  | { readonly ok: false; readonly refusal: CommandRefusal };

/** `lost`: the old order is gone without a replacement, a failure imitated on request. */
export type UpdateRefusal = OrderRefusal | { readonly code: CancelRefusal | 'not-open' | 'lost' };

/** @property orderId of the order that was to be replaced */
export type UpdateItem = ItemResult<OrderView, UpdateRefusal> & { readonly orderId: OrderId };

export type UpdateBatchOutcome =
  | { readonly ok: true; readonly items: readonly UpdateItem[] }
  | { readonly ok: false; readonly refusal: CommandRefusal };

export type CancelOutcome = ItemResult<OrderId, CancelRefusal>;

export interface CancelBatchOutcome {
  readonly items: readonly (CancelOutcome & { readonly orderId: OrderId })[];
}

export interface CancelAllOutcome {
  /** Ascending. */
  readonly canceledIds: readonly OrderId[];
  readonly processingIds: readonly OrderId[];
}

/** Answer to an administrator's command. */
export type AdminOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: 'not-found'; readonly detail: string }
  | {
      readonly ok: false;
      readonly why: 'invalid';
      /** Path of what was wrong in the administrator's own words (`markets.0.id`); `event` or `market`: the one named. */
      readonly field: string;
      /** What was expected. */
      readonly detail: string;
    };

export type RegisterSafeOutcome =
  { readonly ok: true; readonly account: AccountView } | { readonly ok: false; readonly why: 'not-found' };

/** Whether recorded volume was accepted. Its effect on our orders is in the events. */
export interface ForeignOutcome {
  readonly ok: boolean;
}

/** The outcome of each command. */
export interface OutcomeOf extends Record<CommandKind, unknown> {
  'place-order': PlaceOutcome;
  'place-batch': PlaceBatchOutcome;
  'update-batch': UpdateBatchOutcome;
  'cancel-order': CancelOutcome;
  'cancel-batch': CancelBatchOutcome;
  'cancel-all': CancelAllOutcome;
  'register-safe': RegisterSafeOutcome;
  'advance-time': { readonly ok: true };
  'add-account': AdminOutcome;
  'add-event': AdminOutcome;
  'add-market': AdminOutcome;
  'set-event-status': AdminOutcome;
  'set-market-status': AdminOutcome;
  'resolve-event': AdminOutcome;
  'reverse-event': AdminOutcome;
  'set-live': AdminOutcome;
  deposit: AdminOutcome;
  'post-comment': AdminOutcome;
  'send-test-event': AdminOutcome;
  'set-foreign-book': ForeignOutcome;
  'foreign-print': ForeignOutcome;
  'foreign-moment': ForeignOutcome;
  'foreign-order': ForeignOutcome;
}
