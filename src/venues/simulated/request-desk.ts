import type { TradingRequest, VenueRequest } from '../../domain/effects.js';
import { type EventId, eventId, type MarketId, marketId, orderId } from '../../domain/ids.js';
import type { Answer, AnswerBody } from '../../domain/answers.js';
import {
  type LimitOrder,
  type KnownOrders,
  type MissedOrders,
  missedOrders,
  type OrderReplacement,
  type OrderReport,
} from '../../domain/orders.js';
import type { EventDescription } from '../../domain/market.js';
import type { Micros } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type {
  BookLevelView,
  Command,
  EventView,
  ListedOrderStatus,
  OrderRequest,
  OrderUpdateRequest,
  OutcomeOf,
  RequestIdentity,
} from '../../exchange/contract.js';
import type { ExchangeCore } from '../../exchange/exchange.js';
import * as listed from '../../exchange/contract/ids.js';
import { feePerShare } from '../futuur/protocol/decimals.js';
import { listedOrder, placedItem, refusedCancel, refusedRequest } from './order-reports.js';

export type Outcome = Answer['outcome'];

export interface DeskParts {
  readonly exchange: ExchangeCore;
  /** The venue's clock; the exchange's own stands still while nothing is executed. */
  readonly now: () => Micros;
  readonly account: listed.AccountId;
  readonly mode: CurrencyMode;
  /** How old a book that is read may be. */
  readonly bookCacheMs: number;
  /** The idempotency key of a request id. */
  readonly keyOf: (requestId: number) => string;
  /** Runs a command now; what the exchange says about it is on its way then. */
  readonly execute: <C extends Command>(command: C) => OutcomeOf[C['kind']];
}

const EVERYTHING = { limit: 1_000_000, offset: 0 } as const;
/** In the direction in which orders move through them, as the client lists them. */
const ACTIVE: readonly ListedOrderStatus[] = ['processing', 'open', 'partial_filled'];
/** Where the client looks for what these have missed. */
const OVER: readonly ListedOrderStatus[] = ['filled', 'canceled'];
const MICROS_PER_MS = 1_000;

/** How a request is served; each `yield` is the way back to the client and of its next call to the venue. */
export type Service = Generator<undefined, Outcome, undefined>;

/** Answers requests from the exchange as its server would, in integers. */
export class RequestDesk {
  private readonly books = new Map<MarketId, { readonly at: Micros; readonly body: AnswerBody }>();

  constructor(private readonly parts: DeskParts) {}

  /** @param request one that has just arrived; what it asks for happens as the generator is advanced */
  *serve(requestId: number, request: VenueRequest): Service {
    switch (request.kind) {
      case 'create-orders':
        return this.create(request.orders, this.identity(requestId, request));
      case 'replace-orders':
        return this.replace(request.replacements, this.identity(requestId, request));
      case 'cancel-orders':
        return this.cancel(request.orderIds);
      case 'cancel-scope':
        return this.cancelScope(request.scope);
      case 'read-orders':
        return yield* this.orders(request.known);
      case 'read-holdings':
        return ok(this.holdings());
      case 'read-balances':
        return ok(this.balances());
      case 'read-book':
        return ok(this.book(request.marketId));
      case 'read-event':
        return this.event(request.eventId);
    }
  }

  /** Only creations are compared by what they say; any other is bound to its key, which is no other request's. */
  private identity(requestId: number, request: TradingRequest): RequestIdentity {
    const body = request.kind === 'create-orders' ? JSON.stringify(request) : '';
    return { key: this.parts.keyOf(requestId), body };
  }

  private create(orders: readonly LimitOrder[], request: RequestIdentity): Outcome {
    const { account, execute } = this.parts;
    const outcome = execute({ kind: 'place-batch', account, request, orders: orders.map(orderRequest) });
    if (!outcome.ok) return { ok: false, failure: refusedRequest(outcome.refusal) };
    const items = outcome.items.map(placedItem);
    return ok({ kind: 'create-orders', items, canceledIds: outcome.cancelledIds.map(orderId) });
  }

  private replace(replacements: readonly OrderReplacement[], request: RequestIdentity): Outcome {
    const { account, execute } = this.parts;
    const outcome = execute({
      kind: 'update-batch',
      account,
      request,
      updates: replacements.map(orderUpdate),
    });
    if (!outcome.ok) return { ok: false, failure: refusedRequest(outcome.refusal) };
    return ok({ kind: 'replace-orders', items: outcome.items.map(placedItem) });
  }

  private cancel(orderIds: Extract<VenueRequest, { kind: 'cancel-orders' }>['orderIds']): Outcome {
    const { account, execute } = this.parts;
    const { items } = execute({ kind: 'cancel-batch', account, orderIds: orderIds.map(listed.orderId) });
    return ok({
      kind: 'cancel-orders',
      items: items.map((item) =>
        item.ok ? { ok: true, value: orderId(item.orderId) } : refusedCancel(item.why),
      ),
    });
  }

