import type { Micros, Money } from '../../../domain/units.js';
import { firstProblem } from '../protocol/errors.js';
import type { Pair, Shape } from '../protocol/shape.js';
import { writeQuery, type QueryValues } from '../protocol/query.js';
import { type Placed } from '../protocol/read/placed.js';
import {
  readBatchCancel,
  readBatchCreate,
  readBatchUpdate,
  readCancelAll,
  readCreatedOrder,
  readOrderPage,
  type OrderListing,
} from '../protocol/read/orders.js';
import { ENDPOINTS, type EndpointName, AUTHORIZE_CHANNEL_PATH, pathOf } from '../protocol/rest/endpoints.js';
import type { Outcome } from '../../outcome.js';
import type { Currency, CurrencyMode, TimeInterval } from '../../../domain/vocabulary.js';
import {
  readBalances,
  readEventWagers,
  readWagerPage,
  type HoldingListing,
} from '../protocol/read/account.js';
import {
  registeredUser,
  userPrivate,
  type RegisteredUser,
  type UserPrivate,
  type WalletRegistration,
  channelAuthorization,
  channelAuthorizationPairs,
  type ChannelAuthorization,
  type ChannelAuthorizationRequest,
} from '../protocol/rest/account.js';
import type { EventId, MarketId, OrderId } from '../../../domain/ids.js';
import type { AnswerBody } from '../../../domain/answers.js';
import type { EventDescription } from '../../../domain/market.js';
import { readBook } from '../protocol/read/book.js';
import { readEvent, readEventPage, type EventListing, type TickUnitsOf } from '../protocol/read/events.js';
import {
  priceHistory as priceHistoryShape,
  type PriceHistory,
  tax as taxShape,
  type Tax,
} from '../protocol/rest/events.js';
import type {
  AccountWideCancel,
  CancelScope,
  LimitOrder,
  OrderReplacement,
  OrderReport,
  HoldingReport,
} from '../../../domain/orders.js';
import type {
  EVENT_WAGERS_QUERY,
  EVENTS_QUERY,
  ORDERS_QUERY,
  REBATES_QUERY,
  WAGERS_QUERY,
} from '../protocol/rest/queries.js';
import {
  encodeMarketOrder,
  type MarketOrder,
  encodeAccountWideCancel,
  encodeBatchCancel,
  encodeBatchCreate,
  encodeBatchUpdate,
  encodeLimitOrder,
  encodeScopedCancel,
} from '../protocol/write/orders.js';
import {
  rebates as rebatesShape,
  wagerDetail,
  type Rebates,
  type WagerDetail,
} from '../protocol/rest/wagers.js';

/** One request as data: which endpoint, with what, and how its answer is read. Nothing happens before it is made. */
export interface Call<Value> {
  readonly endpoint: EndpointName;
  readonly path: string;
  readonly query: readonly Pair[];
  readonly body: CallBody;
  /** Reads the body of a success; `undefined` when the success has none. */
  readonly read: (received: unknown, ourTime: OurTime) => Placed<Value>;
}

/** What our clock showed at a time of the venue's. */
export type OurTime = (venueTime: Micros) => Micros;

/** Nothing, the parameters of a form, or a JSON object. */
export type CallBody = null | { readonly form: readonly Pair[] } | { readonly json: object };

/** Makes one call. */
export type Caller = <Value>(call: Call<Value>) => Promise<Outcome<Value>>;

type Unread = Omit<Call<unknown>, 'read'>;
type QueryOf<Name extends EndpointName> = QueryValues<(typeof ENDPOINTS)[Name]['query']>;

/** A call without a body. */
const asking = <Name extends EndpointName>(endpoint: Name, path: string, query: QueryOf<Name>): Unread => ({
  endpoint,
  path,
  query: writeQuery(ENDPOINTS[endpoint].query, query),
  body: null,
});

/** A call with a body, or with none. */
const telling = (endpoint: EndpointName, path: string, body: CallBody): Unread => ({
  endpoint,
  path,
  query: [],
  body,
});

/** Takes an answer as it came off the wire, once its shape is checked. */
const asReceived =
  <Wire>(shape: Shape<Wire>) =>
  (received: unknown): Placed<Wire> =>
    shape.accepts(received)
      ? { ok: true, value: received }
      : { ok: false, reason: firstProblem(shape.problems(received)) };

