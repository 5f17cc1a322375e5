import type { Micros } from '../../../domain/units.js';
import { DAY_COUNTED, DayWindow } from './day-window.js';
import { MICROS_PER_DAY } from '../../../domain/days.js';

/**
 * What a request is for. A later use may not take the reserve of an earlier one. Reads of books have a share of what comes in:
 * within the share they leave like other reads, beyond the share they leave half of what there is to quotes.
 */
export const BUDGET_USES = ['withdraw', 'cancel', 'read', 'quote', 'book'] as const;
export type BudgetUse = (typeof BUDGET_USES)[number];

export interface BudgetLimits {
  /** The venue's allowances (facts, "Limits") less what the guard may spend. */
  readonly perMinute: number;
  readonly perDay: number;
  /** Part of the minute's allowance that may be spent at once; the rest comes evenly. 0 to 1. */
  readonly burst: number;
  /** Requests reserved for reads, both of the burst and of the day. */
  readonly readReserve: number;
  /** Part of all requests that reads of books get before quotes. 0 to 1. */
  readonly bookShare: number;
}

/** Requests that can be sent minute after minute, by each of the two allowances. */
export const sustainedBy = ({ perMinute, perDay, burst }: BudgetLimits) => ({
  perMinute: perMinute - Math.max(1, perMinute * burst),
  perDay: perDay / (DAY_COUNTED / MINUTE),
});

/** The smaller of the two. */
export function sustainedPerMinute(limits: BudgetLimits): number {
  const { perMinute, perDay } = sustainedBy(limits);
  return Math.min(perMinute, perDay);
}

/** The allowance of a day that gives so many requests a minute. */
export const perDayFor = (perMinute: number): number => Math.ceil((perMinute * DAY_COUNTED) / MINUTE);

const MINUTE = 60_000_000;
/** Saved requests are spent over so long. */
const SPREAD = 360 * MINUTE;
/** Part of the day's average pace below which nothing saved is spent. */
const LEAST = 0.5;
/** Part of the burst that reads of books beyond their share leave. */
const LEFT_BY_BOOKS = 0.5;

/**
 * The request budget that all markets share. At most `perMinute` requests leave in any minute and `perDay` in any 24
 * hours. The pace makes the day's allowance last: it is the smaller of the minute's pace and a pace that can be kept up
 * for ever, plus what quiet hours have saved while half of the average pace is left.
 */
export class RequestBudget {
  readonly #limits: BudgetLimits;
  readonly #capacity: number;
  readonly #minutePace: number;
  #tokens: number;
  /** What reads of books have of the tokens before quotes. */
  #bookTokens = 0;
  #at: Micros;
  readonly #day: DayWindow;
  /** Requests per microsecond; computed anew every ten minutes. */
  #pace: number;
  #blockedUntil = 0;
  /**
   * Requests that withdrawing what stands takes. As many again are kept for cancels that make way for better quotes.
   * The owner keeps it up to date.
   */
  withdrawalReserve = 0;

  /** @param before what the run before spent; null for nothing */
  constructor(limits: BudgetLimits, at: Micros, before: Spending | null = null) {
    this.#limits = limits;
    this.#capacity = Math.max(1, limits.perMinute * limits.burst);
    this.#minutePace = (limits.perMinute - this.#capacity) / MINUTE;
    this.#tokens = Math.min(this.#capacity, before?.tokens ?? this.#capacity);
    this.#at = before === null || before.at > at ? at : before.at;
    this.#day = new DayWindow(this.#at, before?.requests);
    this.#pace = this.#nextPace();
    if (before !== null) this.#blockedUntil = at + silenceLeft(before, at);
    this.refill(at);
  }

