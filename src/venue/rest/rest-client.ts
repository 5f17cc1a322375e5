import type { EventId, MarketId, OrderId, WagerId } from '../../domain/ids.js';
import type { AccountWideCancel, CancelScope, LimitOrder, OrderReplacement } from '../../domain/orders.js';
import type { Currency, CurrencyMode, TimeInterval } from '../../domain/vocabulary.js';
import type { TickUnitsOf } from '../../protocol/read/events.js';
import type { WalletRegistration } from '../../protocol/rest/account.js';
import type { ChannelAuthorizationRequest } from '../../protocol/rest/channel-authorization.js';
import type { MarketOrder } from '../../protocol/write/market-orders.js';
import * as account from './account-calls.js';
import type { Call } from './call.js';
import { listActiveOrders, listHoldings } from './listings.js';
import * as market from './market-calls.js';
import * as order from './order-calls.js';
import * as wager from './wager-calls.js';
import { Wire, type WireOptions } from './wire.js';

/** What the venue is asked for with a page size and an offset, or filtered: as in the specification's tables. */
type OrdersQuery = Parameters<typeof order.orders>[0];
type WagersQuery = Parameters<typeof wager.wagers>[0];
type EventWagersQuery = Parameters<typeof wager.eventWagers>[1];
type RebatesQuery = Parameters<typeof wager.rebates>[0];
type EventsQuery = Parameters<typeof market.events>[0];

/**
 * The venue's REST interface: a method per endpoint, numbered after the specification. Every outcome is a value:
 * ok, refused (nothing happened), not sent (nothing happened) or unknown (it may have happened). Nothing is sent twice.
 * A key, where one is taken, makes repeating the same request harmless (specification 5.5).
 */
export class RestClient {
  readonly wire: Wire;

  constructor(options: WireOptions) {
    this.wire = new Wire(options);
  }

  /** 4.1: who these keys belong to. */
  me = () => this.wire.call(account.me());
  /** 4.2 */
  registerWallet = (wallet: WalletRegistration) => this.wire.call(account.registerWallet(wallet));
  /** 4.3 */
  balances = (currency?: Currency) => this.wire.call(account.balances(currency));

  /** 4.4: rests until filled, cancelled or expired. */
  createLimitOrder = (limitOrder: LimitOrder, key: string) =>
    this.#keyed(order.createLimitOrder(limitOrder), key);
  /** 4.4: takes at once what its limit buys, and never rests. */
  createMarketOrder = (marketOrder: MarketOrder, key: string) =>
    this.#keyed(order.createMarketOrder(marketOrder), key);
  /** 4.5, one page. */
  orders = (query: OrdersQuery = {}) => this.wire.call(order.orders(query));
  /** 4.5, all pages of the statuses in which an order may still trade. */
  activeOrders = () => listActiveOrders((call) => this.wire.call(call));
  /** 4.6 */
  cancelOrder = (id: OrderId) => this.wire.call(order.cancelOrder(id));
  /** 4.7 */
  batchCreate = (orders: readonly LimitOrder[], key: string) => this.#keyed(order.batchCreate(orders), key);
  /** 4.8 */
  batchUpdate = (replacements: readonly OrderReplacement[], key: string) =>
    this.#keyed(order.batchUpdate(replacements), key);
  /** 4.9 */
  batchCancel = (ids: readonly OrderId[]) => this.wire.call(order.batchCancel(ids));
  /** 4.10, within a market or an event. */
  cancelScope = (scope: CancelScope) => this.wire.call(order.cancelScope(scope));
  /** 4.10, everything of the account, foreign orders included. */
  cancelWholeAccount = (cancel: AccountWideCancel) => this.wire.call(order.cancelWholeAccount(cancel));

  /** 4.11, one page. */
  wagers = (query: WagersQuery = {}) => this.wire.call(wager.wagers(query));
  /** 4.11, all pages of what is held in a currency mode. */
  holdings = (mode: CurrencyMode) => listHoldings((call) => this.wire.call(call), mode);
  /** 4.12 */
  wager = (id: WagerId) => this.wire.call(wager.wager(id));
  /** 4.13 */
  eventWagers = (event: EventId, query: EventWagersQuery = {}) =>
    this.wire.call(wager.eventWagers(event, query));
  /** Beyond the specification: maker rebates. */
  rebates = (query: RebatesQuery = {}) => this.wire.call(wager.rebates(query));

  /** 4.14 */
  book = (id: MarketId, mode: CurrencyMode) => this.wire.call(market.book(id, mode));
  /** 4.15 */
  priceHistory = (event: EventId, mode: CurrencyMode, interval?: TimeInterval) =>
    this.wire.call(market.priceHistory(event, mode, interval));
  /** 4.16 */
  tax = (event: EventId) => this.wire.call(market.tax(event));
  /** 4.17 */
  authorizeChannel = (request: ChannelAuthorizationRequest) =>
    this.wire.call(account.authorizeChannel(request));
  /** Beyond the specification: one page of events. */
  events = (query: EventsQuery, tickUnitsOf: TickUnitsOf) =>
    this.wire.call(market.events(query, tickUnitsOf));
  /** Beyond the specification: one event with its markets. */
  event = (id: EventId, tickUnitsOf: TickUnitsOf) => this.wire.call(market.event(id, tickUnitsOf));

  /** Ends all connections; what is under way is lost. */
  close = () => this.wire.close();

  #keyed<Value>(call: Call<Value>, idempotencyKey: string) {
    return this.wire.call(call, { idempotencyKey });
  }
}
