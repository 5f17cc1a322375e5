import type { RequestFailure } from '../../domain/answers.js';
import type { Micros } from '../../domain/units.js';
import { Agenda } from './agenda.js';
import { laterBy } from './durations.js';
import { type Urgency, Wishes } from './wishes.js';

/** Back-off after failures in a row, in milliseconds. */
export interface RetryPace {
  readonly retryFirstMs: number;
  readonly retryMostMs: number;
}

/**
 * The reads of one kind, by subject number: each subject is wanted at most once, under way at most once, and
 * repeated with back-off after a failure. Deterministic: urgent ones first, each in the order they were wanted.
 */
export class Reads {
  /** Only an answer to a request sent at or after the time since when a subject is wanted serves. */
  readonly #wishes: Wishes;
  readonly #subjectOf = new Map<number, number>();
  readonly #underway = new Set<number>();
  readonly #failures = new Map<number, number>();
  readonly #resting = new Set<number>();
  readonly #retries = new Agenda(0);

  /** @param expected subjects there will be; more than that cost a copy of all */
  constructor(
    private readonly pace: RetryPace,
    expected = 0,
  ) {
    this.#wishes = new Wishes(expected);
  }

  /** When the next resting subject may be tried again; null when none rests. */
  get nextRetry(): Micros | null {
    return this.#retries.next;
  }

  /** Whether there is nothing to ask for now, as mostly: nothing is wanted, or all of it is under way or rests. */
  get isIdle(): boolean {
    return this.#wishes.isEmpty || this.ready(1).length === 0;
  }

  /** Wants the subject read by a request sent at or after `since`. A later wish replaces an earlier one. */
  want(subject: number, since: Micros, urgency: Urgency): void {
    if (urgency === 'witness' && this.#wishes.urgency(subject) === 'resync') return;
    this.#wishes.want(subject, since, urgency);
  }

  wants(subject: number): boolean {
    return this.#wishes.urgency(subject) !== null;
  }

  /** Not wanted any more, e.g. because an update said it first. */
  drop(subject: number): void {
    this.#wishes.drop(subject);
  }

  /** What is wanted already becomes urgent. */
  hurry(subject: number): void {
    const since = this.#wishes.since(subject);
    if (since !== null) this.want(subject, since, 'resync');
  }

  /** The connection is gone: nothing is wanted, and a new one is a new chance for what failed. */
  clear(): void {
    this.#wishes.clear();
    for (const subject of this.#resting) this.#retries.drop(subject);
    this.#resting.clear();
    this.#failures.clear();
  }

  /** Lets go what has rested long enough. */
  beat(now: Micros): void {
    for (let subject = this.#retries.take(now); subject !== null; subject = this.#retries.take(now))
      this.#resting.delete(subject);
  }

  /** Subjects to ask for, at most `limit`. */
  ready(limit: number): number[] {
    return this.#wishes.pick(limit, this.#isReady);
  }

  readonly #isReady = (subject: number): boolean =>
    !this.#underway.has(subject) && !this.#resting.has(subject);

  issued(requestId: number, subject: number): void {
    this.#subjectOf.set(requestId, subject);
    this.#underway.add(subject);
  }

  /** Ends a request. @returns its subject, null when the request is none of these */
  ended(requestId: number): number | null {
    const subject = this.#subjectOf.get(requestId);
    if (subject === undefined) return null;
    this.#subjectOf.delete(requestId);
    this.#underway.delete(subject);
    return subject;
  }

  /** An answer came to a request sent at this time. @returns whether it serves the wish */
  succeeded(subject: number, sentAt: Micros): boolean {
    this.#failures.delete(subject);
    const since = this.#wishes.since(subject);
    if (since !== null && sentAt < since) return false;
    this.drop(subject);
    return true;
  }

  /** The request failed: the subject rests, doubling with every failure, at least as long as the venue asks. */
  failed(subject: number, failure: RequestFailure, now: Micros): void {
    const failures = this.#failures.get(subject) ?? 0;
    this.#failures.set(subject, failures + 1);
    const backOffMs = Math.min(this.pace.retryMostMs, this.pace.retryFirstMs * 2 ** Math.min(failures, 30));
    const askedMs = failure.kind === 'refused' ? (failure.retryAfterMs ?? 0) : 0;
    this.#resting.add(subject);
    this.#retries.plan(subject, laterBy(now, Math.max(backOffMs, askedMs)));
  }
}
