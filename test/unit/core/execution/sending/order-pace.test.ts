import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { micros, type Micros } from '../../../../../src/domain/units.js';
import { OrderPace } from '../../../../../src/core/execution/sending/order-pace.js';

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const at = (seconds: number): Micros => micros(1_000 * SECOND + seconds * SECOND);

/** Sends as many as may leave, at each of these times. */
function drain(pace: OrderPace, times: readonly Micros[]): { at: Micros; orders: number }[] {
  return times.map((time) => {
    const orders = pace.free(time);
    pace.spend(orders, time);
    return { at: time, orders };
  });
}

const EACH_SECOND = Array.from({ length: 180 }, (_, second) => at(second));
const sum = (sent: readonly { readonly orders: number }[]): number =>
  sent.reduce((total, { orders }) => total + orders, 0);

describe('the pace of creates and updates', () => {
  it('lets a quarter of the minute leave at once and the rest evenly: no second is without an order', () => {
    const sent = drain(new OrderPace(1_200, [], at(0)), EACH_SECOND);
    expect(sent[0]!.orders).toBe(300);
    expect(Math.min(...sent.map(({ orders }) => orders))).toBeGreaterThanOrEqual(15);
  });

  it('never lets more than the limit leave within a minute, whatever it is, over restarts too', () => {
    const step = fc.record({ after: fc.integer({ min: 1, max: 20 * SECOND }), restarts: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.array(step, { maxLength: 60 }), (limit, steps) => {
        const sent: { at: Micros; orders: number }[] = [];
        let now = at(0);
        let pace = new OrderPace(limit, [], now);
        for (const { after, restarts } of steps) {
          now = micros(now + after);
          if (restarts)
            pace = new OrderPace(
              limit,
              sent.filter((one) => one.at > now - MINUTE),
              now,
            );
          sent.push(...drain(pace, [now]));
          expect(sum(sent.filter((one) => one.at > now - MINUTE))).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('says when the next may leave, and uses the limit up', () => {
    for (const limit of [1, 3, 20, 59, 1_200]) {
      const pace = new OrderPace(limit, [], at(0));
      let now = at(0);
      let left = 0;
      for (; now < at(600); now = pace.nextAt(now)) {
        const orders = pace.free(now);
        expect(orders).toBeGreaterThan(0);
        pace.spend(orders, now);
        left += orders;
      }
      expect(left).toBeGreaterThan(7 * limit);
    }
  });

  it('counts what runs before sent, though a clock was set back between them', () => {
    const before = [
      { at: at(3_600), orders: 7 },
      { at: at(-50), orders: 3 },
      { at: at(-20), orders: 2 },
    ];
    expect(new OrderPace(40, before, at(0)).free(at(0))).toBe(3);
  });

  it('binds for ten seconds after it held an order back', () => {
    const pace = new OrderPace(60, [], at(0));
    expect(pace.bindsSince(at(0))).toBeNull();
    pace.holdsBack(at(1));
    pace.holdsBack(at(5));
    expect([pace.bindsSince(at(14)), pace.bindsSince(at(15))]).toEqual([at(1), null]);
    pace.holdsBack(at(20));
    expect([pace.bindsSince(at(20)), pace.boundFor]).toEqual([at(20), 4 * SECOND]);
  });
});
