/** Drives a mirror the way an engine does, on a clock that only moves when told. */
import type { ReadRequest } from '../../../src/domain/effects.js';
import { eventId, marketId } from '../../../src/domain/ids.js';
import type { Answer, AnswerBody, RequestFailure } from '../../../src/domain/answers.js';
import type { BookInput, Input } from '../../../src/domain/inputs.js';
import type { Levels } from '../../../src/domain/levels.js';
import type { EventDescription, MarketDescription } from '../../../src/domain/market.js';
import { type Micros, micros, type Money, priceUnits, shares } from '../../../src/domain/units.js';
import { Mirror } from '../../../src/core/mirror/mirror.js';
import type { MirrorSettings } from '../../../src/core/mirror/settings.js';
import { MIRROR_SETTINGS } from './mirror-settings.js';
import { subscriptionChange } from '../../../src/venues/futuur/protocol/realtime/channels.js';

export const EVENT = eventId(873);
export const MARKET = marketId(2231);
export const OTHER_MARKET = marketId(2232);
export const START = micros(1_800_000_000_000_000);

/** Levels from `[price in cents, whole shares]`, best first. */
export const levels = (...pairs: readonly (readonly [number, number])[]): Levels => ({
  prices: pairs.map(([cents]) => priceUnits(Math.round(cents * 100))),
  shares: pairs.map(([, whole]) => shares(whole * 100)),
});

export const marketOf = (changes: Partial<MarketDescription> = {}): MarketDescription => ({
  id: MARKET,
  eventId: EVENT,
  title: 'Candidate A',
  tickUnits: 100,
  status: 'active',
  disabled: false,
  betStart: null,
  betEnd: null,
  resolution: null,
  longLabel: 'Yes',
  shortLabel: 'No',
  ...changes,
});

export const eventOf = (changes: Partial<EventDescription> = {}): EventDescription => ({
  id: EVENT,
  title: 'Who wins?',
  slug: 'who-wins',
  status: 'open',
  resolutionMode: 'exclusive',
  isLive: false,
  betStart: null,
  betEnd: null,
  eventStart: null,
  eventEnd: null,
  markets: [marketOf(), marketOf({ id: OTHER_MARKET, title: 'Candidate B' })],
  ...changes,
});

export const BIDS = levels([48, 300], [47, 200]);
export const ASKS = levels([52, 100], [53, 500]);

type BookBody = Extract<AnswerBody, { kind: 'read-book' }>;

export const bookBody = (changes: Partial<BookBody> = {}): BookBody => ({
  kind: 'read-book',
  marketId: MARKET,
  mode: 'play_money',
  bids: BIDS,
  asks: ASKS,
  ownBids: null,
  ownAsks: null,
  feePerShare: 0 as Money,
  ...changes,
});

/** What a request sent by the driver was, and when. */
interface Sent {
  readonly requestId: number;
  readonly request: ReadRequest;
  readonly sentAt: Micros;
}

export class MirrorDriver {
  readonly mirror: Mirror;
  now: Micros = START;
  /** As the venue describes it. */
  #shown: EventDescription;
  #seq = 0;
  #requestId = 0;

  constructor(
    settings: Partial<MirrorSettings> = {},
    event: EventDescription = eventOf(),
    quoted: readonly (typeof MARKET)[] = [MARKET],
    learnedGrids: readonly (typeof MARKET)[] = [],
  ) {
    this.#shown = event;
    this.mirror = new Mirror({
      events: [event],
      quoted,
      learnedGrids,
      settings: { ...MIRROR_SETTINGS, ...settings },
    });
  }

  /** Lets time pass, with a timer input whenever the mirror asked for one. */
  wait(ms: number): this {
    const end = (this.now + ms * 1_000) as Micros;
    for (let due = this.mirror.nextDue(); due !== null && due <= end; due = this.mirror.nextDue()) {
      this.now = Math.max(this.now, due) as Micros;
      this.apply({ kind: 'timer' });
    }
    this.now = end;
    return this;
  }

  apply(input: Input): this {
    this.#seq += 1;
    this.mirror.apply({ seq: this.#seq, at: this.now, input });
    return this;
  }

  connection(state: 'connected' | 'lost'): this {
    return this.apply({ kind: 'link', state, reason: 'test' });
  }

  channel(channel: string, state: 'subscribed' | 'refused' = 'subscribed'): this {
    return this.apply(subscriptionChange(channel, state, 'test'));
  }

  /** Connected and joined, nothing read yet. */
  join(): this {
    return this.connection('connected').channel(`event-${EVENT}`).channel('private-user-7');
  }

  /** From now on the venue describes the event so. */
  says(event: EventDescription): this {
    this.#shown = event;
    return this;
  }

  /** Connected, joined, everything asked for read. */
  goLive(): this {
    this.join().readAll();
    this.mirror.drainDirty();
    return this;
  }

  /** An update with the standard book unless told otherwise; its venue time is now plus `venueMs`. */
  update(changes: Partial<BookInput> = {}, venueMs = 0): this {
    return this.apply({
      kind: 'book',
      eventId: EVENT,
      marketId: MARKET,
      mode: 'play_money',
      topN: 5,
      bids: BIDS,
      asks: ASKS,
      venueTime: (this.now + venueMs * 1_000) as Micros,
      ...changes,
    });
  }

  /** Sends what the mirror needs, all or only one kind of it. */
  send(kind?: ReadRequest['kind']): Sent[] {
    return this.mirror
      .needs(this.now)
      .filter((request) => kind === undefined || request.kind === kind)
      .map((request) => this.issue(request));
  }

  /** Sends one request of the test's own choosing. */
  issue(request: ReadRequest): Sent {
    this.#requestId += 1;
    this.mirror.issued(this.#requestId, request);
    return { requestId: this.#requestId, request, sentAt: this.now };
  }

  answer(sent: Sent, body: AnswerBody): this {
    return this.#settle(sent, { ok: true, body });
  }

  fail(sent: Sent, failure: RequestFailure): this {
    return this.#settle(sent, { ok: false, failure });
  }

  /** Sends and answers at once whatever is needed, until nothing is. */
  readAll(body: Partial<BookBody> = {}): this {
    for (let sent = this.send(); sent.length > 0; sent = this.send())
      for (const one of sent) this.answer(one, this.usualAnswer(one.request, body));
    return this;
  }

  usualAnswer(request: ReadRequest, body: Partial<BookBody> = {}): AnswerBody {
    switch (request.kind) {
      case 'read-orders':
        return { kind: 'read-orders', orders: [] };
      case 'read-holdings':
        return { kind: 'read-holdings', holdings: [] };
      case 'read-balances':
        return { kind: 'read-balances', balances: new Map() };
      case 'read-event':
        return { kind: 'read-event', event: this.#shown };
      case 'read-book':
        return bookBody({ marketId: request.marketId, ...body });
    }
  }

  #settle(sent: Sent, outcome: Answer['outcome']): this {
    return this.apply({ kind: 'answer', requestId: sent.requestId, sentAt: sent.sentAt, outcome });
  }
}
