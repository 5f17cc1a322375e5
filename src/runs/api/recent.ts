/** What a running bot did of late, kept for who looks at it: why orders were asked for, fills, requests, places in queues. */
import type { RequestedOrder, StandingOrder } from '../../analytics/observer.js';
import type { EngineObserver, MarketLook, MarketPlan } from '../../core/engine/observing/observer.js';
import type { OrderNews } from '../../core/execution/orders/own-order.js';
import type { Refusal } from '../../core/risk/index.js';
import type { Effect, VenueRequest } from '../../domain/effects.js';
import type { Fill } from '../../domain/fill.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { Stamped } from '../../domain/inputs.js';
import type { LimitOrder } from '../../domain/orders.js';
import { type Micros, PRICE_ONE, type Shares, SHARE_ONE } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { HistoryPointJson } from '../../ops/http/contract.js';
import { Curve } from './curve.js';
import { type Asked, sizeText } from '../explain/order-story.js';
import { StoryTeller } from '../explain/story-teller.js';

const MOST_FILLS = 10_000;
const MOST_DECISIONS = 1_000;
const MOST_ORDERS = 20_000;
/** Of the history of one market. */
const MOST_POINTS = 240;
const POINT_EVERY_MS = 1_000;

/** A fill with the instance that it belongs to being looked up later. */
export interface RecentFill {
  /** 1, 2, 3 in the order in which the run learned of them. */
  readonly id: number;
  readonly at: Micros;
  readonly fill: Fill;
}

/** One request that left. */
export interface RecentDecision {
  readonly seq: number;
  readonly at: Micros;
  readonly input: string;
  readonly requestId: number;
  readonly kind: VenueRequest['kind'];
  readonly markets: ReadonlySet<MarketId>;
  readonly orders: readonly string[];
}

/** Looks on at an engine. Everything is bounded: the oldest goes first. */
export class Recent implements EngineObserver {
  readonly fills: RecentFill[] = [];
  /** The oldest first. */
  readonly decisions: RecentDecision[] = [];
  private readonly why = new Map<OrderId, Asked>();
  /** Shares of others that stand before an order at the most. */
  private readonly ahead = new Map<OrderId, Shares>();
  private readonly signals = new Map<MarketId, MarketLook['context']['signals']>();
  private readonly fair = new Map<MarketId, number | null>();
  private readonly changed = new Set<MarketId>();
  private readonly histories = new Map<MarketId, Curve<HistoryPointJson>>();
  private readonly standingIn = new Map<MarketId, readonly StandingOrder[]>();
  /** Price units per tick, as of the last look. */
  private readonly ticks = new Map<MarketId, number>();
  private readonly teller = new StoryTeller(
    null,
    (market) => this.ticks.get(market) ?? 1,
    (asked, orderId) => this.asked(asked, orderId),
  );
  private now: Stamped | null = null;
  private filledSoFar = 0;

  /** Why an order was asked for; null where this run did not, or forgot it. */
  reasonOf(order: OrderId): Asked | null {
    return this.why.get(order) ?? null;
  }

  /** Under a rule of time at a price, what stands before an order never grows: the least that was ever seen there bounds it. */
  aheadOf(order: OrderId): Shares | null {
    return this.ahead.get(order) ?? null;
  }

  /** The value of a signal at the last look; null where it has none. */
  signalOf(market: MarketId, name: string): number | null {
    return this.signals.get(market)?.[name]?.value ?? null;
  }

  /** Markets in which something happened since the last call. */
  takeChanged(): readonly MarketId[] {
    const changed = [...this.changed];
    this.changed.clear();
    return changed;
  }

  /** The oldest first. */
  historyOf(market: MarketId): readonly HistoryPointJson[] {
    return this.histories.get(market)?.points ?? [];
  }

  took(stamped: Stamped): void {
    this.now = stamped;
    const { input } = stamped;
    if ('marketId' in input && input.marketId !== null) this.changed.add(input.marketId);
    this.teller.took(stamped);
  }

  looked(look: MarketLook): void {
    this.teller.looked(look);
    const { book, signals, market, fair } = look.context;
    this.ticks.set(look.marketId, Math.round(market.tick * PRICE_ONE));
    this.signals.set(look.marketId, signals);
    this.fair.set(look.marketId, fair?.p ?? null);
    for (const { orderId, bookSide, longPrice } of this.standingIn.get(look.marketId) ?? []) {
      if (orderId === null) continue;
      const levels = bookSide === 'bid' ? book.bids : book.asks;
      const level = levels.find(({ price }) => Math.round(price * PRICE_ONE) === longPrice);
      const others = Math.round((level?.shares ?? 0) * SHARE_ONE) as Shares;
      this.ahead.set(orderId, Math.min(this.ahead.get(orderId) ?? Infinity, others) as Shares);
    }
    dropOldest(this.ahead, MOST_ORDERS);
  }

