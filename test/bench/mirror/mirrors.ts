import type { EventId, MarketId } from '../../../src/domain/ids.js';
import type { AnswerBody } from '../../../src/domain/answers.js';
import type { BookInput, Input } from '../../../src/domain/inputs.js';
import type { Levels } from '../../../src/domain/levels.js';
import type { EventDescription } from '../../../src/domain/market.js';
import type { ReadRequest } from '../../../src/domain/effects.js';
import type { Micros } from '../../../src/domain/units.js';
import { Mirror } from '../../../src/core/mirror/mirror.js';
import { MIRROR_SETTINGS } from '../../support/mirror/mirror-settings.js';
import { START } from './updates.js';
import { subscriptionChange } from '../../../src/venues/futuur/protocol/realtime/channels.js';

/** A mirror under measurement: takes updates and tells the best bid. */
export interface Subject {
  apply(update: BookInput): void;
  bestBid(market: MarketId): number | null;
}

/** Ours, connected, joined and read. */
export class OddsmithSubject implements Subject {
  readonly mirror: Mirror;
  #seq = 0;
  #requests = 0;

  constructor(events: readonly EventDescription[]) {
    const quoted = events.flatMap((event) => event.markets.map((market) => market.id));
    this.mirror = new Mirror({ events, quoted, learnedGrids: [], settings: MIRROR_SETTINGS });
    this.#hear({ kind: 'link', state: 'connected', reason: '' });
    for (const { id } of events) this.#join(`event-${id}`);
    this.#join('private-user-1');
    for (const request of this.mirror.needs(START)) this.#answer(request);
  }

  apply(update: BookInput): void {
    this.mirror.apply({ seq: (this.#seq += 1), at: update.venueTime, input: update });
  }

  bestBid(market: MarketId): number | null {
    return this.mirror.touch(market).bid;
  }

  #hear(input: Input): void {
    this.mirror.apply({ seq: (this.#seq += 1), at: START, input });
  }

  #join(channel: string): void {
    this.#hear(subscriptionChange(channel, 'subscribed'));
  }

  #answer(request: ReadRequest): void {
    const body = accountAnswer(request);
    if (body === null) return;
    this.#requests += 1;
    this.mirror.issued(this.#requests, request);
    const outcome = { ok: true, body } as const;
    this.#hear({ kind: 'answer', requestId: this.#requests, sentAt: START, outcome });
  }
}

function accountAnswer(request: ReadRequest): AnswerBody | null {
  if (request.kind === 'read-orders') return { kind: 'read-orders', orders: [] };
  if (request.kind === 'read-holdings') return { kind: 'read-holdings', holdings: [] };
  return request.kind === 'read-balances' ? { kind: 'read-balances', balances: new Map() } : null;
}

interface PlainLevel {
  readonly price: number;
  readonly shares: number;
}

/** What one would write first: a Map of books whose sides are fresh arrays of level objects. Keeps no history. */
export class PlainSubject implements Subject {
  readonly #books = new Map<
    MarketId,
    {
      readonly eventId: EventId;
      readonly bids: PlainLevel[];
      readonly asks: PlainLevel[];
      readonly at: Micros;
    }
  >();

  apply(update: BookInput): void {
    const known = this.#books.get(update.marketId);
    if (known !== undefined && known.at > update.venueTime) return;
    this.#books.set(update.marketId, {
      eventId: update.eventId,
      bids: plainLevels(update.bids),
      asks: plainLevels(update.asks),
      at: update.venueTime,
    });
  }

  bestBid(market: MarketId): number | null {
    const best = this.#books.get(market)?.bids[0];
    return best === undefined ? null : best.price / 100;
  }
}

const plainLevels = (side: Levels): PlainLevel[] =>
  side.prices.map((price, level) => ({ price, shares: side.shares[level]! }));
