import { describe, expect, it } from 'vitest';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import { type Micros, micros, money, shares } from '../../../../src/domain/units.js';
import { FillBreaker } from '../../../../src/core/risk/fill-breaker.js';
import type { FillBreakerLimits } from '../../../../src/domain/risk-limits.js';
import { UNRESTRICTED } from '../../../../src/core/risk/quote-restriction.js';
import { fillOf } from '../../../support/orders/fills.js';

const A = marketId(2231);
const B = marketId(2232);
const EVENT = eventId(873);
const at = (seconds: number): Micros => micros(1_000_000_000 + seconds * 1_000_000);
const breakerOf = (changes: Partial<FillBreakerLimits> = {}): FillBreaker =>
  new FillBreaker({
    windowMs: 10_000,
    maxShares: shares(100_00),
    maxAmount: null,
    coolDownMs: 30_000,
    steps: 3,
    stepMs: 10_000,
    ...changes,
  });
const buy = (whole: number, marketOf = A) => fillOf(50, whole, { marketId: marketOf });
const sell = (whole: number, marketOf = A) => fillOf(50, whole, { marketId: marketOf, side: 'ask' });

describe('the fill breaker', () => {
  it('stops a market when more than the limit is filled one way within the window', () => {
    const breaker = breakerOf();
    expect(breaker.filled(buy(60), at(0))).toBeNull();
    expect(breaker.filled(buy(40), at(5))).toBeNull();
    const trip = breaker.filled(buy(1), at(9));
    expect(trip).toMatchObject({ scope: 'market', marketId: A });
    expect(trip?.text).toBe('101 shares filled one way within 10 s in one market, limit 100');
    expect(breaker.restriction(A, EVENT, at(9)).out).toBe('fill-breaker');
    expect(breaker.restriction(B, EVENT, at(9))).toBe(UNRESTRICTED);
  });

  it('counts signed: what is sold again is no run', () => {
    const breaker = breakerOf();
    for (let second = 0; second < 9; second++)
      expect(breaker.filled(second % 2 === 0 ? buy(90) : sell(90), at(second))).toBeNull();
  });

  it('takes a bid on short for the sale that it is', () => {
    const breaker = breakerOf();
    breaker.filled(sell(60), at(0));
    const bought = fillOf(50, 60, { marketId: A, position: 'short' });
    expect(breaker.filled(bought, at(1))).not.toBeNull();
  });

  it('forgets what is older than the window', () => {
    const breaker = breakerOf();
    breaker.filled(buy(90), at(0));
    expect(breaker.filled(buy(90), at(10))).toBeNull();
  });

  it('has a limit of money, too', () => {
    const breaker = breakerOf({ maxShares: null, maxAmount: money(40e6) });
    expect(breaker.filled(buy(80), at(0))).toBeNull();
    expect(breaker.filled(buy(1), at(1))?.text).toBe(
      '40.5 filled one way within 10 s in one market, limit 40',
    );
  });

  it('stops a whole event when its markets are hit together, whichever way each', () => {
    const breaker = breakerOf();
    breaker.filled(buy(60, A), at(0));
    expect(breaker.filled(sell(50, B), at(1))).toMatchObject({ scope: 'event', eventId: EVENT });
    expect(breaker.restriction(A, EVENT, at(1)).out).toBe('fill-breaker');
    expect(breaker.restriction(B, EVENT, at(1)).out).toBe('fill-breaker');
    expect(breaker.restriction(marketId(1), eventId(1), at(1))).toBe(UNRESTRICTED);
  });

  it('stops the event when after one of its markets the next is hit within the window', () => {
    const breaker = breakerOf();
    expect(breaker.filled(buy(101, A), at(0))).toMatchObject({ scope: 'market', marketId: A });
    expect(breaker.filled(buy(1, B), at(9))).toMatchObject({ scope: 'event', eventId: EVENT });
    expect(breaker.restriction(B, EVENT, at(9)).out).toBe('fill-breaker');
  });

  it('and lets the next one be hit when the window is over', () => {
    const breaker = breakerOf();
    breaker.filled(buy(101, A), at(0));
    expect(breaker.filled(buy(1, B), at(10))).toBeNull();
  });

  it('counts for an event what is filled in markets that another breaker guards', () => {
    const breaker = breakerOf();
    expect(breaker.filledElsewhere(buy(101, A), at(0))).toBeNull();
    expect(breaker.restriction(A, EVENT, at(0))).toBe(UNRESTRICTED);
    expect(breaker.filled(buy(1, B), at(1))).toMatchObject({ scope: 'event' });
  });

  it('comes back step by step after the cool-down', () => {
    const breaker = breakerOf();
    breaker.filled(buy(101), at(0));
    const sizes = [29.9, 30, 40, 50, 60].map((second) => {
      const { out, size } = breaker.restriction(A, EVENT, at(second));
      return out ?? size;
    });
    expect(sizes).toEqual(['fill-breaker', 0.25, 0.5, 0.75, 1]);
    const edges = [0, 30, 40, 50, 60].map((second) => breaker.changesAt(A, EVENT, at(second)));
    expect(edges).toEqual([at(30), at(40), at(50), at(60), null]);
  });

  it('is latched: fills during the cool-down neither prolong nor end it', () => {
    const breaker = breakerOf();
    breaker.filled(buy(101), at(0));
    expect(breaker.filled(sell(500), at(10))).toBeNull();
    expect(breaker.changesAt(A, EVENT, at(10))).toBe(at(30));
  });

  it('counts anew while it returns, and stops again', () => {
    const breaker = breakerOf();
    breaker.filled(buy(101), at(0));
    expect(breaker.filled(buy(60), at(35))).toBeNull();
    expect(breaker.filled(buy(60), at(40))).not.toBeNull();
    expect(breaker.restriction(A, EVENT, at(69)).out).toBe('fill-breaker');
  });

  it('goes on in another run where it was', () => {
    const [breaker, next] = [breakerOf(), breakerOf()];
    breaker.filled(buy(101), at(0));
    for (const coolDown of breaker.coolDowns(at(1))) next.restore(coolDown, at(1));
    for (const second of [1, 29, 30, 45, 59, 60])
      expect(next.restriction(A, EVENT, at(second))).toEqual(breaker.restriction(A, EVENT, at(second)));
    expect(breaker.coolDowns(at(59))).toHaveLength(1);
    expect(breaker.coolDowns(at(60))).toEqual([]);
  });

  it('is no longer than a cool-down where the clock was set back since', () => {
    const [breaker, next] = [breakerOf(), breakerOf()];
    breaker.filled(buy(101), at(3_600));
    for (const coolDown of breaker.coolDowns(at(3_601))) next.restore(coolDown, at(10));
    expect(next.restriction(A, EVENT, at(39)).out).toBe('fill-breaker');
    expect(next.restriction(A, EVENT, at(40)).out).toBeNull();
    expect(next.coolDowns(at(10))).toEqual([{ scope: 'market', marketId: A, until: at(40) }]);
  });

  it('is over when a person resumes', () => {
    const breaker = breakerOf();
    breaker.filled(buy(101), at(0));
    breaker.resume();
    expect(breaker.restriction(A, EVENT, at(1))).toBe(UNRESTRICTED);
  });
});
