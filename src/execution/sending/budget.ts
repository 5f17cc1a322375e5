import { MICROS_PER_DAY } from '../../domain/days.js';
import type { Micros } from '../../domain/units.js';

/** What a request is for. A later use may not take what is reserved for an earlier one. */
export const BUDGET_USES = ['cancel', 'read', 'quote'] as const;
export type BudgetUse = (typeof BUDGET_USES)[number];

export interface BudgetLimits {
  /** The venue's allowances (facts, "Limits") less what the guard may spend. */
  readonly perMinute: number;
  readonly perDay: number;
  /** Part of the minute's allowance that may be spent at once; the rest comes evenly. 0 to 1. */
  readonly burst: number;
  /** Requests kept back for cancels, and for reads, whatever is quoted: of what can leave at once, and of the day. */
  readonly cancelReserve: number;
  readonly readReserve: number;
}

/** What of the allowances was used, as the next run under the same key has to know it: the venue counts on. */
export interface Spending {
  readonly at: Micros;
  /** Requests that could leave at once then. */
  readonly tokens: number;
  /** When the day that is being counted is over. */
  readonly dayEnds: Micros;
  readonly usedToday: number;
  /** Until when the venue had asked for silence (429); in the past when it had not. */
  readonly blockedUntil: Micros;
}

/**
 * Microseconds of silence that are left. A clock that was set back since makes it no longer than it was; by so much that
 * it seems longer than a day, nobody knows.
 */
export function silenceLeft(
  { at, blockedUntil }: Pick<Spending, 'at' | 'blockedUntil'>,
  now: Micros,
): number {
  const left = blockedUntil - now;
  return left <= MICROS_PER_DAY ? Math.max(0, Math.min(left, blockedUntil - at)) : 0;
}

/** Part of the minute's allowance that comes evenly, and with it what can be sent minute after minute. */
export const sustainedPerMinute = ({ perMinute, perDay, burst }: BudgetLimits): number =>
  Math.min(perMinute - Math.max(1, perMinute * burst), perDay / MINUTES_A_DAY);

const MINUTES_A_DAY = 1_440;
const MINUTE = 60_000_000;

/**
 * The request budget that all markets share. In no minute more than `perMinute` leave, and quotes are paced so
 * that the day's allowance lasts: pace = the smaller of the minute's and the remaining day over the remaining time.
 */
export class RequestBudget {
  readonly #limits: BudgetLimits;
  readonly #capacity: number;
  readonly #minutePace: number;
  #tokens: number;
  #at: number;
  #dayEnds: number;
  #leftToday: number;
  #blockedUntil = 0;

  /** @param before of the run before; null: nothing was used */
  constructor(limits: BudgetLimits, at: Micros, before: Spending | null = null) {
    this.#limits = limits;
    this.#capacity = Math.max(1, limits.perMinute * limits.burst);
    this.#minutePace = (limits.perMinute - this.#capacity) / MINUTE;
    this.#tokens = this.#capacity;
    this.#at = at;
    this.#dayEnds = at + MICROS_PER_DAY;
    this.#leftToday = limits.perDay;
    if (before !== null) this.#goOnFrom(before, at);
  }

  /** What the next run has to know. */
  get spending(): Spending {
    const at = this.#at as Micros;
    const usedToday = this.#limits.perDay - this.#leftToday;
    const { blockedUntil } = this;
    return { at, tokens: this.#tokens, dayEnds: this.#dayEnds as Micros, usedToday, blockedUntil };
  }

  /** The venue said 429: nothing leaves before. */
  get blockedUntil(): Micros {
    return this.#blockedUntil as Micros;
  }

  /** Requests left of the day's allowance. */
  get leftToday(): number {
    return this.#leftToday;
  }

  /** Time has passed: what it gives is there. */
  refill(at: Micros): void {
    if (at <= this.#at) return;
    if (at >= this.#dayEnds) {
      this.#dayEnds = at + MICROS_PER_DAY;
      this.#leftToday = this.#limits.perDay;
    }
    this.#tokens = Math.min(this.#capacity, this.#tokens + (at - this.#at) * this.#pace());
    this.#at = at;
  }

  /** May so many requests leave now? */
  allows(use: BudgetUse, at: Micros, requests = 1): boolean {
    this.refill(at);
    const isThere = this.#tokens >= this.#threshold(use, requests, this.#capacity);
    return isThere && this.#lastsToday(use, requests) && at >= this.#blockedUntil;
  }

  /** Requests of this use that could leave when it was last asked; looking changes nothing. Negative: what is kept back is used. */
  spare(use: BudgetUse): number {
    return Math.floor(Math.min(this.#tokens, this.#leftToday) - this.#threshold(use, 0, Infinity));
  }

  /**
   * Spends requests; check {@link allows} first. What a request turned out to need more is spent all the same, and what
   * did not leave is given back: a negative number.
   */
  spend(at: Micros, requests = 1): void {
    this.refill(at);
    this.#tokens = Math.min(this.#capacity, this.#tokens - requests);
    this.#leftToday -= requests;
  }

  /** A 429 with its `Retry-After`, or what to assume without one. */
  refused(retryAfterMs: number, at: Micros): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, at + retryAfterMs * 1_000);
  }

  /** When so many requests of this use can leave at the earliest, other spending aside. */
  nextAt(use: BudgetUse, at: Micros, requests = 1): Micros {
    this.refill(at);
    const missing = this.#threshold(use, requests, this.#capacity) - this.#tokens;
    const refilled = missing <= 0 ? at : at + Math.ceil(missing / this.#pace());
    const today = this.#lastsToday(use, requests) ? refilled : Math.max(refilled, this.#dayEnds);
    return Math.max(today, this.#blockedUntil) as Micros;
  }

  /** A day that is over, or ends later than any that can have begun, counts for nothing; a clock may have been set. */
  #goOnFrom(before: Spending, now: Micros): void {
    const { at, tokens, dayEnds, usedToday } = before;
    this.#at = Math.min(at, now);
    this.#tokens = Math.min(this.#capacity, tokens);
    this.#blockedUntil = now + silenceLeft(before, now);
    if (dayEnds <= now || dayEnds > now + MICROS_PER_DAY) return;
    this.#dayEnds = dayEnds;
    this.#leftToday = Math.max(0, this.#limits.perDay - usedToday);
  }

  #lastsToday(use: BudgetUse, requests: number): boolean {
    return this.#leftToday >= Math.max(requests, this.#threshold(use, requests, this.#limits.perDay));
  }

  /** What has to be there; never more than fits, or it would never leave. */
  #threshold(use: BudgetUse, requests: number, most: number): number {
    const { cancelReserve, readReserve } = this.#limits;
    if (use === 'cancel') return Math.min(requests, most);
    const reserved = use === 'read' ? cancelReserve : cancelReserve + readReserve;
    return Math.min(requests + reserved, most);
  }

  /** What is kept back of the day is left at its end; until then nothing has to stop for it. */
  #pace(): number {
    const { cancelReserve, readReserve } = this.#limits;
    const reserved = Math.min(cancelReserve + readReserve, this.#leftToday);
    const forToday = Math.max(this.#leftToday - reserved, reserved);
    const day = forToday / Math.max(1, this.#dayEnds - this.#at);
    return Math.max(Number.MIN_VALUE, Math.min(this.#minutePace, day));
  }
}
