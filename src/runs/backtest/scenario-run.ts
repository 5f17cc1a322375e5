import type { Effect, EndEffect, SendEffect } from '../../domain/effects.js';
import type { Answer } from '../../domain/answers.js';
import { InvariantError } from '../../domain/errors.js';
import type { FeedInput, Input } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import { Engine } from '../../core/engine/engine.js';
import type { Command, ExchangeEvent, ForeignMoment, OutcomeOf } from '../../exchange/contract.js';
import { Exchange } from '../../exchange/exchange.js';
import { idempotencyKey } from '../../core/execution/sending/sent-requests.js';
import { eventChannel, GLOBAL_CHANNEL, userChannel } from '../../venues/futuur/protocol/realtime/channels.js';
import { RateLimit } from '../../exchange-server/http/rate-limit.js';
import type { MountedBlock } from './mounted-block.js';
import { inputOf, isHeardTwice } from '../../venues/simulated/event-inputs.js';
import { throttled } from '../../venues/simulated/order-reports.js';
import { type Outcome, RequestDesk, type Service } from '../../venues/simulated/request-desk.js';
import { Arrivals } from './arrivals.js';
import { FeedQueue } from './feed-queue.js';
import { Moments } from './moments.js';
import { asOne } from './publication.js';
import type { ScenarioEnd, ScenarioOptions } from './scenario.js';
import { type AnswerUnderWay, type CallUnderWay, isCounted } from './under-way.js';

const MICROS_PER_MS = 1_000;
const KEY = 'bot';
/** How long after the last row the bot may go on before it is told to stop, and then to have stopped. */
const LINGER = 2_000_000;
const DEPARTURE_MOST = 120_000_000;
/** Steps between rows that are gone at once, some hundredths of a second: a silence of weeks has a hundred thousand. */
const STEPS_A_STRETCH = 1_024;

/**
 * One run of the engine against the exchange core in virtual time. At equal times the market moves first, then
 * requests arrive, then the engine hears: whoever races the market loses a tie.
 */
export class ScenarioRun {
  readonly exchange: Exchange;
  readonly engine: Engine;
  private readonly feed = new FeedQueue();
  private readonly calls = new Arrivals<CallUnderWay>();
  private readonly answers = new Arrivals<AnswerUnderWay>();
  private readonly desk: RequestDesk;
  private readonly rateLimit: RateLimit;
  private readonly moments: Moments;
  /** What each command of the present observation has said. */
  private said: (readonly ExchangeEvent[])[] = [];
  private momentAt: number;
  private now: Micros;
  private readonly joinedAt: number;
  private wakeAt = Infinity;
  private seq = 0;
  /** When the exchange has something to do next; null: to be asked, for it has executed something since. */
  private dueAt: number | null = null;
  private end: EndEffect | null = null;
  /** Whether the present observation has been told of, and time goes on to the next. */
  private isBetween = false;
  /** How many steps may be gone still before it gives way. */
  private stepsLeft = Infinity;

  /** @param start time of the first row */
  constructor(
    private readonly options: ScenarioOptions,
    start: Micros,
  ) {
    const { exchange, liquidity, engine, account, markets, crossing, bookCacheMs, latency } = options;
    this.exchange = new Exchange(exchange, liquidity);
    this.engine = new Engine(engine, start, options.observer ?? null);
    this.rateLimit = new RateLimit(options.rateLimit);
    const { mode } = engine.terms;
    this.moments = new Moments({
      markets,
      mode,
      crossing,
      execute: (command) => this.observe(command),
      happen: (moment) => this.observeMoment(moment),
    });
    this.desk = new RequestDesk({
      exchange: this.exchange,
      now: () => this.now,
      account,
      mode,
      bookCacheMs,
      keyOf: (requestId) => idempotencyKey(engine.runId, requestId),
      missedBy: (shown, begunAt) => this.engine.missedBy(shown, begunAt),
      execute: (command) => this.execute(command),
    });
    this.now = start;
    this.momentAt = start;
    this.joinedAt = start + latency.request() + latency.response();
    this.connect(start);
  }