  private cancelScope(scope: Extract<VenueRequest, { kind: 'cancel-scope' }>['scope']): Outcome {
    const { account, execute } = this.parts;
    const { canceledIds, processingIds } = execute({
      kind: 'cancel-all',
      account,
      eventId: listed.eventId(scope.eventId),
      marketId: scope.kind === 'market' ? listed.marketId(scope.marketId) : null,
    });
    return ok({
      kind: 'cancel-scope',
      canceledIds: canceledIds.map(orderId),
      processingIds: processingIds.map(orderId),
    });
  }

  /** One call per status. An order that advances meanwhile is met again, and counts as in the last. */
  private *orders(known: KnownOrders | undefined): Service {
    const found = new Map<number, OrderReport>();
    for (const status of ACTIVE) {
      if (status !== ACTIVE[0]) yield;
      const { exchange, account } = this.parts;
      const ordering = { field: 'id', descending: false } as const;
      const page = exchange.orders(account, { status, ordering, ...EVERYTHING });
      for (const order of page.results) found.set(order.id, listedOrder(order));
    }
    const missed = known === undefined ? null : missedOrders(known, [...found.values()]);
    const ended = missed === null ? [] : yield* this.ends(missed);
    return ok({ kind: 'read-orders', orders: [...found.values()], ...(ended.length > 0 && { ended }) });
  }

  /** As many of them as the exchange remembers, in one call for each of the two lists. */
  private *ends({ ids }: MissedOrders): Generator<undefined, readonly OrderReport[], undefined> {
    const found: OrderReport[] = [];
    for (const status of OVER) {
      yield;
      for (const id of ids) {
        const order = this.parts.exchange.order(this.parts.account, listed.orderId(id));
        if (order?.status === status) found.push(listedOrder(order));
      }
    }
    return found;
  }

  private event(id: EventId): Outcome {
    const view = this.parts.exchange.event(listed.eventId(id));
    return view === null ? NOT_FOUND : ok({ kind: 'read-event', event: eventOf(view) });
  }

  private holdings(): AnswerBody {
    const { exchange, account, mode } = this.parts;
    const page = exchange.wagers({ viewer: account, active: true, mode, ...EVERYTHING });
    return {
      kind: 'read-holdings',
      holdings: page.results.map(({ position, currency, shares, purchasesAmount, ...ids }) => ({
        marketId: marketId(ids.marketId),
        eventId: eventId(ids.eventId),
        position,
        currency,
        shares,
        purchasesAmount: purchasesAmount / 1_000_000,
      })),
    };
  }

  private balances(): AnswerBody {
    const wallet = this.parts.exchange.account(this.parts.account)?.wallet ?? {};
    return { kind: 'read-balances', balances: new Map(Object.entries(wallet)) as never };
  }

  private book(market: MarketId): AnswerBody {
    const { exchange, account, mode, bookCacheMs } = this.parts;
    const now = this.parts.now();
    const known = this.books.get(market);
    if (known !== undefined && now - known.at < bookCacheMs * MICROS_PER_MS) return known.body;
    const view = exchange.book(listed.marketId(market), mode, 'long', account) ?? { bids: [], asks: [] };
    const body: AnswerBody = {
      kind: 'read-book',
      marketId: market,
      mode,
      bids: levelsOf(view.bids),
      asks: levelsOf(view.asks),
      ownBids: view.bids.map((level) => level.userShares ?? (0 as never)),
      ownAsks: view.asks.map((level) => level.userShares ?? (0 as never)),
      feePerShare: feePerShare([...view.bids, ...view.asks]),
    };
    this.books.set(market, { at: now, body });
    return body;
  }
}

const NOT_FOUND: Outcome = {
  ok: false,
  failure: {
    kind: 'refused',
    status: 404,
    code: 'NotFound',
    means: 'not-found',
    detail: 'There is no such resource.',
    retryAfterMs: null,
  },
};

const ok = (body: AnswerBody): Outcome => ({ ok: true, body });

const orderRequest = (order: LimitOrder): OrderRequest => ({
  eventId: listed.eventId(order.eventId),
  marketId: listed.marketId(order.marketId),
  side: order.side,
  position: order.position,
  currency: order.currency,
  price: order.price,
  shares: order.shares,
  amount: null,
  expiresAt: order.expiresAt,
  cancelConflicting: false,
});

const orderUpdate = ({ orderId, price, shares, expiresAt }: OrderReplacement): OrderUpdateRequest => ({
  orderId: listed.orderId(orderId),
  price,
  shares,
  expiresAt,
});

const levelsOf = (levels: readonly BookLevelView[]) => ({
  prices: levels.map(({ price }) => price),
  shares: levels.map(({ shares }) => shares),
});

function eventOf(view: EventView): EventDescription {
  const { id, title, slug, status, resolutionMode, isLive, betStart, betEnd, eventStart, eventEnd } = view;
  return {
    id: eventId(id),
    title,
    slug,
    status,
    resolutionMode,
    isLive,
    betStart,
    betEnd,
    eventStart,
    eventEnd,
    markets: view.markets.map((market) => ({
      id: marketId(market.id),
      eventId: eventId(id),
      title: market.title,
      tickUnits: market.tickUnits,
      status: market.status,
      disabled: market.disabled,
      betStart: market.betStart,
      betEnd: market.betEnd,
      resolution: market.resolution,
      longLabel: market.longLabel,
      shortLabel: market.shortLabel,
    })),
  };
}
