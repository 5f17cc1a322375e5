/** Inputs of a bot in one market, for its shadow. */
import { eventId, marketId, orderId } from '../../../src/domain/ids.js';
import type { Input } from '../../../src/domain/inputs.js';
import type { Levels } from '../../../src/domain/levels.js';
import type { OrderReport } from '../../../src/domain/orders.js';
import type { Micros, PriceUnits, Shares } from '../../../src/domain/units.js';
import type { OrderStatus } from '../../../src/domain/vocabulary.js';
import { second } from '../tape/tape.js';

export type PlainLevels = readonly (readonly [price: number, shares: number])[];

const MARKET = marketId(1);
const EVENT = eventId(1);

const levelsOf = (levels: PlainLevels): Levels => ({
  prices: levels.map(([price]) => price as PriceUnits),
  shares: levels.map(([, shares]) => shares as Shares),
});

/** A frame of the book, five levels deep. */
export const book = (s: number, bids: PlainLevels, asks: PlainLevels): Input => ({
  kind: 'book',
  eventId: EVENT,
  marketId: MARKET,
  mode: 'play_money',
  topN: 5,
  bids: levelsOf(bids),
  asks: levelsOf(asks),
  venueTime: second(s),
});

/** The volume of the event, money units. */
export const volume = (total: number): Input => ({
  kind: 'event-status',
  eventId: EVENT,
  status: 'open',
  mode: 'play_money',
  wagerable: true,
  volumePlayMoney: total as never,
  volumeRealMoney: null,
  markets: [],
});

/** A bid on long, told by a frame. */
export const order = (
  s: number,
  id: number,
  facts: {
    readonly price: number;
    readonly shares: number;
    readonly status?: OrderStatus;
    readonly filled?: number;
  },
): Input => ({
  kind: 'order',
  report: reportOf(id, facts),
  cancelReason: null,
  systemInitiated: false,
  venueTime: second(s),
});

export const reportOf = (
  id: number,
  facts: {
    readonly price: number;
    readonly shares: number;
    readonly status?: OrderStatus;
    readonly filled?: number;
    readonly createdAt?: Micros;
  },
): OrderReport => ({
  orderId: orderId(id),
  marketId: MARKET,
  eventId: EVENT,
  side: 'bid',
  position: 'long',
  currency: 'OOM',
  price: facts.price as PriceUnits,
  status: facts.status ?? 'open',
  requested: facts.shares as Shares,
  filled: (facts.filled ?? 0) as Shares,
  averageFillPrice: (facts.filled ?? 0) > 0 ? facts.price / 10_000 : null,
  createdAt: facts.createdAt ?? null,
  expiresAt: null,
});
