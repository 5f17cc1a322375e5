/** Harbour's words as the core's: orders, positions, books, statuses, refusals. The only file that knows both. */
import type { ItemOutcome, RefusalMeaning } from '../../../src/domain/answers.js';
import { eventId, marketId, orderId } from '../../../src/domain/ids.js';
import type { Levels } from '../../../src/domain/levels.js';
import type { EventDescription, MarketDescription } from '../../../src/domain/market.js';
import {
  bookSideOf,
  type HoldingReport,
  type LimitOrder,
  longPriceOf,
  type OrderReport,
} from '../../../src/domain/orders.js';
import { type Micros, type PriceUnits, type Shares } from '../../../src/domain/units.js';
import type { EventStatus, MarketStatus, OrderStatus, Resolution } from '../../../src/domain/vocabulary.js';
import type {
  Item,
  MarketMessage,
  MarketState,
  OrderMessage,
  PlaceItem,
  PositionMessage,
  Replies,
  Word,
} from './messages.js';

/** Harbour has one currency. */
export const CURRENCY = 'OOM';
const PRICE_ONE = 10_000;
const MONEY_ONE = 1_000_000;

/** What each word of Harbour means to the core. */
const MEANING: Readonly<Record<Word, RefusalMeaning>> = {
  WOULD_TAKE: 'would-take',
  TAKEN_CID: 'copy',
  NO_MONEY: 'no-funds',
  NOTHING_TO_REDUCE: 'no-funds',
  BAD_SIZE: 'bad-shares',
  BAD_PRICE: 'invalid',
  TOO_MANY: 'invalid',
  NOT_TRADING: 'market-closed',
  OWN_ORDER: 'conflicting-orders',
  ALREADY_OVER: 'not-cancelable',
  WHICH_ORDER: 'not-found',
  WHICH_MARKET: 'not-found',
  SLOW_DOWN: 'throttled',
  STALE_STAMP: 'too-late',
  BAD_SIGNATURE: 'keys-refused',
  BROKEN: 'venue-failed',
};

export const meaningOf = (word: Word): RefusalMeaning => MEANING[word];

/** The outcome of one item of a batch. */
export function itemOutcome<From, To>(item: Item<From>, to: (value: From) => To): ItemOutcome<To> {
  if (item.ok) return { ok: true, value: to(item.value) };
  const { word: code, text: detail } = item;
  const fields = code === 'BAD_PRICE' ? { fields: ['price'] } : {};
  return { ok: false, code, means: meaningOf(code), detail, ...fields };
}

/** An ask of the core sells what is held; Harbour calls that reducing. */
export const placeItem = (order: LimitOrder, cid: string): PlaceItem => ({
  cid,
  market: order.marketId,
  side: bookSideOf(order) === 'bid' ? 'buy' : 'sell',
  reduce: order.side === 'ask',
  price: longPriceOf(order),
  size: order.shares,
  post: true,
  expires: order.expiresAt,
});

const OVER: Readonly<Record<string, OrderStatus>> = { expired: 'expired' };

/** The leg is the one that the order was sent with: `reduce` keeps it. */
export function orderReport(order: OrderMessage): OrderReport {
  const { side, reduce, filled, size, state, why } = order;
  const position = (side === 'buy') === reduce ? 'short' : 'long';
  const own = (price: number): number => (position === 'long' ? price : PRICE_ONE - price);
  const open = filled > 0 ? 'partial_filled' : 'open';
  return {
    orderId: orderId(order.id),
    marketId: marketId(order.market),
    eventId: eventId(order.event),
    side: reduce ? 'ask' : 'bid',
    position,
    currency: CURRENCY,
    price: own(order.price) as PriceUnits,
    status: state === 'open' ? open : state === 'filled' ? 'filled' : (OVER[why ?? ''] ?? 'canceled'),
    requested: size as Shares,
    filled: filled as Shares,
    averageFillPrice: filled === 0 ? null : own(order.value / filled) / PRICE_ONE,
    createdAt: order.placed as Micros,
    expiresAt: order.expires as Micros | null,
  };
}

/** A net position is two holdings of the core: one of them is zero. */
export const holdingReports = ({ event, market, net, cost }: PositionMessage): readonly HoldingReport[] =>
  (['long', 'short'] as const).map((position) => {
    const shares = Math.max(0, position === 'long' ? net : -net);
    return {
      marketId: marketId(market),
      eventId: eventId(event),
      position,
      currency: CURRENCY,
      shares: shares as Shares,
      purchasesAmount: shares === 0 ? 0 : cost / MONEY_ONE,
    };
  });

export const levelsOf = (
  levels: readonly (readonly [price: number, size: number, own?: number])[],
): Levels => ({
  prices: levels.map(([price]) => price as PriceUnits),
  shares: levels.map(([, size]) => size as Shares),
});

const STATUS: Readonly<Record<MarketState, MarketStatus>> = {
  open: 'active',
  halted: 'paused',
  over: 'resolved',
  undone: 'reversed',
};

export const marketStatusOf = ({ state, result }: MarketMessage): MarketStatus =>
  result === 'void' ? 'cancelled' : STATUS[state];

const resolutionOf = ({ result }: MarketMessage): Resolution | null =>
  result === null ? null : ({ yes: 'long', no: 'short', void: 'void' } as const)[result];

const marketDescription = (market: MarketMessage): MarketDescription => ({
  id: marketId(market.market),
  eventId: eventId(market.event),
  title: market.name,
  tickUnits: market.tick,
  status: marketStatusOf(market),
  disabled: null,
  betStart: null,
  betEnd: market.closes as Micros | null,
  resolution: resolutionOf(market),
  longLabel: 'Yes',
  shortLabel: 'No',
});

/** Harbour says nothing of an event as a whole: it is over when all its markets are. */
export function eventDescription(
  event: string,
  { name, exclusive, markets }: Replies['event'],
): EventDescription {
  return {
    id: eventId(event),
    title: name,
    slug: event,
    status: eventStatusOf(markets),
    resolutionMode: exclusive ? 'exclusive' : 'non_exclusive',
    isLive: null,
    betStart: null,
    betEnd: null,
    eventStart: null,
    eventEnd: null,
    markets: markets.map(marketDescription),
  };
}

export function eventStatusOf(markets: readonly MarketMessage[]): EventStatus {
  if (markets.some(({ state }) => state === 'undone')) return 'reversed';
  if (!markets.every(({ state }) => state === 'over')) return 'open';
  return markets.every(({ result }) => result === 'void') ? 'cancelled' : 'resolved';
}
