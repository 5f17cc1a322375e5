import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { micros } from '../../../../src/domain/units.js';
import {
  afterDelay,
  followingTheWall,
  resumedClock,
  SystemClock,
  type TimeSource,
} from '../../../../src/storage/clocks/system-clock.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';

/** An operating system whose clocks and timers move by hand. */
class HandTime implements TimeSource {
  wall = 1_000_000;
  monotonic = 0;
  booted = 70_000;
  #timers: { due: number; callback: () => void }[] = [];

  wallMs = (): number => Math.floor(this.wall);
  monotonicMs = (): number => this.monotonic;
  /** To a hundredth of a second, as Linux states it. */
  sinceBootMs = (): number => Math.floor(this.booted / 10) * 10;

  after(delayMs: number, callback: () => void): () => void {
    const timer = { due: this.monotonic + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  pass(ms: number): void {
    this.monotonic += ms;
    this.booted += ms;
    this.wall += ms;
    const due = this.#timers.filter((timer) => timer.due <= this.monotonic);
    this.#timers = this.#timers.filter((timer) => timer.due > this.monotonic);
    due.forEach((timer) => timer.callback());
  }

  /** Somebody sets the wall clock. */
  set(byMs: number): void {
    this.wall += byMs;
  }

  /** The lid is shut: no timer runs, and monotonic time stands still. */
  sleep(ms: number): void {
    this.wall += ms;
    this.booted += ms;
  }
}

describe('the system clock', () => {
  it('tells the wall time in microseconds, finer than the wall clock itself', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    time.pass(0.25);
    expect(clock.now()).toBe(1_000_000_250);
  });

  it.each([3_600_000, 900, -90, -3_600_000])(
    'goes on as time passes when somebody sets the wall clock by %i ms',
    (byMs) => {
      const time = new HandTime();
      const clock = new SystemClock(time);
      time.set(byMs);
      expect(clock.now()).toBe(1_000_000_000);
      time.pass(2_500);
      expect(clock.now()).toBe(1_002_500_000);
    },
  );

  it('stays where it is when the wall clock is set right again, or forward bit by bit', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    for (const byMs of [7_200_000, -7_200_000, ...Array.from({ length: 20 }, () => 700)]) {
      time.set(byMs);
      time.pass(100);
      clock.now();
    }
    expect(clock.now()).toBe(1_002_200_000);
  });

  it('goes on by the time that the machine slept', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    time.pass(40);
    time.sleep(3_600_000);
    expect(clock.now()).toBe(time.wall * 1_000);
    time.pass(10);
    time.sleep(60_000);
    expect(clock.now()).toBe(time.wall * 1_000);
  });

