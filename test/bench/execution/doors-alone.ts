/**
 * The doors of our stack with nothing in between: every book moves twenty orders in the same request, which is written,
 * signed and journalled as ever. Nobody decides anything; this is what a bot that did would still have to pay.
 */
import type { AnswerBody } from '../../../src/domain/answers.js';
import type { TradingRequest } from '../../../src/domain/effects.js';
import type { MarketId } from '../../../src/domain/ids.js';
import type { BookInput } from '../../../src/domain/inputs.js';
import type { LimitOrder, OrderReplacement, OrderReport } from '../../../src/domain/orders.js';
import { complement, priceUnits, shares } from '../../../src/domain/units.js';
import { idempotencyKey } from '../../../src/core/execution/sending/sent-requests.js';
import { performing } from '../../../src/venues/futuur/requests.js';
import { VenueGateway } from '../../../src/venues/gateway.js';
import type { RunTerms } from '../../../src/venues/port.js';
import { approved, send } from '../../support/bot/effects.js';
import { fail, joined, openDoors } from './doors.js';
import { frameReceiver } from './pusher-socket.js';
import { eventsOf, LADDER, type Stage, type StageOptions } from './stage.js';

const CENT = 100;
const SIZE = shares(5_000);

const WITHOUT_QUESTIONS: RunTerms = {
  mode: 'play_money',
  tickUnitsOf: () => CENT,
};

export async function openDoorsAlone({ house, ...options }: Omit<StageOptions, 'onAnswer'>): Promise<Stage> {
  const events = eventsOf(house);
  const doors = await openDoors({ ...options, events: events.map(({ id }) => id) });
  const { feed, wire, journal } = doors;
  const gateway = new VenueGateway({
    perform: performing(wire, WITHOUT_QUESTIONS),
    latched: () => null,
    clock: options.clock,
    journal,
    keyOf: (requestId) => idempotencyKey('bench', requestId),
    venueAhead: () => wire.venueAhead,
    canDate: (sentAt) => wire.canDate(sentAt),
    onFault: fail,
  });
  const standing = new Map<MarketId, readonly OrderReport[]>();
  let requests = 0;
  feed.streams.book.subscribe((book) => {
    requests += 1;
    gateway.submit(send(requests, moveTo(book, standing.get(book.marketId))));
  });
  feed.streams.order.subscribe();
  gateway.answers.subscribe(({ outcome }) => {
    if (!outcome.ok) throw new Error(outcome.failure.kind);
    const orders = ordersOf(outcome.body);
    standing.set(orders[0]!.marketId, orders);
  });
  feed.connect();
  await joined();
  return { events, receive: frameReceiver(), close: () => doors.close() };
}

function moveTo(book: BookInput, standing: readonly OrderReport[] | undefined): TradingRequest {
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
  says: 'price',
});

/** As many levels a side as the strategy has, a cent apart, from ten cents behind the touch; side by side, as in a plan. */
function ordersAround(book: BookInput): LimitOrder[] {
  const behind = Array.from({ length: LADDER.levels }, (_, level) => (10 + level) * CENT);
  return [
    ...behind.map((by) => orderIn(book, 'long', book.bids.prices[0]! - by)),
    ...behind.map((by) => orderIn(book, 'short', complement(book.asks.prices[0]!) - by)),
  ];
}

const orderIn = (
  { eventId, marketId }: BookInput,
  position: LimitOrder['position'],
  price: number,
): LimitOrder => ({
  eventId,
  marketId,
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
