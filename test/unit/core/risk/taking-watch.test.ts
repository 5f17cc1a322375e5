import { describe, expect, it } from 'vitest';
import { type Micros, micros, money } from '../../../../src/domain/units.js';
import { KillSwitch, TakingWatch } from '../../../../src/core/risk/index.js';

const at = (minutes: number): Micros => micros(1_000_000_000 + minutes * 60_000_000);
const watchOf = (...limits: (number | null)[]) => {
  const killSwitch = new KillSwitch();
  const maxima = limits.map((most) => ({ maxTakenAmount: most === null ? null : money(most * 1e6) }));
  return { killSwitch, watch: new TakingWatch(maxima, killSwitch, 'OOM') };
};
const taken = (amount: number) => ({ liquidity: 'taker', amount: money(amount * 1e6) }) as const;

describe('the taking limit', () => {
  it('latches the kill switch beyond the amount of an hour', () => {
    const { killSwitch, watch } = watchOf(100);
    expect([watch.filled(taken(60), at(0)), watch.filled(taken(40), at(59))]).toEqual([false, false]);
    expect(watch.filled(taken(0.5), at(59.5))).toBe(true);
    expect(killSwitch.state?.reason).toBe('taking limit: took 100.5 within an hour, limit 100');
  });

  it('forgets what was taken an hour ago', () => {
    const { watch } = watchOf(100);
    watch.filled(taken(60), at(0));
    expect(watch.filled(taken(60), at(60))).toBe(false);
  });

  it('leaves out what was taken on purpose, which counts in the amount of the hour', () => {
    const { watch } = watchOf(100);
    expect(watch.filled(taken(500), at(0), true)).toBe(false);
    expect(watch.filled(taken(100), at(1))).toBe(false);
    expect([watch.within(at(2)), watch.within(at(60.5))]).toEqual([600e6, 100e6]);
    const next = new TakingWatch(
      [{ maxTakenAmount: money(100e6) }],
      new KillSwitch(),
      'OOM',
      watch.counting(at(2)),
    );
    expect([next.within(at(2)), next.filled(taken(1), at(2))]).toEqual([600e6, true]);
  });

  it('does not count what was made', () => {
    const { watch } = watchOf(100);
    expect(watch.filled({ liquidity: 'maker', amount: money(500e6) }, at(0))).toBe(false);
  });

  it('is the tightest of several instances, and absent where none states one', () => {
    expect(watchOf(100, 50, null).watch.filled(taken(51), at(0))).toBe(true);
    expect(watchOf(null).watch.filled(taken(1e6), at(0))).toBe(false);
  });

  it('counts from where a person resumed', () => {
    const { killSwitch, watch } = watchOf(100);
    watch.filled(taken(101), at(0));
    killSwitch.reset();
    watch.accept();
    expect(watch.filled(taken(99), at(1))).toBe(false);
  });

  it('goes on over a restart, for the rest of the hour', () => {
    const { watch } = watchOf(100);
    watch.filled(taken(60), at(0));
    watch.filled(taken(30), at(20));
    const limit = [{ maxTakenAmount: money(100e6) }];
    const next = () => new TakingWatch(limit, new KillSwitch(), 'OOM', watch.counting(at(30)));
    expect([next().filled(taken(10), at(59)), next().filled(taken(11), at(59))]).toEqual([false, true]);
    expect([next().filled(taken(70), at(61)), next().filled(taken(71), at(61))]).toEqual([false, true]);
    expect(next().counting(at(80))).toEqual([]);
  });

  it('counts for no longer than an hour what a clock dated that was set back since', () => {
    const limit = [{ maxTakenAmount: money(100e6) }];
    const before = [{ currency: 'OOM', at: at(120), amount: money(90e6) }] as const;
    const watch = new TakingWatch(limit, new KillSwitch(), 'OOM', before, at(0));
    expect(watch.counting(at(59))).toHaveLength(1);
    expect(watch.counting(at(60))).toEqual([]);
  });

  it('counts whatever is taken, in a list that stays short, each for an hour and a thousandth at most', () => {
    const before = [{ currency: 'USDC', at: at(0), amount: money(90e6) }] as const;
    const watch = new TakingWatch([{ maxTakenAmount: null }], new KillSwitch(), 'USD', before);
    for (let take = 0; take < 30_000; take += 1) watch.filled(taken(0.01), at(take / 1_000));
    const counted = watch.counting(at(30));
    const sumOf = (currency: string) =>
      counted.filter((one) => one.currency === currency).reduce((sum, { amount }) => sum + amount, 0);
    expect([sumOf('USD'), sumOf('USDC')]).toEqual([300e6, 90e6]);
    expect(counted.length).toBeLessThanOrEqual(1_002);
    const left = watch.counting(at(75)).reduce((sum, { amount }) => sum + amount, 0);
    expect(left).toBeGreaterThanOrEqual(14_999 * 10_000);
    expect(left).toBeLessThanOrEqual((14_999 + 61) * 10_000);
  });

  it('counts nothing of other currencies, and keeps it for a run that trades them', () => {
    const before = [{ currency: 'USDC', at: at(0), amount: money(90e6) }] as const;
    const watch = new TakingWatch([{ maxTakenAmount: money(100e6) }], new KillSwitch(), 'USD', before);
    expect(watch.filled(taken(100), at(1))).toBe(false);
    expect(watch.counting(at(2))[0]).toEqual(before[0]);
    watch.accept();
    expect(watch.counting(at(2))).toEqual([]);
  });
});
