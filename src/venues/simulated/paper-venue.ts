/** A simulated venue that shows the live public data of a real one: own orders, holdings and cash are its own alone. */
import type { Answer, AnswerBody } from '../../domain/answers.js';
import { isTrading, type VenueRequest } from '../../domain/effects.js';
import { type EventId, eventId, type MarketId } from '../../domain/ids.js';
import type { FeedInput, Input } from '../../domain/inputs.js';
import type { EventDescription } from '../../domain/market.js';
import type { RecordedStatus } from '../../domain/recorded.js';
import { type Micros, micros } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Command, ExchangeSnapshot, ForeignMoment } from '../../exchange/contract.js';
import * as listed from '../../exchange/contract/ids.js';
import type { BookChange, TapeEvent } from '../../storage/tape-market/market-reading.js';
import { TapeReading } from '../../storage/tape-market/tape-reading.js';
import { TOP_N_DEFAULT } from '../futuur/protocol/profile.js';
import { userChannel } from '../futuur/protocol/realtime/channels.js';
import { HeardFrames } from '../futuur/realtime/feed.js';
import { notSent, type Outcome, WithheldError } from '../outcome.js';
import type { Feed, Perform, RunTerms, Sending, VenueClient } from '../port.js';
import { momentsOf } from './book-changes.js';
import { type PaperEvent, descriptionCommands } from './event-commands.js';
import { SimulatedVenue, type SimulatedVenueOptions } from './simulated-venue.js';

export interface PaperVenueOptions extends Pick<
  SimulatedVenueOptions,
  'exchange' | 'snapshot' | 'liquidity' | 'account' | 'mode' | 'latency' | 'timeoutMs' | 'onTrade'
> {
  readonly clock: Clock;
  /** The real venue, without an account: what it tells everybody, and its public reads. */
  readonly feed: Feed;
  readonly client: VenueClient;
  /** What is traded at first, as configured. */
  readonly events: readonly PaperEvent[];
  readonly crossing: ForeignMoment['crossing'];
  /** How old a book may be that the real venue returns. */
  readonly staleMs: number;
  /** Orders, holdings or cash of the account changed. */
  readonly onChange: () => void;
  /** Told of what the simulated venue could not be shown. */
  readonly onFault: (text: string) => void;
}

interface Waiting {
  readonly sending: Sending;
  readonly resolve: (outcome: Outcome<AnswerBody>) => void;
}

/**
 * Microseconds for which a book waits for the volume of its event, which tells what of a change was traded. Both leave the
 * venue together.
 */
const HOLD = 50_000;
/** What the account hears of its own orders, and the books with its own shares in them. */
const OWN: ReadonlySet<FeedInput['kind']> = new Set([
  'book',
  'touch',
  'order',
  'holding',
  'balance',
  'subscription',
]);

export class PaperVenue implements Feed, VenueClient {
  readonly #options: PaperVenueOptions;
  readonly #heard = new HeardFrames();
  readonly streams = this.#heard.streams;
  readonly #venue: SimulatedVenue;
  #reading: TapeReading;
  readonly #ticks = new Map<MarketId, number>();
  readonly #events = new Map<EventId, PaperEvent>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #keys = new Map<number, string>();
  /** When a frame last changed the status of a market of the event: what was asked before is out of date. */
  readonly #statusAt = new Map<EventId, number>();
  /** Markets whose book could not be shown: that is told once. */
  readonly #unshown = new Set<MarketId>();
  #reads: Perform | null = null;
  #requests = 0;
  #isUp = false;
  #isPumping = false;
  #cancelPump = (): void => undefined;
  #isStopped = false;

