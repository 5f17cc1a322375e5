/** Own orders in an exclusive and a shared market of one event, and what tests ask of them. */
import type { TradingRequest } from '../../../src/domain/effects.js';
import { type MarketId, marketId } from '../../../src/domain/ids.js';
import type { AnswerBody } from '../../../src/domain/answers.js';
import type { LimitOrder, OrderReport } from '../../../src/domain/orders.js';
import type { Money } from '../../../src/domain/units.js';
import type { OrderNews, OwnOrder } from '../../../src/core/execution/orders/own-order.js';
import { OwnOrders } from '../../../src/core/execution/orders/own-orders.js';
import { approved, send } from '../bot/effects.js';
import { EVENT, limitOrder, MARKET } from './order-scenario.js';
import { answered, ms, reportOf } from './own-order-reports.js';

/** Where others trade under our account, too. */
export const SHARED = marketId(8);

/** Ten shares for 48 cents. */
export const bid = limitOrder(48, 10);

/** None yet. A taker pays 0.001 a share. */
export const noOrders = (): OwnOrders =>
  new OwnOrders({
    tradedMarket: (market) => {
      if (market === MARKET) return { eventId: EVENT, ownership: 'exclusive', mode: 'play_money' };
      return market === SHARED ? { eventId: EVENT, ownership: 'shared', mode: 'play_money' } : null;
    },
    fees: () => ({ takerFee: 1_000 as Money, makerFee: 0 as Money }),
    clockWindowMs: 60_000,
    readAgeMs: 0,
    keepEndedMs: 60_000,
  });

/** One live order, number 5. */
export function oneLiveOrder(order = bid): OwnOrders {
  const orders = noOrders();
  sendFrom(orders, 1, create(order));
  orders.answered(answered(1, created(reportOf(order, 5)), ms(0)), ms(10));
  return orders;
}

export const create = (...orders: LimitOrder[]): TradingRequest => ({
  kind: 'create-orders',
  orders: orders.map(approved),
});

/** The answer to a create whose every item was taken. */
export const created = (...reports: OrderReport[]): AnswerBody => ({
  kind: 'create-orders',
  items: reports.map((value) => ({ ok: true, value })),
  canceledIds: [],
});

/** The first byte of a request leaves. */
export const sendFrom = (orders: OwnOrders, requestId: number, request: TradingRequest, at = ms(0)): void =>
  orders.sent(send(requestId, request, ms(60_000)), at);

export const working = (orders: OwnOrders, market: MarketId = MARKET): readonly OwnOrder[] =>
  orders.own(market).working;

export const kinds = (news: readonly OrderNews[]): readonly OrderNews['kind'][] =>
  news.map(({ kind }) => kind);
