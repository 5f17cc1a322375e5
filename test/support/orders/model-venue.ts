/**
 * A venue as small as it can be: one account, orders with ids, cumulative fills, idempotency keys, and a log of the
 * frames it would send. It knows no counterparties: fills are commanded. What it must never see, it records.
 */
import type { TradingRequest } from '../../../src/domain/effects.js';
import { type MarketId, type OrderId, orderId } from '../../../src/domain/ids.js';
import type { AnswerBody, ItemOutcome } from '../../../src/domain/answers.js';
import type { LimitOrder, OrderReport } from '../../../src/domain/orders.js';
import { type Micros, type PriceUnits, type Shares, complement } from '../../../src/domain/units.js';
import { type OrderStatus, type Position, bookSide } from '../../../src/domain/vocabulary.js';
import { meaningOf } from '../../../src/venues/futuur/protocol/errors.js';

interface VenueOrder {
  readonly id: OrderId;
  readonly order: LimitOrder;
  readonly createdAt: Micros;
  filled: number;
  /** Price units times shares. */
  amount: number;
  status: OrderStatus;
}

const WORKING: readonly OrderStatus[] = ['processing', 'open', 'partial_filled'];
const isWorking = (status: OrderStatus): boolean => WORKING.includes(status);

export class ModelVenue {
  /** Frames in the order in which they were sent. */
  readonly frames: OrderReport[] = [];
  /** Own orders that could have traded with each other, in words. */
  readonly conflicts: string[] = [];
  /** Sales of shares not held or for sale already, in words. */
  readonly oversold: string[] = [];
  /** Whether orders stay in processing until {@link open}. */
  isSlow = false;
  readonly #held = new Map<string, number>();
  readonly #orders = new Map<OrderId, VenueOrder>();
  readonly #stored = new Map<string, AnswerBody>();
  #lastId = 0;

  /** Shares that were held before. */
  endow(market: MarketId, position: Position, shares: number): void {
    this.#held.set(`${market} ${position}`, shares);
  }

  /** Executes a request; the same key gives the stored answer. */
  execute(request: TradingRequest, key: string, now: Micros): AnswerBody {
    const stored = this.#stored.get(key);
    if (stored !== undefined) return stored;
    const body = this.#perform(request, now);
    if (request.kind === 'create-orders' || request.kind === 'replace-orders') this.#stored.set(key, body);
    return body;
  }

  /** Trades shares of a working order. @param price price units of its position; its own when left out */
  fill(id: OrderId, shares: Shares, price?: PriceUnits): void {
    const order = this.#orders.get(id);
    if (order === undefined || !isWorking(order.status)) return;
    const traded = Math.min(shares, order.order.shares - order.filled);
    order.filled += traded;
    order.amount += traded * (price ?? order.order.price);
    this.#hold(order.order, order.order.side === 'bid' ? traded : -traded);
    this.#move(order, order.filled === order.order.shares ? 'filled' : 'partial_filled');
  }

  /** Every order leaves processing. */
  open(): void {
    for (const order of this.#all()) if (order.status === 'processing') this.#move(order, 'open');
  }

  /** The venue ends an order by itself. */
  end(id: OrderId, status: 'canceled' | 'expired'): void {
    const order = this.#orders.get(id);
    if (order !== undefined && isWorking(order.status)) this.#move(order, status);
  }

  held(market: MarketId, position: Position): number {
    return this.#held.get(`${market} ${position}`) ?? 0;
  }

  /** Complete, without fill counts, as the REST listing is (specification 2.3). */
  listing(): OrderReport[] {
    return this.#listed((order) => isWorking(order.status));
  }

  /** The same of those of these orders that are over; REST calls an expired one canceled. */
  ends(ids: ReadonlySet<OrderId>): OrderReport[] {
    return this.#listed(({ id, status }) => ids.has(id) && !isWorking(status)).map((report) =>
      report.status === 'expired' ? { ...report, status: 'canceled' } : report,
    );
  }

