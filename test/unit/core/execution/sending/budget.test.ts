import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BudgetLimits,
  type BudgetUse,
  RequestBudget,
} from '../../../../../src/core/execution/sending/budget.js';
import { ms } from '../../../../support/orders/own-order-reports.js';

const LIMITS: BudgetLimits = {
  perMinute: 600,
  perDay: 1_000_000,
  burst: 0.1,
  readReserve: 3,
  bookShare: 0.25,
};
const budget = (limits: Partial<BudgetLimits> = {}, withdrawalReserve = 2): RequestBudget =>
  Object.assign(new RequestBudget({ ...LIMITS, ...limits }, ms(0)), { withdrawalReserve });

/** @returns requests that may leave at one moment */
function drain(one: RequestBudget, use: BudgetUse, at = ms(0)): number {
  let count = 0;
  for (; one.allows(use, at); count += 1) one.spend(at, 1, use);
  return count;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** For so long counts what leaves at `ms(0)`, which is 400 s into ten minutes of the clock. */
const COUNTED_MS = DAY_MS + 20 * 60_000 - 400_000;

describe('what reads of books get of the budget', () => {
  it('has its share before quotes, and beyond it leaves them half', () => {
    const one = budget();
    expect(drain(one, 'book')).toBe(30);
    drain(one, 'quote');
    expect(drain(one, 'book')).toBe(0);
    // 9 a second come in: of 18, reads of books get a quarter though quotes want all of it.
    expect([drain(one, 'book', ms(2_000)), drain(one, 'quote', ms(2_000))]).toEqual([4, 14]);
  });

  it('leaves cancels alone', () => {
    const one = budget();
    drain(one, 'read');
    expect(drain(one, 'book', ms(60_000)) + drain(one, 'read', ms(60_000))).toBe(56);
    expect(drain(one, 'cancel', ms(60_000))).toBe(2);
    expect(drain(one, 'withdraw', ms(60_000))).toBe(2);
  });

  it('comes by the date that is named', () => {
    const one = budget();
    drain(one, 'quote');
    for (let at = 0; at < 20; at += 1) {
      const next = one.nextAt('book', one.spending.at);
      expect(one.allows('book', (next - 2_000) as typeof next)).toBe(false);
      expect(one.allows('book', next)).toBe(true);
      one.spend(next, 1, 'book');
    }
  });
});

describe('the request budget', () => {
  it('keeps back what is reserved for cancels and reads', () => {
    const one = budget();
    expect(drain(one, 'quote')).toBe(60 - 7);
    expect(drain(one, 'read')).toBe(3);
    expect(drain(one, 'cancel')).toBe(2);
    expect(drain(one, 'withdraw')).toBe(2);
  });

  it('counts the calls of a listing', () => {
    const one = budget();
    expect(one.allows('read', ms(0), 60 - 4)).toBe(true);
    one.spend(ms(0), 54);
    expect([one.allows('read', ms(0), 3), one.allows('read', ms(0), 2)]).toEqual([false, true]);
    expect(one.leftToday).toBe(1_000_000 - 54);
  });

  it('tells what is spare for a use without counting what came in since', () => {
    const one = budget();
    one.spend(ms(0), 40);
    expect([one.spare('withdraw'), one.spare('read'), one.spare('quote')]).toEqual([20, 16, 13]);
    one.spend(ms(0), 18);
    expect(one.spare('read')).toBe(-2);
    const short = budget({ perDay: 10 });
    expect([short.spare('withdraw'), short.spare('read')]).toEqual([10, 6]);
  });

  it('does not wait for ever where reserves are larger than what fits', () => {
    const small = budget({ perMinute: 20 });
    expect(small.allows('quote', ms(0))).toBe(true);
    small.spend(ms(0));
    expect(small.nextAt('quote', ms(0))).toBeLessThan(ms(60_000));
  });

  it('never lets more than the allowance leave within any minute', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 60 }), (pauses) => {
        const one = budget();
        const left: number[] = [];
        let at = 0;
        for (const pause of pauses) {
          at += pause;
          for (let n = drain(one, 'withdraw', ms(at)); n > 0; n -= 1) left.push(at);
        }
        for (const start of left) {
          const within = left.filter((time) => time >= start && time < start + 60_000);
          expect(within.length).toBeLessThanOrEqual(600);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('has no more at once for what is given back, because it did not leave', () => {
    const one = budget();
    one.spend(ms(0), 1);
    one.spend(ms(1_000), -1);
    expect(one.leftToday).toBe(budget().leftToday);
    expect(one.spending.tokens).toBe(budget().spending.tokens);
  });

  it('paces by the day when the day is the scarcer allowance', () => {
    const one = budget({ perDay: 8_640, readReserve: 0, bookShare: 0.25 });
    drain(one, 'quote');
    let sent = 0;
    for (let second = 1; second <= 3_600; second += 1) sent += drain(one, 'quote', ms(second * 1_000));
    // A tenth of a request a second, less what the first burst took from the day, and 20 minutes of it.
    expect(sent).toBeGreaterThanOrEqual(352);
    expect(sent).toBeLessThanOrEqual(360);
  });

  it('counts what left for a day, and for less than twenty minutes more', () => {
    const one = budget({ perDay: 10 });
    expect(drain(one, 'withdraw')).toBe(10);
    expect(one.leftToday).toBe(0);
    expect(one.nextAt('withdraw', ms(0))).toBe(ms(COUNTED_MS));
    expect(drain(one, 'withdraw', ms(COUNTED_MS - 1))).toBe(0);
    expect(drain(one, 'withdraw', ms(COUNTED_MS))).toBe(10);
  });

  it('spends what quiet hours have saved, and leaves half of the average for the hours after', () => {
    const one = budget({ perDay: 8_640 });
    const sentIn = (hour: number): number => {
      let sent = 0;
      for (let second = 0; second < 3_600; second += 1)
        sent += drain(one, 'quote', ms(DAY_MS + hour * HOUR_MS + second * 1_000));
      return sent;
    };
    const hours = Array.from({ length: 24 }, (_, hour) => sentIn(hour));
    const average = 8_640 / 24;
    expect(hours[0]).toBeGreaterThan(2 * average);
    expect(Math.min(...hours)).toBeGreaterThan(0.45 * average);
    expect(hours.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(8_640);
  });

  it('keeps reserves of the day, too: quotes never take what its last cancels need', () => {
    const one = budget({ perDay: 40 });
    expect(drain(one, 'quote')).toBe(40 - 7);
    expect(drain(one, 'read')).toBe(3);
    expect(drain(one, 'withdraw')).toBe(4);
    expect(one.nextAt('quote', ms(0))).toBe(ms(COUNTED_MS));
  });

  it('spreads what is left of the day so that quotes go on to its end, and leaves the reserves', () => {
    const one = budget({ perDay: 8_640 });
    drain(one, 'quote');
    let last = 0;
    for (let second = 1; second < 86_400; second += 1)
      if (drain(one, 'quote', ms(second * 1_000)) > 0) last = second;
    expect(last).toBeGreaterThan(86_400 - 60);
    expect(one.leftToday).toBeGreaterThanOrEqual(8);
    expect(drain(one, 'withdraw', ms(86_399_999))).toBeGreaterThanOrEqual(5);
  });

  it('obeys Retry-After for everything, cancels included', () => {
    const one = budget();
    one.refused(30_000, ms(0));
    expect(one.allows('withdraw', ms(29_999))).toBe(false);
    expect(one.nextAt('withdraw', ms(0))).toBe(ms(30_000));
    expect(one.allows('withdraw', ms(30_000))).toBe(true);
  });

  it('says when the next request can leave', () => {
    const one = budget();
    drain(one, 'withdraw');
    const next = one.nextAt('quote', ms(0));
    expect(one.allows('quote', (next - 1) as typeof next)).toBe(false);
    expect(one.allows('quote', next)).toBe(true);
  });
});

describe('the budget of a run after another', () => {
  const after = (before: RequestBudget, at: number, limits: Partial<BudgetLimits> = {}): RequestBudget =>
    new RequestBudget({ ...LIMITS, ...limits }, ms(at), before.spending);

  it('has what is left of the day, and its pace, as if there had been one run', () => {
    const before = budget({ perDay: 10_000 });
    before.spend(ms(0), 9_000);
    const one = after(before, 12 * HOUR_MS, { perDay: 10_000 });
    expect(one.leftToday).toBe(1_000);
    before.spend(ms(12 * HOUR_MS), 60);
    one.spend(ms(12 * HOUR_MS), 60);
    expect(one.nextAt('quote', ms(12 * HOUR_MS))).toBe(before.nextAt('quote', ms(12 * HOUR_MS)));
  });

  it('has no new burst: in no minute more leave than the venue takes', () => {
    const before = budget();
    drain(before, 'withdraw');
    expect(drain(after(before, 0), 'withdraw')).toBe(0);
    expect(drain(after(before, 1_000), 'withdraw', ms(1_000))).toBe(9);
  });

  it('has what left within a day behind it, however long it lay still', () => {
    const before = budget({ perDay: 100 });
    before.spend(ms(0), 60);
    before.spend(ms(12 * HOUR_MS), 40);
    expect(after(before, DAY_MS, { perDay: 100 }).leftToday).toBe(0);
    expect(after(before, COUNTED_MS, { perDay: 100 }).leftToday).toBe(60);
    expect(after(before, 2 * DAY_MS, { perDay: 100 }).leftToday).toBe(100);
    expect(after(before, 800 * DAY_MS, { perDay: 100 }).leftToday).toBe(100);
  });

  it('counts by the allowance of today, should it have changed', () => {
    const before = budget({ perDay: 100 });
    before.spend(ms(0), 60);
    expect(after(before, 1, { perDay: 150 }).leftToday).toBe(90);
    expect(after(before, 1, { perDay: 50 }).leftToday).toBe(0);
  });

  it('keeps the silence that the venue asked of the run before', () => {
    const before = budget();
    before.refused(30_000, ms(0));
    const one = after(before, 10_000);
    expect(one.allows('withdraw', ms(29_999))).toBe(false);
    expect(one.nextAt('withdraw', ms(10_000))).toBe(ms(30_000));
  });

  it('keeps it no longer than it was asked for when the clock was set back by hours meanwhile', () => {
    const before = new RequestBudget(LIMITS, ms(3 * HOUR_MS));
    before.refused(30_000, ms(3 * HOUR_MS));
    expect(after(before, HOUR_MS).nextAt('withdraw', ms(HOUR_MS))).toBe(ms(HOUR_MS + 30_000));
  });

  it('is not held up by a clock that was set back meanwhile: what was sent counts for its own duration', () => {
    const before = new RequestBudget(LIMITS, ms(3 * DAY_MS));
    drain(before, 'withdraw', ms(3 * DAY_MS));
    before.refused(30_000, ms(3 * DAY_MS));
    const one = after(before, 0);
    expect(one.leftToday).toBe(LIMITS.perDay - 60);
    expect(one.nextAt('withdraw', ms(0))).toBeLessThan(ms(1_000));
    one.refill(ms(COUNTED_MS));
    expect(one.leftToday).toBe(LIMITS.perDay);
  });
});
