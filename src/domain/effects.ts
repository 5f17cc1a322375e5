/** Everything the engine can ask of the world. Requests are answered by an {@link Answer} of the same id. */
import type { EventId, MarketId, OrderId } from './ids.js';
import type { CancelScope, KnownOrders, LimitOrder, OrderReplacement } from './orders.js';
import type { Micros } from './units.js';
import type { CurrencyMode } from './vocabulary.js';

declare const approved: unique symbol;
/** A value that passed the risk gate; only `risk/` makes one. */
export type Approved<Value> = Value & { readonly [approved]: true };

/** Requests that may change what stands at the venue. The profile of the venue says how many items one takes. */
export type TradingRequest =
  | { readonly kind: 'create-orders'; readonly orders: readonly Approved<LimitOrder>[] }
  | { readonly kind: 'replace-orders'; readonly replacements: readonly Approved<OrderReplacement>[] }
  | { readonly kind: 'cancel-orders'; readonly orderIds: readonly OrderId[] }
  | { readonly kind: 'cancel-scope'; readonly scope: CancelScope };

/** Requests that only ask. */
export type ReadRequest =
  /** `known`: orders that may still work. The ends of those that the listing does not show are looked for. */
  | { readonly kind: 'read-orders'; readonly known?: KnownOrders }
  /** `disabledIn`: events with a disabled market. A venue may list what is held there elsewhere. */
  | { readonly kind: 'read-holdings'; readonly disabledIn?: readonly EventId[] }
  | { readonly kind: 'read-balances' }
  | { readonly kind: 'read-book'; readonly marketId: MarketId; readonly mode: CurrencyMode }
  | { readonly kind: 'read-event'; readonly eventId: EventId };

export type VenueRequest = TradingRequest | ReadRequest;

/** Whether the request may change what stands: only such a one is journalled and can be in doubt. */
export const isTrading = (request: VenueRequest): request is TradingRequest =>
  !request.kind.startsWith('read-');

/** Send one request. Answers may come in any order. */
export interface SendEffect {
  readonly kind: 'send';
  /** 1, 2, 3 and so on within one run; with the run id it makes the idempotency key. */
  readonly requestId: number;
  readonly request: VenueRequest;
  /** Wall time after which its first byte must not leave any more. */
  readonly deadline: Micros;
}

/** Wake the engine with a timer input at this time; a later request replaces an earlier one. */
export interface WakeEffect {
  readonly kind: 'wake';
  readonly at: Micros;
}

/** Tell a person. */
export interface NoticeEffect {
  readonly kind: 'notice';
  readonly level: 'info' | 'warning' | 'error';
  /** Stable, kebab-case; texts may change. */
  readonly code: string;
  readonly text: string;
  readonly marketId: MarketId | null;
}

/** The engine reached an end: after `stop` (everything proved cancelled or not), or because of a broken invariant. */
export interface EndEffect {
  readonly kind: 'end';
  readonly outcome: 'clean' | 'orders-may-remain' | 'invariant' | 'keys-refused';
  readonly text: string;
}

/** Give the realtime connection up and make it anew: it does not tell what it should. */
export interface ReconnectEffect {
  readonly kind: 'reconnect';
  readonly reason: string;
}

export type Effect = SendEffect | WakeEffect | NoticeEffect | ReconnectEffect | EndEffect;