  it('goes on by as much as it slept, whatever the wall clock was set to meanwhile', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    time.sleep(60_000);
    time.set(3_600_000);
    expect(clock.now()).toBe(1_060_000_000);
  });

  it('tells how often the wall clock leapt ahead by more than a second, as after a sleep', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    const leaps = (happens: () => void): number => {
      happens();
      clock.now();
      return clock.leaps;
    };
    expect(leaps(() => time.pass(5_000))).toBe(0);
    expect(leaps(() => time.set(500))).toBe(0);
    expect(leaps(() => time.set(-3_600_000))).toBe(0);
    expect(leaps(() => time.set(3_600_000))).toBe(1);
    expect(leaps(() => time.pass(5_000))).toBe(1);
    expect(leaps(() => time.sleep(1_500))).toBe(2);
  });

  it('follows a wall clock that is set forward, and never back, where a venue tells the time by it', () => {
    const time = new HandTime();
    const clock = new SystemClock(followingTheWall(time));
    time.set(3_600_000);
    expect(clock.now()).toBe(time.wall * 1_000);
    time.set(-3_600_000);
    time.pass(10);
    expect(clock.now()).toBe(4_600_010_000);
    time.set(3_600_000);
    expect(clock.now()).toBe(4_600_010_000);
  });

  it('calls back at the time asked for, not before, whatever the length of the wait', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    const calls: number[] = [];
    clock.at(micros(clock.now() + 2_500_000), () => calls.push(time.monotonic));
    for (let index = 0; index < 30; index++) time.pass(100);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toBeGreaterThanOrEqual(2_500);
    expect(calls[0]).toBeLessThanOrEqual(2_600);
  });

  it('notices within a second that the machine slept through the time asked for', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    let called = false;
    clock.at(micros(clock.now() + 3_600_000_000), () => (called = true));
    time.sleep(3_600_000);
    time.pass(1_000);
    expect(called).toBe(true);
  });

  it('calls back after as long as was asked for, wherever the wall clock is set to', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    const calls: number[] = [];
    clock.at(micros(clock.now() + 60_000_000), () => calls.push(time.monotonic));
    for (const byMs of [900_000, -1_800_000]) {
      time.set(byMs);
      for (let second = 0; second < 20; second++) time.pass(1_000);
    }
    expect(calls).toEqual([]);
    for (let second = 0; second < 20; second++) time.pass(1_000);
    expect(calls).toEqual([60_000]);
  });

  it('does not call back once cancelled, also after it has waited for a while', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    let called = false;
    const cancel = clock.at(micros(clock.now() + 3_000_000), () => (called = true));
    time.pass(1_500);
    cancel();
    time.pass(5_000);
    expect(called).toBe(false);
  });

  it('never decreases on the real operating system', () => {
    const clock = new SystemClock();
    let last = clock.now();
    for (let index = 0; index < 10_000; index++) {
      const now = clock.now();
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
  });

  it('tells the time of the real operating system', () => {
    const before = Date.now();
    const nowMs = new SystemClock().now() / 1_000;
    expect(nowMs).toBeGreaterThanOrEqual(before);
    expect(nowMs).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('fires real timers', async () => {
    const clock = new SystemClock();
    const due = micros(clock.now() + 2_000);
    await new Promise<void>((resolve) => clock.at(due, resolve));
    expect(clock.now()).toBeGreaterThanOrEqual(due);
  });
});

const START = 1_700_000_000_000_000;
const SECOND = 1_000_000;
const HOUR = 3_600 * SECOND;
const at = (seconds: number) => micros(START + seconds * SECOND);

/** A clock that was set back by an hour while nobody looked at it. */
function setBack() {
  const clock = new VirtualClock(micros(START));
  return { clock, resumed: resumedClock(clock, micros(START + HOUR)) };
}

describe('a clock that goes on from a time', () => {
  it('is the clock itself where that time is over', () => {
    const clock = new VirtualClock(micros(START));
    expect(resumedClock(clock, micros(START))).toBe(clock);
  });

  it('goes on from there, slower than time, until it tells the time again', () => {
    const { clock, resumed } = setBack();
    expect(resumed.now()).toBe(START + HOUR);
    clock.advanceTo(at(100));
    expect(resumed.now()).toBe(START + HOUR + 90 * SECOND);
    clock.advanceTo(micros(START + 9.5 * HOUR));
    expect(resumed.now()).toBe(START + 9.55 * HOUR);
    clock.advanceTo(micros(START + 11 * HOUR));
    expect([resumed.now(), resumed.monotonic()]).toEqual([START + 11 * HOUR, 11 * HOUR]);
  });

  it('advances however often it is asked', () => {
    const { clock, resumed } = setBack();
    for (let micro = 1; micro <= 1_000; micro++) {
      clock.advanceTo(micros(START + micro));
      resumed.now();
    }
    expect(resumed.now()).toBe(START + HOUR + 900);
  });

  it('calls back when that time has come by it, and not when cancelled', () => {
    const { clock, resumed } = setBack();
    const calls: number[] = [];
    resumed.at(micros(START + HOUR + 90 * SECOND), () => calls.push(resumed.now() - START - HOUR));
    resumed.at(micros(START + HOUR + 91 * SECOND), () => calls.push(Infinity))();
    clock.advanceTo(at(99));
    expect(calls).toEqual([]);
    clock.advanceTo(at(200));
    expect(calls).toHaveLength(1);
    expect(calls[0]).toBeGreaterThanOrEqual(90 * SECOND);
    expect(calls[0]).toBeLessThanOrEqual(90 * SECOND + 10);
  });

  it('calls back in time also when it has told the time again by then', () => {
    const { clock, resumed } = setBack();
    const calls: number[] = [];
    resumed.at(micros(START + 20 * HOUR), () => calls.push(clock.now() - START));
    clock.advanceTo(micros(START + 30 * HOUR));
    expect(calls).toEqual([20 * HOUR]);
  });
});

const HOUR_MS = 3_600_000;

describe('a delay', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([0, 25, 24 * 24 * HOUR_MS, 25 * 24 * HOUR_MS, 100 * 24 * HOUR_MS])(
    'of %i ms is over after that, and not before',
    (delayMs) => {
      const over = vi.fn<() => void>();
      afterDelay(delayMs, over);
      if (delayMs > 0) vi.advanceTimersByTime(delayMs - 1);
      expect(over).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(over).toHaveBeenCalledOnce();
    },
  );

  it('can be cancelled, when it is long and its first part is over, too', () => {
    const over = vi.fn<() => void>();
    const cancel = afterDelay(60 * 24 * HOUR_MS, over);
    vi.advanceTimersByTime(30 * 24 * HOUR_MS);
    cancel();
    vi.advanceTimersByTime(60 * 24 * HOUR_MS);
    expect(over).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
