/**
 * The doors of our stack with nothing in between: every book moves twenty orders in the same request, which is written,
 * signed and journalled as ever. Nobody decides anything; this is what a bot that did would still have to pay.
 */
import type { AnswerBody } from '../../../src/domain/answers.js';
import type { TradingRequest } from '../../../src/domain/effects.js';
import { eventId, marketId, type MarketId } from '../../../src/domain/ids.js';
import type { BookUpdate } from '../../../src/domain/inputs.js';
import type { LimitOrder, OrderReplacement, OrderReport } from '../../../src/domain/orders.js';
import { priceUnits, shares } from '../../../src/domain/units.js';
import { approved, send } from '../../support/effects.js';
import { type DoorOptions, openDoors, type Sender } from './doors.js';
import { frameReceiver } from './pusher-socket.js';
import { LADDER, type Stage } from './stage.js';

const EVENT = 1;
const FIRST_MARKET = 1_000;
const JOIN_MS = 500;
const CENT = 100;
const SIZE = shares(5_000);

const WITHOUT_QUESTIONS: Sender = {
  terms: { mode: 'play_money', tickUnitsOf: () => CENT, eventsWithDisabled: () => [], missedBy: () => null },
  lastCheck: () => 'send',
};

export async function openDoorsAlone(markets: number, options: Omit<DoorOptions, 'events'>): Promise<Stage> {
  const doors = await openDoors({ ...options, events: [EVENT] }, WITHOUT_QUESTIONS);
  const { feed, gateway } = doors;
  const standing = new Map<MarketId, readonly OrderReport[]>();
  let requests = 0;
  feed.streams['book-update'].subscribe((book) => {
    requests += 1;
    gateway.submit(send(requests, moveTo(book, standing.get(book.marketId))));
  });
  feed.streams['order-update'].subscribe();
  gateway.answers.subscribe(({ outcome }) => {
    if (!outcome.ok) throw new Error(outcome.failure.kind);
    const orders = ordersOf(outcome.body);
    standing.set(orders[0]!.marketId, orders);
  });
  feed.connect();
  await new Promise((resolve) => setTimeout(resolve, JOIN_MS));
  const ids = Array.from({ length: markets }, (_, at) => FIRST_MARKET + at);
  return { events: [{ id: EVENT, markets: ids }], receive: frameReceiver(), close: () => doors.close() };
}

function moveTo(book: BookUpdate, standing: readonly OrderReport[] | undefined): TradingRequest {
  const wanted = ordersAround(book);
  if (standing === undefined) return { kind: 'create-orders', orders: wanted.map(approved) };
  const replacements = standing.map(({ orderId }, at) => approved(replacementBy(orderId, wanted[at]!)));
  return { kind: 'replace-orders', replacements };
}

const replacementBy = (orderId: OrderReport['orderId'], order: LimitOrder): OrderReplacement => ({
  orderId,
  place: order,
  price: order.price,
  shares: order.shares,
  expiresAt: null,
});

/** As many levels a side as the strategy has, a cent apart, from ten cents behind the touch. */
function ordersAround({ marketId: market, bids, asks }: BookUpdate): LimitOrder[] {
  const orders: LimitOrder[] = [];
  for (let level = 0; level < LADDER.levels; level++) {
    const behind = (10 + level) * CENT;
    orders.push(orderAt(market, 'long', bids.prices[0]! - behind));
    orders.push(orderAt(market, 'short', 10_000 - asks.prices[0]! - behind));
  }
  return orders;
}

const orderAt = (market: MarketId, position: LimitOrder['position'], price: number): LimitOrder => ({
  eventId: eventId(EVENT),
  marketId: marketId(market),
  side: 'bid',
  position,
  currency: 'OOM',
  price: priceUnits(price),
  shares: SIZE,
  expiresAt: null,
});

function ordersOf(body: AnswerBody): OrderReport[] {
  if (body.kind !== 'create-orders' && body.kind !== 'replace-orders') throw new Error(body.kind);
  return body.items.map((item) => {
    if (!item.ok) throw new Error(item.code);
    return item.value;
  });
}
