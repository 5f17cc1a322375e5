/** What the core says as realtime payloads (specification 6.3). */
import type { Micros, PriceUnits } from '../../domain/units.js';
import { currencyUnits, notional, PRICE_ONE, probability, wholeShares } from '../../domain/units.js';
import type { EventId, MarketId } from '../../exchange/contract/ids.js';
import type {
  BestPricesChangeEvent,
  EventView,
  LiveDataUpdateEvent,
  MarketCommentEvent,
  MarketPrice,
  MarketStatusChangeEvent,
  MarketView,
  NewMarketEvent,
  OrderBookUpdateEvent,
  OrderUpdateEvent,
  PositionUpdateEvent,
  PriceChangeEvent,
  PublishedLevels,
} from '../../exchange/contract.js';
import type { ExchangeCore } from '../../exchange/exchange.js';
import { invariant } from '../../domain/errors.js';
import { type RealtimePayloads, POSITION_LETTERS } from '../../venues/futuur/protocol/realtime/events.js';
import { formatMilliseconds, unixSeconds } from '../../venues/futuur/protocol/timestamps.js';
import {
  userPublic,
  optionalMidPrice,
  optionalPrice,
  optionalTime,
  bookCurrency,
  priceByCurrency,
} from './rest.js';

type Payload<Name extends keyof RealtimePayloads> = RealtimePayloads[Name];

export const orderUpdate = (event: OrderUpdateEvent): Payload<'order-update'> => ({
  order_id: event.orderId,
  market_id: event.marketId,
  event_id: event.eventId,
  status: event.status,
  previous_status: event.previousStatus,
  side: event.side,
  position: POSITION_LETTERS[event.position],
  price: optionalPrice(event.price),
  shares_requested: wholeShares(event.requested),
  shares_filled: wholeShares(event.filled),
  ...(event.filledDelta > 0 ? { shares_filled_delta: wholeShares(event.filledDelta) } : {}),
  avg_fill_price: event.filled > 0 ? event.filledAmount / event.filled / PRICE_ONE : null,
  currency: event.currency,
  timestamp: formatMilliseconds(event.at),
  ...(event.cancelReason === null ? {} : { cancel_reason: event.cancelReason }),
  ...(event.expiresAt === null ? {} : { expired_at: formatMilliseconds(event.expiresAt) }),
  ...(event.systemInitiated ? { is_system_initiated: true } : {}),
});

export const orderBookUpdate = (event: OrderBookUpdateEvent): Payload<'order-book-update'> => ({
  market_id: event.marketId,
  event_id: event.eventId,
  currency: bookCurrency(event.mode),
  currency_mode: event.mode,
  top_n: event.topN,
  ask: levels(event.asks),
  bid: levels(event.bids),
  timestamp: formatMilliseconds(event.at),
});

function levels({ prices, shares }: PublishedLevels) {
  return prices.map((price, index) => {
    const amount = shares[index]!;
    return {
      price: probability(price),
      total_shares: wholeShares(amount),
      total_amount: currencyUnits(notional(price, amount)),
    };
  });
}

export const bestPricesChange = (event: BestPricesChangeEvent): Payload<'best-prices-change'> => ({
  market_id: event.marketId,
  event_id: event.eventId,
  currency_mode: event.mode,
  best_ask: optionalPrice(event.ask),
  best_bid: optionalPrice(event.bid),
  spread:
    event.ask === null || event.bid === null ? null : probability((event.ask - event.bid) as PriceUnits),
});

export function priceChange(event: PriceChangeEvent, exchange: ExchangeCore): Payload<'price-change'> {
  const view = eventOf(exchange, event.eventId);
  return {
    id: event.eventId,
    title: view.title,
    status: event.status,
    currency_mode: event.mode,
    is_wagerable: event.wagerable,
    wagers_count_play_money: event.wagersPlayMoney,
    wagers_count_real_money: event.wagersRealMoney,
    wagers_count_total: event.wagersPlayMoney + event.wagersRealMoney,
    volume_play_money: currencyUnits(event.volumePlayMoney),
    volume_real_money: currencyUnits(event.volumeRealMoney),
    markets: event.markets.map((market) => pricedMarket(market, marketOf(exchange, market.marketId))),
  };
}

const pricedMarket = (price: MarketPrice, market: MarketView) => ({
  id: market.id,
  title: market.title,
  status: price.status,
  price: priceByCurrency(price),
  long_label: market.longLabel,
  short_label: market.shortLabel,
  resolution: price.resolution === 'void' || price.resolution === null ? null : String(price.resolution),
});

export function newMarket(event: NewMarketEvent, exchange: ExchangeCore): Payload<'new-market'> {
  const view = eventOf(exchange, event.eventId);
  const market = marketOf(exchange, event.marketId);
  return {
    id: market.id,
    title: market.title,
    title_verbose: `${view.title}: ${market.title}`,
    event: { id: view.id, title: view.title, status: view.status, category: view.category },
    status: market.status,
    suggested_price_play_money: optionalMidPrice(market.playMoney),
    suggested_price_real_money: optionalMidPrice(market.realMoney),
    bet_start_date: optionalTime(market.betStart),
    bet_end_date: optionalTime(market.betEnd),
  };
}

export const liveDataUpdate = (event: LiveDataUpdateEvent): Payload<'live-data-update'> => ({
  id: event.eventId,
  status: event.status,
  resolution: event.resolution,
  resolve_date: optionalTime(event.resolvedAt),
  event_start_date: optionalTime(event.eventStart),
  event_end_date: optionalTime(event.eventEnd),
  event_extra_data: event.extraData,
  is_live: event.isLive,
});

export const marketStatusChange = (event: MarketStatusChangeEvent): Payload<'market-status-change'> => ({
  event_id: event.eventId,
  market_id: event.marketId,
  status: event.status,
  previous_status: event.previousStatus,
  bet_start_date: optionalTime(event.betStart),
  bet_end_date: optionalTime(event.betEnd),
  disabled: event.disabled,
  timestamp: formatMilliseconds(event.at),
});

export function marketComment(event: MarketCommentEvent, exchange: ExchangeCore): Payload<'market-comment'> {
  const author = exchange.author(event.account);
  invariant(author !== null, `comment ${event.commentId} has no author`);
  return {
    id: event.commentId,
    content: event.content,
    created_on: formatMilliseconds(event.postedAt),
    user: userPublic(author),
    question: question(eventOf(exchange, event.eventId)),
  };
}

const question = (event: EventView) => ({
  id: event.id,
  title: event.title,
  slug: event.slug,
  status: event.status,
  resolve_date: optionalTime(event.resolvedAt),
  bet_end_date: optionalTime(event.betEnd),
  is_binary: event.isBinary,
});

export const balanceChanged = (at: Micros): Payload<'balance-changed'> => ({ timestamp: unixSeconds(at) });

export const positionUpdate = (event: PositionUpdateEvent): Payload<'position-update'> => ({
  market_id: event.marketId,
  event_id: event.eventId,
  position: event.position,
  currency: event.currency,
  shares: wholeShares(event.shares),
  purchases_amount: currencyUnits(event.purchasesAmount),
  avg_price: event.shares > 0 ? event.purchasesAmount / event.shares / PRICE_ONE : 0,
});

function eventOf(exchange: ExchangeCore, id: EventId): EventView {
  const event = exchange.event(id);
  invariant(event !== null, `an event of the unknown event ${id}`);
  return event;
}

function marketOf(exchange: ExchangeCore, id: MarketId): MarketView {
  const market = exchange.market(id);
  invariant(market !== null, `an event of the unknown market ${id}`);
  return market;
}