/** The account: user, wallet, balances and channel authorisation (specification 4.1 to 4.3, 4.17). */

/** 4.1 */
export const me = (): Call<UserPrivate> => ({
  ...asking('me', pathOf(ENDPOINTS.me.path), {}),
  read: asReceived(userPrivate),
});

/** 4.2 */
export const registerWallet = (wallet: WalletRegistration): Call<RegisteredUser> => ({
  ...telling('registerWallet', pathOf(ENDPOINTS.registerWallet.path), { json: wallet }),
  read: asReceived(registeredUser),
});

/** 4.3; one currency or all. */
export const balances = (currency?: Currency): Call<ReadonlyMap<Currency, Money>> => ({
  ...asking('balances', pathOf(ENDPOINTS.balances.path), { currency }),
  read: readBalances,
});

/** 4.17 */
export const authorizeChannel = (request: ChannelAuthorizationRequest): Call<ChannelAuthorization> => ({
  ...telling('authorizeChannel', AUTHORIZE_CHANNEL_PATH, { form: channelAuthorizationPairs(request) }),
  read: asReceived(channelAuthorization),
});

/** Events, markets and their books (specification 4.14 to 4.16; facts, "Events and markets"). */

/** A book as the domain sees it. */
export type BookReading = Extract<AnswerBody, { readonly kind: 'read-book' }>;

/** 4.14, in long-side prices; own shares stand beside the levels when signed. May be some seconds old. */
export const book = (market: MarketId, mode: CurrencyMode): Call<BookReading> => ({
  ...asking('book', pathOf(ENDPOINTS.book.path, market), { currency_mode: mode, position: 'long' }),
  read: (received) => readBook(received, market, mode),
});

/** 4.15; without an interval all history there is. */
export const priceHistory = (
  event: EventId,
  mode: CurrencyMode,
  interval?: TimeInterval,
): Call<PriceHistory> => ({
  ...asking('priceHistory', pathOf(ENDPOINTS.priceHistory.path, event), {
    currency_mode: mode,
    time_interval: interval,
  }),
  read: asReceived(priceHistoryShape),
});

/** 4.16 */
export const tax = (event: EventId): Call<Tax> => ({
  ...asking('tax', pathOf(ENDPOINTS.tax.path, event), {}),
  read: asReceived(taxShape),
});

/** One page of all events. @param tickUnitsOf price units per tick; the venue does not state them */
export const events = (
  query: QueryValues<typeof EVENTS_QUERY>,
  tickUnitsOf: TickUnitsOf,
): Call<EventListing> => ({
  ...asking('events', pathOf(ENDPOINTS.events.path), query),
  read: (received) => readEventPage(received, tickUnitsOf),
});

/** One event with its markets. */
export const event = (id: EventId, tickUnitsOf: TickUnitsOf): Call<EventDescription> => ({
  ...asking('event', pathOf(ENDPOINTS.event.path, id), {}),
  read: (received) => readEvent(received, tickUnitsOf),
});

/**
 * Orders (specification 4.4 to 4.10). A limit order, a market order, a cancel within a scope and one of the whole
 * account are calls of their own with types of their own, because on this wire a missing value turns the one into the other.
 */

/** What the engine is told of an answered request. */
export type BodyOf<Kind extends AnswerBody['kind']> = Extract<AnswerBody, { readonly kind: Kind }>;

/** 4.4 with a price. @throws InvariantError when the order is not one */
export const createLimitOrder = (order: LimitOrder): Call<OrderReport> => ({
  ...telling('createOrder', pathOf(ENDPOINTS.createOrder.path), { json: encodeLimitOrder(order) }),
  read: readCreatedOrder,
});

/** 4.4 without a price: takes at the best available prices. @throws InvariantError when its limit is not positive */
export const createMarketOrder = (order: MarketOrder): Call<OrderReport> => ({
  ...telling('createOrder', pathOf(ENDPOINTS.createOrder.path), { json: encodeMarketOrder(order) }),
  read: readCreatedOrder,
});

