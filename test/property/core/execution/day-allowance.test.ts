/** Whenever the venue's day begins: in no 24 hours more requests leave than it allows, and quotes go on all the same. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BUDGET_USES,
  type BudgetLimits,
  type BudgetUse,
  RequestBudget,
} from '../../../../src/core/execution/sending/budget.js';
import type { Micros } from '../../../../src/domain/units.js';

const SECOND = 1_000_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const SLOT = 600 * SECOND;
const SLOTS = 146;
/** Microseconds by which a sum of floats may come early. */
const ROUNDING = 1;
const LIMITS: BudgetLimits = {
  perMinute: 600,
  perDay: 120,
  burst: 0.1,
  readReserve: 3,
  bookShare: 0.25,
};

/** The obvious slow way: of all that ever left, what left in the 24 hours that begin with one of them. */
function mostInADay(left: readonly number[]): number {
  let most = 0;
  for (const start of new Set(left))
    most = Math.max(most, left.filter((at) => at >= start && at < start + DAY).length);
  return most;
}

const pause = fc.oneof(
  fc.integer({ min: 0, max: SECOND }),
  fc.integer({ min: 0, max: HOUR }),
  fc.integer({ min: 0, max: 2 * DAY }),
);
const move = fc.record({
  pause,
  use: fc.constantFrom(...BUDGET_USES),
  /** Up to so many leave at once. */
  requests: fc.integer({ min: 1, max: 80 }),
  /** What was counted may leave so much later: until its deadline. */
  late: fc.integer({ min: 0, max: 10 * SECOND }),
  /** So many of them never leave, and are given back then. */
  given: fc.integer({ min: 0, max: 3 }),
  /** The run ends, and another goes on from what it wrote. */
  ends: fc.boolean(),
});

test('in no 24 hours more leaves than a day allows, over restarts, too', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      const left: number[] = [];
      let at = 1_700_000_000 * SECOND;
      let budget = new RequestBudget(LIMITS, at as Micros);
      for (const { pause: passed, use, requests, late, given, ends } of moves) {
        at += passed;
        if (ends) budget = goneOn(budget, at);
        let sent = 0;
        for (; sent < requests && budget.allows(use, at as Micros); sent += 1) budget.spend(at as Micros);
        at += late;
        const back = Math.min(sent, given);
        if (back > 0) budget.spend(at as Micros, -back);
        for (let request = back; request < sent; request += 1) left.push(at);
      }
      expect(mostInADay(left)).toBeLessThanOrEqual(LIMITS.perDay);
    }),
    { numRuns: 300 },
  );
});

/** The same slowly: ten minutes of the clock count until they are more than a day, and ten minutes, ago. */
const countedAt = (left: readonly number[], at: number): number =>
  left.filter((time) => Math.floor(time / SLOT) > Math.floor(at / SLOT) - SLOTS).length;

test('what is left is the allowance less what a slow count finds, and nothing leaves before it is said to', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      const left: number[] = [];
      let at = 1_700_000_000 * SECOND;
      let budget = new RequestBudget(LIMITS, at as Micros);
      for (const { pause: passed, use, requests, ends } of moves) {
        at += passed;
        if (ends) budget = goneOn(budget, at);
        budget.refill(at as Micros);
        expect(budget.leftToday).toBe(LIMITS.perDay - countedAt(left, at));
        for (let n = 0; n < requests && budget.allows(use, at as Micros); n += 1) {
          budget.spend(at as Micros);
          left.push(at);
        }
        if (!budget.allows(use, at as Micros)) expectNothingBefore(budget, use, at);
      }
    }),
    { numRuns: 200 },
  );
});

/** Its word may be too early, since a pace may become less, but not for ever, and is never too late. */
function expectNothingBefore(budget: RequestBudget, use: BudgetUse, since: number): void {
  let [before, at] = [budget, since];
  for (let asked = 0; !before.allows(use, at as Micros); asked += 1) {
    expect(asked).toBeLessThan(2 * SLOTS);
    const next = goneOn(before, at).nextAt(use, at as Micros);
    expect(next).toBeGreaterThan(at);
    const earlier = (next - 1 - ROUNDING) as Micros;
    expect(goneOn(before, at).allows(use, earlier)).toBe(false);
    [before, at] = [goneOn(before, at), next];
  }
}

/** The next run, from what this one would write. */
const goneOn = (budget: RequestBudget, at: number): RequestBudget =>
  new RequestBudget(LIMITS, at as Micros, JSON.parse(JSON.stringify(budget.spending)));

/** Seconds of `from` to `to` in which a quote left, by a bot that always has one. */
function quoteAllTheTime(budget: RequestBudget, from: number, to: number): number[] {
  const left: number[] = [];
  for (let second = from; second < to; second += 1) {
    const at = (second * SECOND) as Micros;
    for (; budget.allows('quote', at); left.push(second)) budget.spend(at);
  }
  return left;
}

describe('a bot that always has a quote to move', () => {
  const limits = { ...LIMITS, perDay: 1_440 };

  test.each([0, 3, 12, 23, 47])('goes on for days after %d quiet hours, without a long silence', (quiet) => {
    const begin = quiet * 3_600 + 1_234;
    const end = begin + 3 * 86_400;
    const left = quoteAllTheTime(new RequestBudget(limits, 0 as Micros), begin, end);
    expect(mostInADay(left.map((second) => second * SECOND))).toBeLessThanOrEqual(limits.perDay);
    const silences = left.map((second, index) => (left[index + 1] ?? end) - second);
    expect(Math.max(...silences)).toBeLessThan(150);
    expect(left.length).toBeGreaterThan(0.97 * 3 * limits.perDay);
  });
});