  constructor(options: PaperVenueOptions) {
    const { clock, events, mode } = options;
    this.#options = options;
    this.#reading = readingOf(mode, []);
    this.#venue = new SimulatedVenue({
      ...options,
      rateLimit: null,
      bookCacheMs: 0,
      now: () => clock.now(),
      keyOf: (requestId) => this.#keys.get(requestId) ?? '',
    });
    this.trade(events);
  }

  /** Dates of the simulated venue are ours. */
  readonly venueAhead = 0;

  canDate(): boolean {
    return true;
  }

  /** Everything that has to outlive the process; books of others are none of it. */
  snapshot(): ExchangeSnapshot {
    return this.#venue.exchange.snapshot('left out');
  }

  /** These events and markets are traded, too, once the venue has said what they are. */
  trade(events: readonly PaperEvent[]): void {
    this.#reading.joined(events);
    for (const event of events) {
      const known = this.#events.get(event.id)?.markets ?? [];
      const added = event.markets.filter(({ id }) => !known.some((market) => market.id === id));
      this.#events.set(event.id, { ...event, markets: [...known, ...added] });
      // The simulated venue keeps the grid with which it first met a market.
      for (const { id, tickUnits } of added)
        this.#ticks.set(id, this.#venue.exchange.market(listed.marketId(id))?.tickUnits ?? tickUnits);
    }
  }

  /** Learns of an event what the venue says of it: markets, statuses, resolutions. */
  learn(description: EventDescription): void {
    const configured = this.#events.get(description.id);
    if (configured === undefined) return;
    for (const command of descriptionCommands(description, configured, this.#venue.exchange))
      this.#command(command);
  }

  connect(): void {
    for (const stream of Object.values(this.#options.feed.streams))
      (stream as { subscribe(next: (input: FeedInput) => void): unknown }).subscribe((input) =>
        this.#told(input),
      );
    this.#options.feed.connect();
  }

  look(): void {
    this.#options.feed.look?.();
  }

  reconnect(reason: string): void {
    this.#options.feed.reconnect?.(reason);
  }

  follow(events: readonly EventId[]): void {
    this.#options.feed.follow?.(events);
  }

  close(): void {
    this.#options.feed.close();
    this.#heard.end();
  }

  /** Nothing happens any more; requests under way are lost. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelPump();
  }

  performing(terms: RunTerms): Perform {
    const real = this.#options.client.performing(terms);
    this.#reads = real;
    return (request, sending) => {
      if (request.kind === 'read-event') return this.#readEvent(real, request, sending);
      if (request.kind === 'read-book') return this.#readBook(real, request, sending);
      return this.#submit(request, sending);
    };
  }

  /** What the real venue says. Books come back with own shares in them; everything else goes on as it is. */
  #told(input: FeedInput): void {
    if (input.kind === 'link') return this.#linked(input);
    this.#read(input);
    if (!OWN.has(input.kind) || input.kind === 'subscription') this.#heard.tell(input);
  }

  #linked(input: Extract<FeedInput, { readonly kind: 'link' }>): void {
    this.#isUp = input.state === 'connected';
    this.#read(input);
    this.#heard.tell(input);
    if (!this.#isUp) {
      // What was traded meanwhile fills nothing: the next book is a first one.
      this.#reading = readingOf(this.#options.mode, [...this.#events.values()]);
      return;
    }
    this.#venue.connect([userChannel(this.#options.account)]);
    this.#pump();
  }

  #read(input: Input): void {
    const { clock } = this.#options;
    const now = clock.now();
    this.#happened(this.#reading.take(input, now));
    clock.at(micros(now + HOLD + 1), () => {
      if (!this.#isStopped) this.#happened(this.#reading.passed(clock.now()));
    });
  }

  #happened(events: readonly TapeEvent[]): void {
    for (const event of events) {
      if (event.kind === 'moment') this.#show(event);
      else if (event.kind === 'status') this.#status(event);
    }
    if (events.length > 0) this.#pump();
  }

  #show(change: BookChange): void {
    const { mode, crossing, onFault } = this.#options;
    const tickUnits = this.#ticks.get(change.marketId);
    if (tickUnits === undefined) return;
    try {
      const moments = momentsOf({ ...change, depth: TOP_N_DEFAULT }, { mode, crossing, tickUnits });
      for (const moment of moments) this.#venue.show(moment);
      this.#venue.publish();
    } catch (error) {
      if (!this.#unshown.has(change.marketId))
        onFault(`market ${change.marketId} cannot be traded on paper: ${(error as Error).message}`);
      this.#unshown.add(change.marketId);
    }
  }

  #status({ eventId: event, marketId, status, resolution }: RecordedStatus): void {
    if (!this.#ticks.has(marketId)) return;
    this.#statusAt.set(event, this.#options.clock.now() - HOLD);
    const market = listed.marketId(marketId);
    const known = this.#venue.exchange.market(market)?.resolution ?? null;
    const isOver = status === 'resolved';
    if (isOver && known !== null && (resolution ?? 'void') === known) return;
    // Without an outcome it may be void, or be told later. Another outcome than the known one corrects it. The venue is asked.
    if (known !== null || (isOver && resolution === null)) return void this.#ask(event);
    if (!isOver)
      this.#command({
        kind: 'set-market-status',
        marketId: market,
        status: status === 'open' ? 'active' : 'paused',
      });
    else
      this.#command({
        kind: 'resolve-event',
        eventId: listed.eventId(event),
        resolutions: [{ marketId: market, resolution: resolution! }],
      });
  }

  async #ask(id: EventId): Promise<void> {
    const real = this.#reads;
    if (real === null) return;
    const sending = { key: null, beforeFirstByte: () => undefined, tell: () => undefined };
    await this.#readEvent(real, { kind: 'read-event', eventId: eventId(id) }, sending);
  }

  /** What the venue says twice is refused the second time, and changes nothing. */
  #command(command: Command): void {
    this.#venue.execute(command);
    this.#options.onChange();
    this.#pump();
  }

  async #readEvent(real: Perform, request: VenueRequest, sending: Sending): Promise<Outcome<AnswerBody>> {
    const outcome = await real(request, sending);
    if (!outcome.ok || outcome.value.kind !== 'read-event') return outcome;
    const { event } = outcome.value;
    if (outcome.sentAt < (this.#statusAt.get(event.id) ?? 0)) void this.#ask(event.id);
    else this.learn(event);
    return outcome;
  }

  /**
   * A book that nobody has told, or that must be younger than the last frame of its market, is shown to the simulated venue,
   * which answers with own shares in it.
   */
  async #readBook(real: Perform, request: VenueRequest, sending: Sending): Promise<Outcome<AnswerBody>> {
    const outcome = await real(request, sending);
    if (!outcome.ok) return outcome;
    const { sentAt, value: body } = outcome;
    this.#reading.doubt(micros(sentAt - this.#options.staleMs * 1_000));
    this.#read({ kind: 'answer', requestId: 0, sentAt, calls: 1, outcome: { ok: true, body } });
    const { clock } = this.#options;
    await new Promise<void>((resolve) => void clock.at(micros(clock.now() + HOLD + 2), resolve));
    return this.#submit(request, { ...sending, beforeFirstByte: () => undefined });
  }

  #submit(request: VenueRequest, sending: Sending): Promise<Outcome<AnswerBody>> {
    try {
      sending.beforeFirstByte(isTrading(request) ? JSON.stringify(request) : '');
    } catch (error) {
      if (error instanceof WithheldError) return Promise.resolve(notSent(error.message));
      throw error;
    }
    const requestId = (this.#requests += 1);
    if (sending.key !== null) this.#keys.set(requestId, sending.key);
    return new Promise((resolve) => {
      this.#waiting.set(requestId, { sending, resolve });
      this.#venue.submit({ kind: 'send', requestId, request, deadline: Infinity as Micros });
      this.#pump();
    });
  }

  /** Does what is due at the simulated venue, and comes back when something else is. */
  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    const { clock } = this.#options;
    while (this.#venue.nextAt <= clock.now()) {
      const heard = this.#venue.advance();
      if (heard !== null) this.#hear(heard);
    }
    this.#isPumping = false;
    this.#cancelPump();
    const { nextAt } = this.#venue;
    this.#cancelPump = Number.isFinite(nextAt) ? clock.at(micros(nextAt), () => this.#pump()) : IDLE;
  }

  #hear(heard: FeedInput | Answer): void {
    if (heard.kind === 'answer') return this.#answered(heard);
    if (heard.kind === 'order' || heard.kind === 'holding' || heard.kind === 'balance')
      this.#options.onChange();
    if (this.#isUp && OWN.has(heard.kind)) this.#heard.tell(heard);
  }

  #answered({ requestId, sentAt, calls = 1, outcome }: Answer): void {
    const { sending, resolve } = this.#waiting.get(requestId)!;
    this.#waiting.delete(requestId);
    this.#keys.delete(requestId);
    // A listing makes several calls, and each counts.
    for (let call = 1; call < calls; call++) sending.beforeFirstByte('');
    resolve(
      outcome.ok
        ? { ok: true, value: outcome.body, sentAt: sentAt as Micros }
        : { ok: false, failure: outcome.failure, sentAt: sentAt as Micros },
    );
  }
}

function readingOf(mode: CurrencyMode, events: readonly PaperEvent[]): TapeReading {
  const reading = new TapeReading(mode, HOLD);
  reading.begins({ ownership: { $entries: [] }, recovered: [], events });
  return reading;
}

const IDLE = (): void => undefined;