/**
 * 4.5, one page; without a status the open ones alone. When each was created is told by our clock, however wrong that is:
 * it is compared with when we asked for it.
 */
export const orders = (query: QueryValues<typeof ORDERS_QUERY>): Call<OrderListing> => ({
  ...asking('orders', pathOf(ENDPOINTS.orders.path), query),
  read: (received, ourTime) => inOurTime(readOrderPage(received), ourTime),
});

function inOurTime(placed: Placed<OrderListing>, ourTime: OurTime): Placed<OrderListing> {
  if (!placed.ok) return placed;
  const told = placed.value.orders.map((order) => ({
    ...order,
    createdAt: order.createdAt === null ? null : ourTime(order.createdAt),
  }));
  return { ok: true, value: { ...placed.value, orders: told } };
}

/** 4.6; the success has no body, so the id stands for it. */
export const cancelOrder = (id: OrderId): Call<OrderId> => ({
  ...telling('cancelOrder', pathOf(ENDPOINTS.cancelOrder.path, id), null),
  read: () => ({ ok: true, value: id }),
});

/** 4.7. @throws InvariantError unless there are 1 to 20, each with price and shares */
export const batchCreate = (batch: readonly LimitOrder[]): Call<BodyOf<'create-orders'>> => ({
  ...telling('batchCreate', pathOf(ENDPOINTS.batchCreate.path), { json: encodeBatchCreate(batch) }),
  read: (received) => readBatchCreate(received, batch.length),
});

/** 4.8. @throws InvariantError unless there are 1 to 20, each with a price */
export const batchUpdate = (batch: readonly OrderReplacement[]): Call<BodyOf<'replace-orders'>> => ({
  ...telling('batchUpdate', pathOf(ENDPOINTS.batchUpdate.path), { json: encodeBatchUpdate(batch) }),
  read: (received) =>
    readBatchUpdate(
      received,
      batch.map(({ orderId }) => orderId),
    ),
});

/** 4.9. @throws InvariantError when no id is given */
export const batchCancel = (ids: readonly OrderId[]): Call<BodyOf<'cancel-orders'>> => ({
  ...telling('batchCancel', pathOf(ENDPOINTS.batchCancel.path), { json: encodeBatchCancel(ids) }),
  read: (received) => readBatchCancel(received, ids),
});

/** 4.10 within a market or an event. @throws InvariantError when the scope is empty */
export const cancelScope = (scope: CancelScope): Call<BodyOf<'cancel-scope'>> => ({
  ...telling('cancelAll', pathOf(ENDPOINTS.cancelAll.path), { json: encodeScopedCancel(scope) }),
  read: readCancelAll,
});

/** 4.10 with an empty body: every active order of the account, whoever placed it. */
export const cancelWholeAccount = (cancel: AccountWideCancel): Call<BodyOf<'cancel-scope'>> => ({
  ...telling('cancelAll', pathOf(ENDPOINTS.cancelAll.path), { json: encodeAccountWideCancel(cancel) }),
  read: readCancelAll,
});

/** Positions and rebates (specification 4.11 to 4.13; facts, "Events and markets"). */

/** 4.11, one page; the caller's own when signed, public ones otherwise. */
export const wagers = (query: QueryValues<typeof WAGERS_QUERY>): Call<HoldingListing> => ({
  ...asking('wagers', pathOf(ENDPOINTS.wagers.path), query),
  read: readWagerPage,
});

/** 4.12 */
export const wager = (id: number): Call<WagerDetail> => ({
  ...asking('wager', pathOf(ENDPOINTS.wager.path, id), {}),
  read: asReceived(wagerDetail),
});

/** 4.13 */
export const eventWagers = (
  event: EventId,
  query: QueryValues<typeof EVENT_WAGERS_QUERY>,
): Call<readonly HoldingReport[]> => ({
  ...asking('eventWagers', pathOf(ENDPOINTS.eventWagers.path, event), query),
  read: readEventWagers,
});

/** Maker rebates of a day, of an event or of all. */
export const rebates = (query: QueryValues<typeof REBATES_QUERY>): Call<Rebates> => ({
  ...asking('rebates', pathOf(ENDPOINTS.rebates.path), query),
  read: asReceived(rebatesShape),
});
