/**
 * Translates events of the exchange into inputs of the engine, as the wire would. Times are cut to the precision of the
 * realtime payloads (specification 6.3).
 */
import { eventId, marketId, orderId } from '../../domain/ids.js';
import type { FeedInput } from '../../domain/inputs.js';
import { currencyUnits, type Micros, PRICE_ONE } from '../../domain/units.js';
import type { OrderReport } from '../../domain/orders.js';
import type { ExchangeEvent, NewMarketEvent, OrderUpdateEvent } from '../../exchange/contract.js';
import type { ExchangeCore } from '../../exchange/exchange.js';

type Inputs = {
  readonly [Kind in ExchangeEvent['kind']]: (
    event: Extract<ExchangeEvent, { readonly kind: Kind }>,
    exchange: ExchangeCore,
  ) => FeedInput | null;
};

const MILLISECOND = 1_000;
const SECOND = 1_000_000;

/** @returns null for events that the wire does not carry */
export function inputOf(event: ExchangeEvent, exchange: ExchangeCore): FeedInput | null {
  const translate = INPUTS[event.kind] as (event: ExchangeEvent, exchange: ExchangeCore) => FeedInput | null;
  return translate(event, exchange);
}

/** Kinds whose last event at one time replaces the earlier ones. */
const ABSOLUTE: ReadonlySet<ExchangeEvent['kind']> = new Set([
  'order-book-update',
  'best-prices-change',
  'price-change',
]);

/** Merges the events of one time: states in between were never shown to anybody. */
export function latestOnly(events: readonly ExchangeEvent[]): readonly ExchangeEvent[] {
  const seen = new Set<string>();
  return events
    .toReversed()
    .filter((event) => {
      if (!ABSOLUTE.has(event.kind)) return true;
      const subject = 'marketId' in event ? event.marketId : 'eventId' in event ? event.eventId : '';
      const name = `${event.kind} ${subject} ${'mode' in event ? event.mode : ''}`;
      if (seen.has(name)) return false;
      seen.add(name);
      return true;
    })
    .toReversed();
}

/** Events that the wire sends on two channels: a client of both hears them twice. */
export const isHeardTwice = (kind: ExchangeEvent['kind']): boolean =>
  kind === 'best-prices-change' || kind === 'market-status-change';

const INPUTS: Inputs = {
  trade: () => null,
  'order-book-update': (event) => ({
    kind: 'book',
    eventId: eventId(event.eventId),
    marketId: marketId(event.marketId),
    mode: event.mode,
    topN: event.topN,
    bids: event.bids,
    asks: event.asks,
    venueTime: cut(event.at, MILLISECOND),
  }),
  'best-prices-change': (event) => ({
    kind: 'touch',
    eventId: eventId(event.eventId),
    marketId: marketId(event.marketId),
    mode: event.mode,
    bid: event.bid,
    ask: event.ask,
  }),
  'price-change': (event) => ({
    kind: 'event-status',
    eventId: eventId(event.eventId),
    status: event.status,
    mode: event.mode,
    wagerable: event.wagerable,
    volumePlayMoney: event.volumePlayMoney,
    volumeRealMoney: event.volumeRealMoney,
    markets: event.markets.map((market) => ({
      marketId: marketId(market.marketId),
      status: market.status,
      resolution: market.resolution === 'void' ? null : market.resolution,
    })),
  }),
  'new-market': (event, exchange) => newMarket(exchange, event),
  'live-data-update': ({ status, resolution, isLive, eventStart, eventEnd, ...event }) => ({
    kind: 'event-live',
    eventId: eventId(event.eventId),
    status,
    resolution,
    isLive,
    eventStart,
    eventEnd,
  }),
  'market-status-change': ({ status, betStart, betEnd, disabled, at, ...event }) => ({
    kind: 'market-status',
    understood: true,
    eventId: eventId(event.eventId),
    marketId: event.marketId === null ? null : marketId(event.marketId),
    status,
    betStart,
    betEnd,
    disabled,
    venueTime: cut(at, MILLISECOND),
  }),
  'market-comment': ({ commentId, content, ...event }) => ({
    kind: 'comment',
    eventId: eventId(event.eventId),
    commentId,
    content,
  }),
  'balance-changed': ({ at }) => ({ kind: 'balance', venueTime: cut(at, SECOND) }),
  'deposit-success': ({ amount, currency }) => ({ kind: 'deposit', amount, currency }),
  'test-event': () => ({ kind: 'test' }),
  'order-update': (event) => ({
    kind: 'order',
    report:
      event.filledDelta > 0
        ? Object.assign(reportOf(event), { filledNow: event.filledDelta })
        : reportOf(event),
    cancelReason: event.cancelReason,
    systemInitiated: event.systemInitiated,
    venueTime: cut(event.at, MILLISECOND),
  }),
  'position-update': ({ position, currency, shares, purchasesAmount, ...event }) => ({
    kind: 'holding',
    holding: {
      marketId: marketId(event.marketId),
      eventId: eventId(event.eventId),
      position,
      currency,
      shares,
      purchasesAmount: currencyUnits(purchasesAmount),
    },
  }),
};

const reportOf = (event: OrderUpdateEvent): OrderReport => ({
  orderId: orderId(event.orderId),
  marketId: marketId(event.marketId),
  eventId: eventId(event.eventId),
  side: event.side,
  position: event.position,
  currency: event.currency,
  price: event.price,
  status: event.status,
  requested: event.requested,
  filled: event.filled,
  averageFillPrice: event.filled > 0 ? event.filledAmount / event.filled / PRICE_ONE : null,
  createdAt: null,
  expiresAt: event.expiresAt === null ? null : cut(event.expiresAt, MILLISECOND),
});

const cut = (time: Micros, to: number): Micros => (Math.floor(time / to) * to) as Micros;

function newMarket(exchange: ExchangeCore, event: NewMarketEvent): FeedInput | null {
  const market = exchange.event(event.eventId)?.markets.find(({ id }) => id === event.marketId);
  if (market === undefined) return null;
  const { title, status, betStart, betEnd } = market;
  return {
    kind: 'market-listed',
    eventId: eventId(event.eventId),
    marketId: marketId(event.marketId),
    title,
    status,
    betStart,
    betEnd,
  };
}