  standing(market: MarketId, _at: Micros, orders: readonly StandingOrder[]): void {
    this.standingIn.set(market, [...orders]);
  }

  refused(order: LimitOrder, refusal: Refusal): void {
    this.teller.refused(order, refusal);
  }

  planned(plan: MarketPlan): void {
    this.teller.planned(plan);
    this.changed.add(plan.marketId);
    this.remember(plan);
  }

  heard(news: readonly OrderNews[]): void {
    for (const item of news) {
      if (item.kind === 'contradicted') continue;
      this.changed.add(item.order.marketId);
      if (item.kind === 'ended') this.forget(item.order.orderId);
    }
  }

  filled(fill: Fill, at: Micros): void {
    this.fills.push({ id: ++this.filledSoFar, at, fill });
    if (this.fills.length > MOST_FILLS) this.fills.shift();
  }

  requested(
    requestId: number,
    kind: VenueRequest['kind'],
    _calls: number,
    at: Micros,
    orders: readonly RequestedOrder[],
  ): void {
    if (kind.startsWith('read-')) return;
    const markets = new Set(orders.map(({ marketId }) => marketId));
    const { seq, input } = this.now!;
    this.decisions.push({ seq, at, input: input.kind, requestId, kind, markets, orders: [] });
    if (this.decisions.length > MOST_DECISIONS) this.decisions.shift();
  }

  did(effects: readonly Effect[]): void {
    this.teller.did(effects);
    for (const effect of effects) if (effect.kind === 'send') this.describe(effect.requestId, effect.request);
  }

  private describe(requestId: number, request: VenueRequest): void {
    const at = this.decisions.findLastIndex((one) => one.requestId === requestId);
    if (at >= 0) this.decisions[at] = { ...this.decisions[at]!, orders: textsOf(request) };
  }

  private remember({ marketId, touch }: MarketPlan): void {
    const at = this.now!.at / 1_000;
    let history = this.histories.get(marketId);
    if (history === undefined)
      this.histories.set(marketId, (history = new Curve(MOST_POINTS, POINT_EVERY_MS)));
    if (!history.wants(at)) return;
    const standing = this.standingIn.get(marketId) ?? [];
    const own = (side: Side): readonly number[] =>
      standing.flatMap(({ bookSide, longPrice }) => (bookSide === side ? [longPrice / PRICE_ONE] : []));
    const [bids, asks] = [own('bid'), own('ask')];
    history.add({
      at,
      bid: touch.bid === null ? null : touch.bid / PRICE_ONE,
      ask: touch.ask === null ? null : touch.ask / PRICE_ONE,
      ownBid: bids.length === 0 ? null : Math.max(...bids),
      ownAsk: asks.length === 0 ? null : Math.min(...asks),
      fair: this.fair.get(marketId) ?? null,
    });
  }

  private asked(asked: Asked, orderId: OrderId | null): void {
    if (orderId === null) return;
    this.why.set(orderId, asked);
    dropOldest(this.why, MOST_ORDERS);
  }

  private forget(order: OrderId | null): void {
    if (order === null) return;
    this.why.delete(order);
    this.ahead.delete(order);
  }
}

/** What a request asks for, an order each. */
function textsOf(request: VenueRequest): readonly string[] {
  switch (request.kind) {
    case 'create-orders':
      return request.orders.map((order) => `market ${order.marketId}: ${sizeText(order)}`);
    case 'replace-orders':
      return request.replacements.map(
        ({ orderId, place, price, shares }) =>
          `market ${place.marketId}: ${sizeText({ ...place, price, shares, expiresAt: null })} for ${orderId}`,
      );
    case 'cancel-orders':
      return request.orderIds.map(String);
    case 'cancel-scope':
      return [request.scope.kind === 'event' ? 'everything in an event' : 'everything in a market'];
    case 'read-orders':
    case 'read-holdings':
    case 'read-balances':
    case 'read-book':
    case 'read-event':
      return [];
  }
}

function dropOldest(map: Map<unknown, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
