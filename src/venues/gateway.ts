import { Subject, type Observable } from 'rxjs';
import { isTrading, type SendEffect, type VenueRequest } from '../domain/effects.js';
import type { Answer, AnswerBody } from '../domain/answers.js';
import { type Micros, micros } from '../domain/units.js';
import type { Clock } from '../core/ports/clock.js';
import type { Gateway, Perform } from './port.js';
import type { Journal, JournalRecord } from '../core/ports/journal.js';
import { type Outcome, undated, WithheldError } from './outcome.js';

/**
 * A quote that waited longer than this for its connection does not leave, in microseconds. The last look at the book was
 * taken when it was decided.
 */
const MOST_WAIT = 1_000_000;
/** How long nothing leaves after a 429 that does not say how long, in milliseconds. */
const THROTTLED_MS = 1_000;

export interface VenueGatewayOptions {
  readonly perform: Perform;
  readonly clock: Clock;
  readonly journal: Journal;
  /** The idempotency key of a request id: the same for a replay, never the same for two requests. */
  readonly keyOf: (requestId: number) => string;
  /** Why nothing that may create an order may leave now; null: it may. Asked right before the first byte. */
  readonly latched: () => string | null;
  /** Microseconds that the venue's clock is ahead of ours; 0 where it is not worth mentioning. */
  readonly venueAhead: () => number;
  /** Whether that holds for what left then by our clock; nothing is told or created by a clock that leaps. */
  readonly canDate: (sentAt: Micros) => boolean;
  /** Told of a journal that takes no records, and of errors that are bugs; the request still gets its answer. */
  readonly onFault: (error: Error) => void;
}

/** A request right before one of its first bytes. */
interface Leaving {
  /** Idempotency key; null for what can create nothing. */
  readonly key: string | null;
  readonly body: string;
  /** Whether an earlier page of it has left. */
  readonly isBegun: boolean;
  /** When a quote has waited too long. */
  readonly quoteBy: number;
}

/**
 * Sends what the engine wants sent, mostly within the step that decided it. A request may wait for a connection, and a
 * listing has several pages, so right before each first byte come the deadline, a silence that the venue has asked for, the
 * latch, and the line in the journal, in this order. A cancel leaves even when something latched, the journal is full, or
 * our clock has just leapt; what may create an order does not. An outcome is told first and has its line right after, before any later one: what
 * it leads to cannot leave earlier.
 */
export class VenueGateway implements Gateway {
  readonly #options: VenueGatewayOptions;
  readonly #answers = new Subject<Answer>();
  readonly #underWay = new Set<Promise<void>>();
  /** When the venue may be asked again after a 429. */
  #silentUntil = 0;
  /** The line of an outcome that is being told. */
  #owedLine: JournalRecord | null = null;

  constructor(options: VenueGatewayOptions) {
    this.#options = options;
  }

  get answers(): Observable<Answer> {
    return this.#answers;
  }

  /** @throws InvariantError when the request cannot be encoded as what it is; it then gets no answer */
  submit(effect: SendEffect): void {
    let calls = 0;
    const over = (outcome: Outcome<AnswerBody>): void => {
      this.#underWay.delete(done);
      this.#answer(effect, outcome, calls);
    };
    const done = this.#perform(effect, () => (calls += 1)).then(
      (outcome) => over(this.#dated(outcome)),
      (error: unknown) => over(this.#broken(error)),
    );
    this.#underWay.add(done);
  }

  /** A line that belongs behind what was told so far and before whatever leaves next. */
  note(record: JournalRecord): void {
    this.#append(record);
  }

  async drain(timeoutMs: number): Promise<void> {
    const { clock } = this.#options;
    let cancel = (): void => undefined;
    const timeOver = new Promise<void>((resolve) => {
      cancel = clock.at(micros(clock.now() + timeoutMs * 1_000), resolve);
    });
    await Promise.race([this.#idle(), timeOver]);
    cancel();
  }

  async #idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  /**
   * A read that has begun in time may be read to its end, unless the venue has asked for silence meanwhile.
   * @param onCall called whenever the first byte of a call leaves
   */
  #perform(effect: SendEffect, onCall: () => void): Promise<Outcome<AnswerBody>> {
    const { perform, keyOf, canDate, clock } = this.#options;
    const key = mayCreate(effect.request) ? keyOf(effect.requestId) : null;
    const quoteBy = clock.now() + MOST_WAIT;
    let isBegun = false;
    const beforeFirstByte = (body: string): void => {
      this.#clear(effect, { key, body, isBegun, quoteBy });
      isBegun = true;
      onCall();
    };
    const tell = (body: AnswerBody, sentAt: Micros): void => {
      if (!canDate(sentAt)) return;
      this.#tell({
        kind: 'answer',
        requestId: effect.requestId,
        sentAt,
        outcome: { ok: true, body },
      });
    };
    return perform(effect.request, { key, beforeFirstByte, tell });
  }