  /** Whether the engine has ended; what comes then concerns nobody. */
  get isOver(): boolean {
    return this.end !== null;
  }

  /**
   * Takes rows in; times never decrease, from call to call neither.
   * @returns the first row that is not taken in yet: after so many steps it gives way, and is to be called again from there
   */
  take(mounted: MountedBlock, from: number, to: number): number {
    const { at } = mounted.block;
    this.stepsLeft = STEPS_A_STRETCH;
    for (let row = from; row < to; row++) {
      const time = at[row]!;
      if (time > this.momentAt && !this.begin(time)) return row;
      this.moments.row(mounted, row);
    }
    return to;
  }

  /** No more rows: the bot sees what the last ones brought, and withdraws. */
  finish(): ScenarioEnd {
    this.stepsLeft = Infinity;
    this.begin(this.momentAt + LINGER);
    this.now = this.momentAt as Micros;
    this.step({ kind: 'command', command: 'stop', reason: 'the recording is over' });
    const last = this.momentAt + DEPARTURE_MOST;
    this.advance(last);
    const { seq, now } = this;
    return {
      outcome: this.end?.outcome ?? 'orders-may-remain',
      at: now,
      inputs: seq,
      decisions: { count: this.engine.view().counts.decisions, hash: this.engine.decisionHash },
    };
  }

  /**
   * Ends the observation, lets everything happen that comes before the next, and begins it.
   * @returns false: not all has happened yet, and it is to be called again with the same time
   */
  private begin(time: number): boolean {
    if (!this.isBetween) {
      this.moments.close();
      this.now = this.momentAt as Micros;
      this.publishSaid();
    }
    this.isBetween = !this.advance(time);
    if (this.isBetween) return false;
    this.momentAt = time;
    this.now = time as Micros;
    return true;
  }

  private publishSaid(): void {
    const { said } = this;
    const [only] = said;
    if (only === undefined) return;
    this.said = [];
    this.tellAll(said.length === 1 ? only : asOne(said.flat()));
  }

  private connect(start: Micros): void {
    const { engine, account } = this.options;
    this.step({ kind: 'timer' });
    this.step({ kind: 'connection', state: 'connected', reason: '' });
    const events = engine.events.map(({ id }) => eventChannel(id));
    for (const channel of [GLOBAL_CHANNEL, ...events, userChannel(account)])
      this.feed.push(this.joinedAt, { kind: 'subscription', channel, state: 'subscribed', reason: '' });
    this.now = start;
  }

  /** Everything that happens before a time, in order. @returns false: there is more */
  private advance(until: number): boolean {
    for (;;) {
      const due = (this.dueAt ??= this.exchange.nextDue() ?? Infinity);
      const { calls, feed, answers } = this;
      const next = Math.min(due, calls.nextAt, feed.nextAt, answers.nextAt, this.wakeAt);
      if (next >= until || this.end !== null) return true;
      if (this.stepsLeft === 0) return false;
      this.stepsLeft -= 1;
      if (next > this.now) this.now = next as Micros;
      if (due === next) this.execute({ kind: 'advance-time' });
      else if (calls.nextAt === next) this.arrive(calls.take());
      else if (feed.nextAt === next) this.hear(feed.take());
      else if (answers.nextAt === next) this.answered(answers.take());
      else this.wake();
    }
  }

  private wake(): void {
    this.wakeAt = Infinity;
    this.step({ kind: 'timer' });
  }

  /**
   * A command of the recording: told at the end of its observation.
   * @throws InvariantError when the exchange refuses it: what came of a run without it would be another market's result
   */
  private observe(command: Command): void {
    const { outcome, events } = this.exchange.execute(command, this.momentAt as Micros);
    if ('ok' in outcome && !outcome.ok) throw refusedRow(command, outcome);
    this.note(events);
  }

  /** {@link observe} of prints and a book. */
  private observeMoment(moment: ForeignMoment): void {
    const hasPrints = moment.prints.length > 0;
    if (hasPrints) this.options.onPrints?.(moment.marketId);
    const { events } = this.exchange.execute(moment, this.momentAt as Micros);
    if (hasPrints) for (const event of events) if (event.kind === 'trade') this.options.onPrinted?.(event);
    this.note(events);
  }

