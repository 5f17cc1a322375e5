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
import type {
  RegisteredUser,
  UserPrivate,
  WalletRegistration,
  ChannelAuthorization,
  ChannelAuthorizationRequest,
} from '../protocol/rest/account.js';
import type { PriceHistory, Tax } from '../protocol/rest/events.js';
import type { Rebates, WagerDetail } from '../protocol/rest/wagers.js';
import type { MarketOrder } from '../protocol/write/orders.js';
import * as calls from './calls.js';
import type { Call } from './calls.js';
import { listActiveOrders, listHoldings } from './listings.js';
import { type Outcome, undated } from '../../outcome.js';
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
    return this.wire.call(calls.me(), sending);
  }

  /** 4.2 */
  registerWallet(wallet: WalletRegistration): Answered<RegisteredUser> {
    return this.wire.call(calls.registerWallet(wallet));
  }

  /** 4.3: of one currency or all. */
  balances(currency?: Currency): Answered<ReadonlyMap<Currency, Money>> {
    return this.wire.call(calls.balances(currency));
  }

  /** 4.4: rests until filled, cancelled or expired. @throws InvariantError when it is no limit order */
  createLimitOrder(limitOrder: LimitOrder, key: string): Answered<OrderReport> {
    return this.#keyed(calls.createLimitOrder(limitOrder), key);
  }

  /** 4.4: takes at once what its limit buys, and never rests. @throws InvariantError when the limit is not positive */
  createMarketOrder(marketOrder: MarketOrder, key: string): Answered<OrderReport> {
    return this.#keyed(calls.createMarketOrder(marketOrder), key);
  }

  /** 4.5, one page; without a status the open ones. */
  orders(query: Parameters<typeof calls.orders>[0] = {}): Answered<OrderListing> {
    return this.wire.call(calls.orders(query));
  }

  /** 4.5, all pages of the statuses in which an order may still trade. */
  async activeOrders(): Answered<readonly OrderReport[]> {
    const listing = await listActiveOrders((call) => this.wire.call(call));
    return listing.ok && !this.wire.canDate(listing.sentAt) ? undated(listing.sentAt) : listing;
  }

  /** 4.6 */
  cancelOrder(id: OrderId): Answered<OrderId> {
    return this.wire.call(calls.cancelOrder(id));
  }

  /** 4.7. @throws InvariantError unless there are 1 to 20 limit orders */
  batchCreate(orders: readonly LimitOrder[], key: string): Answered<calls.BodyOf<'create-orders'>> {
    return this.#keyed(calls.batchCreate(orders), key);
  }

  /** 4.8. @throws InvariantError unless there are 1 to 20 replacements */
  batchUpdate(
    replacements: readonly OrderReplacement[],
    key: string,
  ): Answered<calls.BodyOf<'replace-orders'>> {
    return this.#keyed(calls.batchUpdate(replacements), key);
  }

  /** 4.9. @throws InvariantError when no id is given */
  batchCancel(ids: readonly OrderId[]): Answered<calls.BodyOf<'cancel-orders'>> {
    return this.wire.call(calls.batchCancel(ids));
  }

  /** 4.10, within a market or an event. */
  cancelScope(scope: CancelScope): Answered<calls.BodyOf<'cancel-scope'>> {
    return this.wire.call(calls.cancelScope(scope));
  }

  /** 4.10, everything of the account, orders of others and of hands included. */
  cancelWholeAccount(cancel: AccountWideCancel): Answered<calls.BodyOf<'cancel-scope'>> {
    return this.wire.call(calls.cancelWholeAccount(cancel));
  }

  /** 4.11, one page; public ones without keys. */
  wagers(query: Parameters<typeof calls.wagers>[0] = {}): Answered<HoldingListing> {
    return this.wire.call(calls.wagers(query));
  }

  /**
   * 4.11, all pages of what the account holds in a currency mode.
   * @param withDisabled events with a disabled market; the venue counts what is held there among the past bets
   */
  holdings(mode: CurrencyMode, withDisabled: readonly EventId[] = []): Answered<readonly HoldingReport[]> {
    return listHoldings((call) => this.wire.call(call), mode, withDisabled);
  }

  /** 4.12 */
  wager(id: number): Answered<WagerDetail> {
    return this.wire.call(calls.wager(id));
  }

  /** 4.13 */
  eventWagers(
    event: EventId,
    query: Parameters<typeof calls.eventWagers>[1] = {},
  ): Answered<readonly HoldingReport[]> {
    return this.wire.call(calls.eventWagers(event, query));
  }

  /** Beyond the specification: maker rebates. */
  rebates(query: Parameters<typeof calls.rebates>[0] = {}): Answered<Rebates> {
    return this.wire.call(calls.rebates(query));
  }

  /** 4.14, in long-side prices; may be some seconds old. */
  book(id: MarketId, mode: CurrencyMode): Answered<calls.BookReading> {
    return this.wire.call(calls.book(id, mode));
  }

  /** 4.15: without an interval all there is. */
  priceHistory(event: EventId, mode: CurrencyMode, interval?: TimeInterval): Answered<PriceHistory> {
    return this.wire.call(calls.priceHistory(event, mode, interval));
  }

  /** 4.16 */
  tax(event: EventId): Answered<Tax> {
    return this.wire.call(calls.tax(event));
  }

  /** 4.17 */
  authorizeChannel(request: ChannelAuthorizationRequest): Answered<ChannelAuthorization> {
    return this.wire.call(calls.authorizeChannel(request));
  }

  /** Beyond the specification: one page of events. */
  events(query: Parameters<typeof calls.events>[0], tickUnitsOf: TickUnitsOf): Answered<EventListing> {
    return this.wire.call(calls.events(query, tickUnitsOf));
  }

  /** Beyond the specification: one event with its markets. */
  event(id: EventId, tickUnitsOf: TickUnitsOf): Answered<EventDescription> {
    return this.wire.call(calls.event(id, tickUnitsOf));
  }

  /** Ends all connections; what is under way is lost. */
  close(): Promise<void> {
    return this.wire.close();
  }

  #keyed<Value>(call: Call<Value>, idempotencyKey: string): Answered<Value> {
    return this.wire.call(call, { idempotencyKey });
  }
}