  #dated(outcome: Outcome<AnswerBody>): Outcome<AnswerBody> {
    if (!outcome.ok || outcome.value.kind !== 'read-orders') return outcome;
    return this.#options.canDate(outcome.sentAt) ? outcome : undated(outcome.sentAt);
  }

  /** What the transport catches must not go unnoticed there, unless it is meant for it. */
  #clear(effect: SendEffect, leaving: Leaving): void {
    try {
      this.#require(effect, leaving);
    } catch (error) {
      if (!(error instanceof WithheldError)) this.#options.onFault(asError(error));
      throw error;
    }
  }

  /** @throws WithheldError when it is not to leave after all */
  #require({ requestId, request, deadline }: SendEffect, { key, body, isBegun, quoteBy }: Leaving): void {
    const { clock, latched, canDate, venueAhead } = this.#options;
    const creates = mayCreate(request);
    const trades = creates || isTrading(request);
    const at = clock.now();
    if (at > deadline && (trades || !isBegun)) throw new WithheldError('deadline');
    if (at < this.#silentUntil) throw new WithheldError('silenced');
    if (!trades) return;
    if (creates) {
      if (at > quoteBy) throw new WithheldError('deadline');
      const latch = latched();
      if (latch !== null) throw new WithheldError(latch);
      if (!canDate(at)) throw new WithheldError('clock');
    }
    const isSafe = this.#append({
      kind: 'request',
      requestId,
      key,
      at,
      venueAhead: venueAhead(),
      request,
      body,
    });
    if (creates && !isSafe) throw new WithheldError('journal');
  }

  #answer({ requestId, request }: SendEffect, outcome: Outcome<AnswerBody>, calls: number): void {
    const told: Answer['outcome'] = outcome.ok
      ? { ok: true, body: outcome.value }
      : { ok: false, failure: outcome.failure };
    this.#heedSilence(told);
    if (isTrading(request))
      this.#owedLine = { kind: 'answer', requestId, at: this.#options.clock.now(), outcome: told };
    this.#tell({ kind: 'answer', requestId, sentAt: outcome.sentAt, calls, outcome: told });
    this.#payLine();
  }

  #heedSilence(outcome: Answer['outcome']): void {
    if (outcome.ok || outcome.failure.kind !== 'refused') return;
    const { means, retryAfterMs } = outcome.failure;
    if (means !== 'throttled') return;
    const until = this.#options.clock.now() + (retryAfterMs ?? THROTTLED_MS) * 1_000;
    this.#silentUntil = Math.max(this.#silentUntil, until);
  }

  #tell(answer: Answer): void {
    const venueAhead = this.#options.venueAhead();
    this.#answers.next(venueAhead === 0 ? answer : { ...answer, venueAhead });
  }

  #payLine(): void {
    const line = this.#owedLine;
    this.#owedLine = null;
    if (line !== null) this.#append(line);
  }

  /** @returns whether the record is in the journal */
  #append(record: JournalRecord): boolean {
    this.#payLine();
    try {
      this.#options.journal.append(record);
      return true;
    } catch (error) {
      this.#options.onFault(asError(error));
      return false;
    }
  }

  /** A bug on the way of one request: it may have left, and the process hears of it. */
  #broken(error: unknown): Outcome<AnswerBody> {
    const { message } = asError(error);
    this.#options.onFault(asError(error));
    return { ok: false, failure: { kind: 'unknown', reason: message }, sentAt: null };
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Only such a request must not leave unless the journal has it. */
const mayCreate = (request: VenueRequest): boolean =>
  request.kind === 'create-orders' || request.kind === 'replace-orders';
