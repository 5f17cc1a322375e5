/** What the engine keeps of a market: its book, its position, its orders. */
import * as ids from '../../../src/domain/ids.js';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Approved } from '../../../src/domain/effects.js';
import type { MarketId } from '../../../src/domain/ids.js';
import type { Fill } from '../../../src/domain/fill.js';
import type { EventDescription } from '../../../src/domain/market.js';
import type { LimitOrder } from '../../../src/domain/orders.js';
import { type Money, priceUnits, type Shares, shares } from '../../../src/domain/units.js';
import { OwnOrders } from '../../../src/core/execution/orders/own-orders.js';
import { Portfolio } from '../../../src/core/portfolio/portfolio.js';
import { OddsmithSubject } from '../mirror/mirrors.js';
import { START, Updates, eventsOf } from '../mirror/updates.js';
import { AgreeableVenue } from './agreeable-venue.js';

const MARKETS = 10_000;
const BATCH = 20;

/** Bytes a market of each part. */
export interface StateBytes {
  readonly book: number;
  readonly position: number;
  /** One order a side. */
  readonly orders: number;
  readonly whole: number;
}

export function measureState(): StateBytes {
  const events = eventsOf(MARKETS);
  const ids = events.flatMap((event) => event.markets.map((market) => market.id));
  const book = bytesOf(() => booksOf(events, ids));
  const position = bytesOf(() => portfolioOf(events));
  const orders = bytesOf(() => ordersOf(events));
  return { book, position, orders, whole: book + position + orders };
}

function booksOf(events: readonly EventDescription[], ids: readonly MarketId[]): OddsmithSubject {
  const subject = new OddsmithSubject(events);
  const updates = new Updates(ids, ids.length);
  for (let update = 0; update < 5 * ids.length; update++) subject.apply(updates.next());
  return subject;
}

/** A position in every market, told by a fill, marked, and counted in the worst case of its event. */
function portfolioOf(events: readonly EventDescription[]): Portfolio {
  const byId = new Map(events.map((event) => [event.id, event]));
  const rules = (id: EventDescription['id']) => ({
    resolutionMode: 'exclusive' as const,
    nonePossible: true,
    voidPossible: true,
    mayExclude: true,
    markets: byId.get(id)!.markets.map((market) => market.id),
  });
  const portfolio = new Portfolio(rules, 3_000);
  for (const event of events)
    for (const { id } of event.markets) {
      portfolio.fill(fillOf(event.id, id), START);
      portfolio.mark(id, 5_050);
    }
  return portfolio;
}

const fillOf = (eventId: Fill['eventId'], marketId: MarketId): Fill => ({
  id: 1,
  isInferred: false,
  replaces: null,
  orderId: ids.orderId(1),
  eventId,
  marketId,
  side: 'bid',
  position: 'long',
  currency: 'OOM',
  shares: shares(1_000),
  amount: 4_900_000 as Money,
  fee: 0 as Money,
  liquidity: 'maker',
  at: START,
});

/** A bid and an ask rest in every market, named by the venue and heard of in a frame. */
function ordersOf(events: readonly EventDescription[]): OwnOrders {
  const orders = new OwnOrders({
    tradedMarket: (market) => ({
      eventId: eventIdOf(events, market),
      ownership: 'exclusive',
      mode: 'play_money',
    }),
    fees: () => ({ takerFee: 0 as Money, makerFee: 0 as Money }),
    clockWindowMs: 30_000,
    keepEndedMs: 120_000,
  });
  const venue = new AgreeableVenue();
  const wanted = events.flatMap((event) => event.markets.flatMap(({ id }) => pairOf(event.id, id)));
  for (let from = 0; from < wanted.length; from += BATCH) {
    const request = { kind: 'create-orders', orders: wanted.slice(from, from + BATCH) } as const;
    const effect = { kind: 'send', requestId: 1 + from / BATCH, request, deadline: START } as const;
    orders.sent(effect, START);
    for (const input of venue.answer(effect, START)) {
      if (input.kind === 'answer') orders.answered(input, START);
      else if (input.kind === 'order') orders.reported(input.report, START);
    }
  }
  return orders;
}

const MARKETS_PER_EVENT = 10;
const eventIdOf = (events: readonly EventDescription[], market: MarketId): EventDescription['id'] =>
  events[Math.floor((Number(market) - Number(events[0]!.markets[0]!.id)) / MARKETS_PER_EVENT)]!.id;

const pairOf = (eventId: LimitOrder['eventId'], marketId: MarketId): readonly Approved<LimitOrder>[] =>
  (['long', 'short'] as const).map((position) => {
    const order: LimitOrder = {
      eventId,
      marketId,
      side: 'bid',
      position,
      currency: 'OOM',
      price: priceUnits(4_800),
      shares: 5_000 as Shares,
      expiresAt: null,
    };
    return order as Approved<LimitOrder>;
  });

const parts: object[] = [];

/** Heap and array buffers that making the part leaves behind, a market. */
function bytesOf(make: () => object): number {
  const before = memory();
  parts.push(make());
  return (memory() - before) / MARKETS;
}

const COLLECTIONS = 5;

/** The least after several collections: from one to the next it wavers by 370 KB, which nobody holds on to. */
function memory(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let least = Infinity;
  for (let collection = 0; collection < COLLECTIONS; collection++) {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    least = Math.min(least, heapUsed + arrayBuffers);
  }
  return least;
}