  working(): OrderReport[] {
    return this.#all()
      .filter((order) => isWorking(order.status))
      .map((order) => this.#report(order));
  }

  everyOrder(): OrderReport[] {
    return this.#all().map((order) => this.#report(order));
  }

  #listed(which: (order: VenueOrder) => boolean): OrderReport[] {
    return this.#all()
      .filter(which)
      .map((order) => ({ ...this.#report(order), eventId: null, filled: null, averageFillPrice: null }));
  }

  #all(): VenueOrder[] {
    return [...this.#orders.values()];
  }

  #perform(request: TradingRequest, now: Micros): AnswerBody {
    switch (request.kind) {
      case 'create-orders':
        return {
          kind: 'create-orders',
          items: request.orders.map((order) => this.#create(order, now)),
          canceledIds: [],
        };
      case 'replace-orders':
        return {
          kind: 'replace-orders',
          items: request.replacements.map((item) => this.#replace(item.orderId, item, now)),
        };
      case 'cancel-orders':
        return { kind: 'cancel-orders', items: request.orderIds.map((id) => this.#cancel(id)) };
      case 'cancel-scope':
        return { kind: 'cancel-scope', canceledIds: this.#cancelScope(request.scope), processingIds: [] };
    }
  }

  #create(order: LimitOrder, now: Micros): ItemOutcome<OrderReport> {
    const conflict = this.#conflict(order);
    if (conflict !== null) return refuse(this.conflicts, conflict, 'OrderBookConflictingOrders');
    const excess = this.#oversold(order);
    if (excess !== null) return refuse(this.oversold, excess, 'UserNotEnoughBalance');
    const id = orderId(++this.#lastId);
    const created: VenueOrder = { id, order, createdAt: now, filled: 0, amount: 0, status: 'processing' };
    this.#orders.set(id, created);
    this.#move(created, this.isSlow ? 'processing' : 'open');
    return { ok: true, value: this.#report(created) };
  }

  #replace(
    id: OrderId,
    to: Pick<LimitOrder, 'price' | 'shares' | 'expiresAt'>,
    now: Micros,
  ): ItemOutcome<OrderReport> {
    const old = this.#orders.get(id);
    if (old?.status !== 'open')
      return { ok: false, code: 'Only open orders can be updated.', means: 'unstated' };
    this.#move(old, 'canceled');
    const { price, shares, expiresAt } = to;
    return this.#create({ ...old.order, price, shares, expiresAt }, now);
  }

  #cancel(id: OrderId): ItemOutcome<OrderId> {
    const order = this.#orders.get(id);
    if (order === undefined || !isWorking(order.status))
      return { ok: false, code: 'The order is already filled.', means: 'unstated' };
    this.#move(order, 'canceled');
    return { ok: true, value: id };
  }

  #cancelScope(scope: Extract<TradingRequest, { kind: 'cancel-scope' }>['scope']): OrderId[] {
    const inScope = this.#all().filter(
      ({ order, status }) =>
        isWorking(status) &&
        order.eventId === scope.eventId &&
        (scope.kind === 'event' || order.marketId === scope.marketId),
    );
    for (const order of inScope) this.#move(order, 'canceled');
    return inScope.map((order) => order.id);
  }

  #conflict(order: LimitOrder): string | null {
    const side = bookSide(order.side, order.position);
    for (const { order: other, status, id } of this.#orders.values()) {
      if (!isWorking(status) || other.marketId !== order.marketId) continue;
      if (bookSide(other.side, other.position) === side) continue;
      const [bid, ask] = side === 'bid' ? [order, other] : [other, order];
      if (longPrice(bid) >= longPrice(ask))
        return `bid ${longPrice(bid)} meets ask ${longPrice(ask)} (order ${id})`;
    }
    return null;
  }

  #hold({ marketId, position }: LimitOrder, shares: number): void {
    this.#held.set(`${marketId} ${position}`, this.held(marketId, position) + shares);
  }

  #oversold(order: LimitOrder): string | null {
    if (order.side === 'bid') return null;
    let free = this.held(order.marketId, order.position);
    for (const { order: other, status, filled } of this.#orders.values())
      if (isWorking(status) && other.side === 'ask' && isSameHolding(other, order))
        free -= other.shares - filled;
    return order.shares <= free ? null : `sells ${order.shares} of ${free} ${order.position} free`;
  }

  #move(order: VenueOrder, status: OrderStatus): void {
    order.status = status;
    this.frames.push(this.#report(order));
  }

  #report({ id, order, createdAt, filled, amount, status }: VenueOrder): OrderReport {
    return {
      orderId: id,
      marketId: order.marketId,
      eventId: order.eventId,
      side: order.side,
      position: order.position,
      currency: order.currency,
      price: order.price,
      status,
      requested: order.shares,
      filled: filled as Shares,
      averageFillPrice: filled === 0 ? null : amount / filled / 10_000,
      createdAt,
      expiresAt: order.expiresAt,
    };
  }
}

function refuse(record: string[], words: string, code: string): ItemOutcome<never> {
  record.push(words);
  return { ok: false, code, means: meaningOf(code) };
}

const isSameHolding = (one: LimitOrder, other: LimitOrder): boolean =>
  one.marketId === other.marketId && one.position === other.position;

const longPrice = (order: LimitOrder): number =>
  order.position === 'long' ? order.price : complement(order.price);
