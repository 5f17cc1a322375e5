import { MICROS_PER_DAY } from '../../../domain/days.js';
import type { Micros } from '../../../domain/units.js';
import { DayWindow } from './day-window.js';

/** What of the allowances was used, as the next run under the same key has to know it: the venue counts on. */
export interface Spending {
  readonly at: Micros;
  /** Requests that could leave at once then. */
  readonly tokens: number;
  /** Of the last day, by ten minutes of the clock, oldest first; the last are those in which `at` lies. */
  readonly requests: readonly number[];
  /** Until when the venue had asked for silence (429); in the past when it had not. */
  readonly blockedUntil: Micros;
}

/** As versions wrote it that counted days from their first request. */
export interface EarlierSpending extends Omit<Spending, 'requests'> {
  readonly dayEnds: Micros;
  readonly usedToday: number;
}

/** What either says. When in its day an earlier version sent them it does not: the latest it can have been. */
export function spendingFrom(stored: Spending | EarlierSpending): Spending {
  if ('requests' in stored) return stored;
  const { at, tokens, usedToday, blockedUntil } = stored;
  return { at, tokens, requests: [usedToday], blockedUntil };
}

/** What is known at a later time, at which the venue asks for silence; nothing else was sent since. */
export function silenced(before: Spending | null, at: Micros, blockedUntil: Micros): Spending {
  if (before === null) return { at, tokens: 0, requests: [], blockedUntil };
  const day = new DayWindow(before.at > at ? at : before.at, before.requests);
  day.passTo(at);
  return { at, tokens: before.tokens, requests: day.requests, blockedUntil };
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
