import type { RequestFailure } from '../../domain/answers.js';
import type { Micros } from '../../domain/units.js';
import { Agenda } from './agenda.js';
import { laterBy } from './time.js';

/** `resync`: nothing can be quoted without it. `witness`: a comparison that can wait. */
export type Urgency = 'resync' | 'witness';

/** Back-off after failures in a row, in milliseconds. */
export interface RetryPace {
  readonly retryFirstMs: number;
  readonly retryMostMs: number;
}

/** Pause after so many failures in a row: doubled with every one, up to the most. */
export const backOffMs = (failures: number, firstMs: number, mostMs: number): number =>
  Math.max(firstMs, Math.min(mostMs, firstMs * 2 ** Math.min(failures, 30)));

/**
 * The reads of one kind, by subject number: each subject is wanted at most once, under way at most once, and
 * repeated with back-off after a failure. Deterministic: urgent ones first, each in the order they were wanted.
 */
export class Reads {
  /** Since when each subject is wanted: only an answer to a request sent from then on serves. In the order of the wishes. */
  readonly #wanted: Readonly<Record<Urgency, Map<number, Micros>>> = {
    resync: new Map(),
    witness: new Map(),
  };
  readonly #subjectOf = new Map<number, number>();
  readonly #underway = new Set<number>();
  readonly #failures = new Map<number, number>();
  readonly #resting = new Set<number>();
  readonly #retries = new Agenda();
  #version = 0;

  constructor(private readonly pace: RetryPace) {}

  /** Another number after every change of what {@link ready} gives. */
  get version(): number {
    return this.#version;
  }

  /** When the next resting subject may be tried again; null when none rests. */
  get nextRetry(): Micros | null {
    return this.#retries.next;
  }

  /** Whether there is nothing to ask for now: nothing is wanted, or all of it is under way or rests. */
  get isIdle(): boolean {
    const { resync, witness } = this.#wanted;
    return (resync.size === 0 && witness.size === 0) || this.ready(1).length === 0;
  }

  /**
   * Wants the subject read by a request sent at or after `since`. A later wish replaces an earlier one: one as urgent
   * keeps its turn, a more urgent one becomes the last of the urgent.
   */
  want(subject: number, since: Micros, urgency: Urgency): void {
    const { resync, witness } = this.#wanted;
    if (urgency === 'resync') witness.delete(subject);
    else if (resync.has(subject)) return;
    if (!this.#wanted[urgency].has(subject)) this.#version += 1;
    this.#wanted[urgency].set(subject, since);
  }

  wants(subject: number): boolean {
    return this.#since(subject) !== undefined;
  }

  /** How many are under way. */
  get underWay(): number {
    return this.#underway.size;
  }

  /** Whether it is wanted and was not asked for yet. */
  isWaiting(subject: number): boolean {
    return this.wants(subject) && !this.#underway.has(subject);
  }

  /** Not wanted any more, e.g. because an update said it first. */
  drop(subject: number): void {
    const wasWanted = this.#wanted.resync.delete(subject);
    if (this.#wanted.witness.delete(subject) || wasWanted) this.#version += 1;
  }

  /** What is wanted already becomes urgent. */
  hurry(subject: number): void {
    const since = this.#since(subject);
    if (since !== undefined) this.want(subject, since, 'resync');
  }

  /** The connection is gone: nothing is wanted, and a new one is a new chance for what failed. */
  clear(): void {
    this.#version += 1;
    this.#wanted.resync.clear();
    this.#wanted.witness.clear();
    for (const subject of this.#resting) this.#retries.drop(subject);
    this.#resting.clear();
    this.#failures.clear();
  }

  /** Lets go what has rested long enough. */
  beat(now: Micros): void {
    for (let subject = this.#retries.take(now); subject !== null; subject = this.#retries.take(now))
      if (this.#resting.delete(subject)) this.#version += 1;
  }

  /** Subjects to ask for, urgent ones first, at most `limit`. */
  ready(limit: number, mayBe: (subject: number) => boolean = () => true): number[] {
    const ready: number[] = [];
    for (const wanted of [this.#wanted.resync, this.#wanted.witness])
      for (const subject of wanted.keys()) {
        if (ready.length >= limit) return ready;
        if (!this.#underway.has(subject) && !this.#resting.has(subject) && mayBe(subject))
          ready.push(subject);
      }
    return ready;
  }

  issued(requestId: number, subject: number): void {
    this.#version += 1;
    this.#subjectOf.set(requestId, subject);
    this.#underway.add(subject);
  }

  /** Ends a request. @returns its subject, null when the request is none of these */
  ended(requestId: number): number | null {
    const subject = this.#subjectOf.get(requestId);
    if (subject === undefined) return null;
    this.#version += 1;
    this.#subjectOf.delete(requestId);
    this.#underway.delete(subject);
    return subject;
  }

  /** An answer came to a request sent at this time. @returns whether it serves the wish */
  succeeded(subject: number, sentAt: Micros): boolean {
    this.#failures.delete(subject);
    const since = this.#since(subject);
    if (since !== undefined && sentAt < since) return false;
    this.drop(subject);
    return true;
  }

  /** The request failed: the subject rests, doubling with every failure, at least as long as the venue asks. */
  failed(subject: number, failure: RequestFailure, now: Micros): void {
    const failures = this.#failures.get(subject) ?? 0;
    this.#failures.set(subject, failures + 1);
    const pauseMs = backOffMs(failures, this.pace.retryFirstMs, this.pace.retryMostMs);
    const askedMs = failure.kind === 'refused' ? (failure.retryAfterMs ?? 0) : 0;
    this.#version += 1;
    this.#resting.add(subject);
    this.#retries.plan(subject, laterBy(now, Math.max(pauseMs, askedMs)));
  }

  #since(subject: number): Micros | undefined {
    return this.#wanted.resync.get(subject) ?? this.#wanted.witness.get(subject);
  }
}