  /** What the next run has to know. */
  get spending(): Spending {
    const { requests } = this.#day;
    return { at: this.#at, tokens: this.#tokens, requests, blockedUntil: this.blockedUntil };
  }

  /** The venue throttles us: nothing leaves before. */
  get blockedUntil(): Micros {
    return this.#blockedUntil as Micros;
  }

  /** Requests left of the day's allowance, whenever that day began. */
  get leftToday(): number {
    return Math.max(0, this.#left);
  }

  /** Time has passed: what it gives is there. */
  refill(at: Micros): void {
    if (at <= this.#at) return;
    if (at >= this.#day.turnsAt) this.#turnTo(at);
    this.#gain(at);
  }

  /** May so many requests leave now? */
  allows(use: BudgetUse, at: Micros, requests = 1): boolean {
    this.refill(at);
    const isThere = this.#tokens >= this.#threshold(use, requests, this.#capacity);
    return isThere && this.#lastsToday(use, requests) && at >= this.#blockedUntil;
  }

  /** Requests of this use that could leave, as of the last refill. Negative when a reserve is used. */
  spare(use: BudgetUse): number {
    return Math.floor(Math.min(this.#tokens, this.#left) - this.#threshold(use, 0, Infinity));
  }

  /**
   * Spends requests; check {@link allows} first. Further calls of a request are spent as well. A negative number gives
   * back what did not leave.
   */
  spend(at: Micros, requests = 1, use: BudgetUse = 'read'): void {
    this.refill(at);
    if (use === 'book') this.#bookTokens = Math.max(0, this.#bookTokens - requests);
    this.#tokens = Math.min(this.#capacity, this.#tokens - requests);
    this.#day.count(requests);
  }

  /** The venue throttles us for so long, or for what is assumed without a word. */
  refused(retryAfterMs: number, at: Micros): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, at + retryAfterMs * 1_000);
  }

  /** When so many requests of this use can leave at the earliest, other spending aside. */
  nextAt(use: BudgetUse, at: Micros, requests = 1): Micros {
    this.refill(at);
    const next = this.#thereAt(use, at, requests);
    const { bookShare } = this.#limits;
    const lackingShare = requests - this.#bookTokens;
    if (use !== 'book' || bookShare === 0 || lackingShare <= 0)
      return Math.max(next, this.#blockedUntil) as Micros;
    const withinShare = this.#thereAt('read', at, requests, lackingShare / bookShare);
    return Math.max(Math.min(next, withinShare), this.#blockedUntil) as Micros;
  }

  /** Is less than half of the burst left? */
  get isScarce(): boolean {
    return this.#tokens < LEFT_BY_BOOKS * this.#capacity;
  }

  /** When so many requests could have left, one after the other, if nothing else is sent. */
  leaveBy(requests: number, at: Micros): Micros {
    this.refill(at);
    const missing = requests - this.#tokens;
    const refilled = missing <= 0 ? at : at + missing / this.#pace;
    return Math.ceil(Math.max(refilled, this.#blockedUntil)) as Micros;
  }

  /** Negative when a request took more calls, or the allowance shrank. */
  get #left(): number {
    return this.#limits.perDay - this.#day.used;
  }

  #lastsToday(use: BudgetUse, requests: number): boolean {
    return this.#left >= this.#neededToday(use, requests);
  }

  #neededToday(use: BudgetUse, requests: number): number {
    return Math.max(requests, this.#threshold(use, requests, this.#limits.perDay));
  }

  /** Tokens that must be there; never more than the capacity, or nothing would ever leave. */
  #threshold(use: BudgetUse, requests: number, most: number): number {
    const { readReserve } = this.#limits;
    const { withdrawalReserve } = this;
    if (use === 'withdraw') return Math.min(requests, most);
    if (use === 'cancel') return Math.min(requests + withdrawalReserve, most);
    const isFirst = use === 'read' || (use === 'book' && this.#bookTokens >= requests);
    if (isFirst) return Math.min(requests + 2 * withdrawalReserve, most);
    const left = use === 'book' ? LEFT_BY_BOOKS * this.#capacity : 0;
    return Math.min(requests + Math.max(2 * withdrawalReserve + readReserve, left), most);
  }

  /** When tokens and day suffice for so many requests of this use, and at least `incoming` tokens have come in. */
  #thereAt(use: BudgetUse, at: Micros, requests: number, incoming = 0): Micros {
    const missing = Math.max(incoming, this.#threshold(use, requests, this.#capacity) - this.#tokens);
    const refilled = missing <= 0 ? at : Math.min(at + Math.ceil(missing / this.#pace), this.#day.turnsAt);
    const lacking = this.#neededToday(use, requests) - this.#left;
    return (lacking <= 0 ? refilled : Math.max(refilled, this.#day.freeAt(lacking))) as Micros;
  }

  #gain(at: Micros): void {
    const gained = (at - this.#at) * this.#pace;
    const { bookShare } = this.#limits;
    this.#tokens = Math.min(this.#capacity, this.#tokens + gained);
    this.#bookTokens = Math.min(
      Math.max(1, bookShare * this.#capacity),
      this.#bookTokens + bookShare * gained,
    );
    this.#at = at;
  }

  /** Every ten minutes the oldest requests count no more, and the pace changes. */
  #turnTo(at: Micros): void {
    while (this.#day.used > 0 && at >= this.#day.turnsAt) {
      this.#gain(this.#day.turnsAt);
      this.#day.turn();
      this.#pace = this.#nextPace();
    }
    this.#gain(at);
    if (at < this.#day.turnsAt) return;
    this.#day.passTo(at);
    this.#pace = this.#nextPace();
  }

  /** The burst and the reserves are left out of the pace. */
  #nextPace(): number {
    const lasting = this.#day.pace(this.#left - this.#tokens, this.#at);
    const average = this.#limits.perDay / DAY_COUNTED;
    const saved = lasting < LEAST * average ? 0 : Math.max(0, this.#day.savedAt(average));
    return Math.min(this.#minutePace, lasting + saved / SPREAD);
  }
}

/** What was spent of the allowances. The next run under the same key goes on from it. */
export interface Spending {
  readonly at: Micros;
  /** Requests that could leave at once then. */
  readonly tokens: number;
  /** Requests of the last day in slots of ten minutes, oldest first; the last slot contains `at`. */
  readonly requests: readonly number[];
  /** Until when the venue asked for silence; in the past if it did not. */
  readonly blockedUntil: Micros;
}

/** The spending at a later time, at which the venue asks for silence; nothing was sent in between. */
export function silenced(before: Spending | null, at: Micros, blockedUntil: Micros): Spending {
  if (before === null) return { at, tokens: 0, requests: [], blockedUntil };
  const day = new DayWindow(before.at > at ? at : before.at, before.requests);
  day.passTo(at);
  return { at, tokens: before.tokens, requests: day.requests, blockedUntil };
}

/**
 * Microseconds of silence that are left. A clock set back does not make it longer than it was. More than a day is not
 * believed.
 */
export function silenceLeft(
  { at, blockedUntil }: Pick<Spending, 'at' | 'blockedUntil'>,
  now: Micros,
): number {
  const left = blockedUntil - now;
  return left <= MICROS_PER_DAY ? Math.max(0, Math.min(left, blockedUntil - at)) : 0;
}
