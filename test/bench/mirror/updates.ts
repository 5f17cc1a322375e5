import * as ids from '../../../src/domain/ids.js';
import type { EventId, MarketId } from '../../../src/domain/ids.js';
import type { BookInput } from '../../../src/domain/inputs.js';
import type { Levels } from '../../../src/domain/levels.js';
import type { EventDescription } from '../../../src/domain/market.js';
import { type Micros, priceUnits, shares } from '../../../src/domain/units.js';

export const START = 1_800_000_000_000_000 as Micros;
const MARKETS_PER_EVENT = 10;
/** A message is hot when it is applied, for it has just been parsed: a few of them, used again and again, are as well. */
const MESSAGES = 512;

/** Uniform in [0, n): a linear congruential generator is random enough to scatter markets and prices. */
function chance(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Events of ten markets each, open, on a grid of one cent. */
export function eventsOf(markets: number): EventDescription[] {
  const count = Math.ceil(markets / MARKETS_PER_EVENT);
  return Array.from({ length: count }, (_, index) => eventOf(ids.eventId(1_000 + index), index));
}

function eventOf(id: EventId, index: number): EventDescription {
  return {
    id,
    title: `event ${id}`,
    slug: `event-${id}`,
    status: 'open',
    resolutionMode: 'exclusive',
    isLive: false,
    betStart: null,
    betEnd: null,
    eventStart: null,
    eventEnd: null,
    markets: Array.from({ length: MARKETS_PER_EVENT }, (_, place) => ({
      id: ids.marketId(100_000 + MARKETS_PER_EVENT * index + place),
      eventId: id,
      title: `market ${place}`,
      tickUnits: 100,
      status: 'active',
      disabled: false,
      betStart: null,
      betEnd: null,
      resolution: null,
      longLabel: 'Yes',
      shortLabel: 'No',
    })),
  };
}

/** A stream of top-5 updates, each with other levels, to random markets, in venue time. */
export class Updates {
  readonly #messages: { -readonly [K in keyof BookInput]: BookInput[K] }[];
  readonly #targets: readonly MarketId[];
  #time: number = START;
  #next = 0;

  constructor(markets: readonly MarketId[], length: number) {
    const below = chance(20_260_101);
    this.#messages = Array.from({ length: MESSAGES }, () => messageOf(below));
    this.#targets = Array.from({ length }, () => markets[below(markets.length)]!);
  }

  /** The next one; the object is used again 512 updates later. */
  next(): BookInput {
    const message = this.#messages[this.#next % MESSAGES]!;
    message.marketId = this.#targets[this.#next % this.#targets.length]!;
    message.venueTime = this.#time as Micros;
    this.#next += 1;
    this.#time += 1;
    return message;
  }
}

function messageOf(below: (n: number) => number): BookInput {
  const mid = 30 + below(40);
  const side = (sign: 1 | -1): Levels => ({
    prices: [1, 2, 3, 4, 5].map((distance) => priceUnits((mid + sign * distance) * 100)),
    shares: [1, 2, 3, 4, 5].map(() => shares(100 + below(100_000))),
  });
  return {
    kind: 'book',
    eventId: ids.eventId(0),
    marketId: ids.marketId(0),
    mode: 'play_money',
    topN: 5,
    bids: side(-1),
    asks: side(1),
    venueTime: START,
  };
}