  private note(events: readonly ExchangeEvent[]): void {
    this.dueAt = null;
    this.said.push(events);
  }

  private execute<C extends Command>(command: C): OutcomeOf[C['kind']] {
    const { outcome, events } = this.exchange.execute(command, this.now);
    this.dueAt = null;
    this.tellAll(events);
    return outcome;
  }

  private tellAll(events: readonly ExchangeEvent[]): void {
    for (const event of events) this.tell(event);
  }

  private tell(event: ExchangeEvent): void {
    if (event.kind === 'trade') this.options.onTrade?.(event);
    else if (this.now >= this.joinedAt) {
      const input = inputOf(event, this.exchange);
      if (input !== null) this.send(event.kind, input);
    }
  }

  private send(kind: ExchangeEvent['kind'], input: FeedInput): void {
    const { latency } = this.options;
    this.feed.push(this.now + latency.feed(), input);
    if (isHeardTwice(kind)) this.feed.push(this.now + latency.feed(), input);
  }

  /** What arrives at one time is one observation: nothing is decided before the last of it. */
  private hear(input: FeedInput | Answer): void {
    const { now, feed, answers } = this;
    if (feed.nextAt > now && answers.nextAt > now) return this.step(input);
    this.seq += 1;
    this.engine.take({ seq: this.seq, at: now, input });
  }

  private step(input: Input): void {
    if (this.end !== null) return;
    this.seq += 1;
    const effects = this.engine.step({ seq: this.seq, at: this.now, input });
    for (let at = 0; at < effects.length; at++) this.perform(effects[at]!);
  }

  private perform(effect: Effect): void {
    switch (effect.kind) {
      case 'send':
        return this.leave(effect);
      case 'wake':
        this.wakeAt = effect.at;
        return;
      case 'reconnect':
        // Nothing that the exchange says is lost here.
        return;
      case 'notice':
        return this.options.onNotice?.(effect, this.now);
      case 'end':
        this.end = effect;
    }
  }

  private leave(effect: SendEffect): void {
    const sentAt = this.now;
    const service = this.desk.serve(effect.requestId, effect.request);
    this.call(effect, sentAt, 1, service, this.options.latency.request());
  }

  /** @param calls with this one @param delay until it arrives */
  private call(effect: SendEffect, sentAt: Micros, calls: number, service: Service, delay: number): void {
    this.calls.push(this.now + delay, { effect, sentAt, calls, service });
  }

  private arrive(call: CallUnderWay): void {
    const wait = isCounted(call.effect) ? this.rateLimit.take(KEY, this.now) : null;
    if (wait !== null) return this.answer(call, { ok: false, failure: throttled(wait) });
    const { done, value } = call.service.next();
    if (done === true) return this.answer(call, value);
    const { effect, sentAt, calls, service } = call;
    const delay = this.options.latency.response() + this.options.latency.request();
    this.call(effect, sentAt, calls + 1, service, delay);
  }

  private answer({ effect, sentAt, calls }: CallUnderWay, outcome: Outcome): void {
    const at = this.now + this.options.latency.response();
    const late = sentAt + this.options.timeoutMs * MICROS_PER_MS;
    const isLate = at > late;
    const told: Outcome = isLate ? { ok: false, failure: { kind: 'unknown', reason: 'time-out' } } : outcome;
    this.answers.push(isLate ? late : at, { effect, sentAt, calls, outcome: told });
  }

  private answered({ effect, sentAt, calls, outcome }: AnswerUnderWay): void {
    this.hear({ kind: 'answer', requestId: effect.requestId, sentAt, calls, outcome });
  }
}

function refusedRow({ kind, ...row }: Command, outcome: object): InvariantError {
  return new InvariantError(
    `the simulated venue refused what the recording says: ${kind} ${JSON.stringify(row)}: ${JSON.stringify(outcome)}`,
  );
}
