import type { EventId, MarketId, OrderId } from '../../../domain/ids.js';
import type { EventDescription } from '../../../domain/market.js';
import type {
  AccountWideCancel,
  CancelScope,
  HoldingReport,
  LimitOrder,
  OrderReplacement,
  OrderReport,
} from '../../../domain/orders.js';
import type { Money } from '../../../domain/units.js';
import type { Currency, CurrencyMode, TimeInterval } from '../../../domain/vocabulary.js';
import type { HoldingListing } from '../protocol/read/account.js';
import type { EventListing, TickUnitsOf } from '../protocol/read/events.js';
import type { OrderListing } from '../protocol/read/orders.js';
import type { RegisteredUser, UserPrivate, WalletRegistration } from '../protocol/rest/account.js';
import type {
  ChannelAuthorization,
  ChannelAuthorizationRequest,
} from '../protocol/rest/channel-authorization.js';
import type { PriceHistory } from '../protocol/rest/price-history.js';
import type { Tax } from '../protocol/rest/tax.js';
import type { Rebates, WagerDetail } from '../protocol/rest/wagers.js';
import type { MarketOrder } from '../protocol/write/market-orders.js';
import * as account from './account-calls.js';
import type { Call } from './call.js';
import { listActiveOrders, listHoldings } from './listings.js';
import * as market from './market-calls.js';
import * as order from './order-calls.js';
import { type Outcome, undated } from '../../outcome.js';
import * as wager from './wager-calls.js';
import { type Sending, Wire, type WireOptions } from './wire.js';

type Answered<Value> = Promise<Outcome<Value>>;
/**
 * The venue's REST interface: a method per endpoint, numbered after the specification. Every outcome is a value: ok,
 * refused (nothing happened), not sent (nothing happened) or unknown (it may have happened). Nothing is sent twice by
 * itself. Where a key is taken, repeating the same request under it creates nothing new (specification 5.5).
 */
export class RestClient {
  readonly wire: Wire;

  constructor(options: WireOptions) {
    this.wire = new Wire(options);
  }

  /** 4.1: whose keys these are. */
  me(sending: Pick<Sending, 'beforeFirstByte'> = {}): Answered<UserPrivate> {
    return this.wire.call(account.me(), sending);
  }

  /** 4.2 */
  registerWallet(wallet: WalletRegistration): Answered<RegisteredUser> {
    return this.wire.call(account.registerWallet(wallet));
  }

  /** 4.3: of one currency or all. */
  balances(currency?: Currency): Answered<ReadonlyMap<Currency, Money>> {
    return this.wire.call(account.balances(currency));
  }

  /** 4.4: rests until filled, cancelled or expired. @throws InvariantError when it is no limit order */
  createLimitOrder(limitOrder: LimitOrder, key: string): Answered<OrderReport> {
    return this.#keyed(order.createLimitOrder(limitOrder), key);
  }

  /** 4.4: takes at once what its limit buys, and never rests. @throws InvariantError when the limit is not positive */
  createMarketOrder(marketOrder: MarketOrder, key: string): Answered<OrderReport> {
    return this.#keyed(order.createMarketOrder(marketOrder), key);
  }

  /** 4.5, one page; without a status the open ones. */
  orders(query: Parameters<typeof order.orders>[0] = {}): Answered<OrderListing> {
    return this.wire.call(order.orders(query));
  }

  /** 4.5, all pages of the statuses in which an order may still trade. */
  async activeOrders(): Answered<readonly OrderReport[]> {
    const listing = await listActiveOrders((call) => this.wire.call(call));
    return listing.ok && !this.wire.canDate(listing.sentAt) ? undated(listing.sentAt) : listing;
  }

  /** 4.6 */
  cancelOrder(id: OrderId): Answered<OrderId> {
    return this.wire.call(order.cancelOrder(id));
  }

  /** 4.7. @throws InvariantError unless there are 1 to 20 limit orders */
  batchCreate(orders: readonly LimitOrder[], key: string): Answered<order.BodyOf<'create-orders'>> {
    return this.#keyed(order.batchCreate(orders), key);
  }

  /** 4.8. @throws InvariantError unless there are 1 to 20 replacements */
  batchUpdate(
    replacements: readonly OrderReplacement[],
    key: string,
  ): Answered<order.BodyOf<'replace-orders'>> {
    return this.#keyed(order.batchUpdate(replacements), key);
  }

  /** 4.9. @throws InvariantError when no id is given */
  batchCancel(ids: readonly OrderId[]): Answered<order.BodyOf<'cancel-orders'>> {
    return this.wire.call(order.batchCancel(ids));
  }

  /** 4.10, within a market or an event. */
  cancelScope(scope: CancelScope): Answered<order.BodyOf<'cancel-scope'>> {
    return this.wire.call(order.cancelScope(scope));
  }

  /** 4.10, everything of the account, orders of others and of hands included. */
  cancelWholeAccount(cancel: AccountWideCancel): Answered<order.BodyOf<'cancel-scope'>> {
    return this.wire.call(order.cancelWholeAccount(cancel));
  }

  /** 4.11, one page; public ones without keys. */
  wagers(query: Parameters<typeof wager.wagers>[0] = {}): Answered<HoldingListing> {
    return this.wire.call(wager.wagers(query));
  }

  /**
   * 4.11, all pages of what the account holds in a currency mode.
   * @param withDisabled events with a disabled market; the venue counts what is held there among the past bets
   */
  holdings(mode: CurrencyMode, withDisabled: readonly EventId[] = []): Answered<readonly HoldingReport[]> {
    return listHoldings(
      (call) => this.wire.call(call),
      mode,
      () => withDisabled,
    );
  }

  /** 4.12 */
  wager(id: number): Answered<WagerDetail> {
    return this.wire.call(wager.wager(id));
  }

  /** 4.13 */
  eventWagers(
    event: EventId,
    query: Parameters<typeof wager.eventWagers>[1] = {},
  ): Answered<readonly HoldingReport[]> {
    return this.wire.call(wager.eventWagers(event, query));
  }

  /** Beyond the specification: maker rebates. */
  rebates(query: Parameters<typeof wager.rebates>[0] = {}): Answered<Rebates> {
    return this.wire.call(wager.rebates(query));
  }

  /** 4.14, in long-side prices; may be some seconds old. */
  book(id: MarketId, mode: CurrencyMode): Answered<market.BookReading> {
    return this.wire.call(market.book(id, mode));
  }

  /** 4.15: without an interval all there is. */
  priceHistory(event: EventId, mode: CurrencyMode, interval?: TimeInterval): Answered<PriceHistory> {
    return this.wire.call(market.priceHistory(event, mode, interval));
  }

  /** 4.16 */
  tax(event: EventId): Answered<Tax> {
    return this.wire.call(market.tax(event));
  }

  /** 4.17 */
  authorizeChannel(request: ChannelAuthorizationRequest): Answered<ChannelAuthorization> {
    return this.wire.call(account.authorizeChannel(request));
  }

  /** Beyond the specification: one page of events. */
  events(query: Parameters<typeof market.events>[0], tickUnitsOf: TickUnitsOf): Answered<EventListing> {
    return this.wire.call(market.events(query, tickUnitsOf));
  }

  /** Beyond the specification: one event with its markets. */
  event(id: EventId, tickUnitsOf: TickUnitsOf): Answered<EventDescription> {
    return this.wire.call(market.event(id, tickUnitsOf));
  }

  /** Ends all connections; what is under way is lost. */
  close(): Promise<void> {
    return this.wire.close();
  }

  #keyed<Value>(call: Call<Value>, idempotencyKey: string): Answered<Value> {
    return this.wire.call(call, { idempotencyKey });
  }
}
