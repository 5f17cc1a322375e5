import { describe, expect, it } from 'vitest';
import { micros } from '../../../src/domain/units.js';
import type { TimeSource } from '../../../src/runtime/system-clock.js';
import { SystemClock } from '../../../src/runtime/system-clock.js';

/** An operating system whose two clocks and timers move by hand. */
class HandTime implements TimeSource {
  wall = 1_000_000;
  monotonic = 0;
  #timers: { due: number; callback: () => void }[] = [];

  wallMs = (): number => Math.floor(this.wall);
  monotonicMs = (): number => this.monotonic;

  after(delayMs: number, callback: () => void): () => void {
    const timer = { due: this.monotonic + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  pass(ms: number, wallMs = ms): void {
    this.monotonic += ms;
    this.wall += wallMs;
    const due = this.#timers.filter((timer) => timer.due <= this.monotonic);
    this.#timers = this.#timers.filter((timer) => timer.due > this.monotonic);
    due.forEach((timer) => timer.callback());
  }
}

describe('the system clock', () => {
  it('tells the wall time in microseconds, finer than the wall clock itself', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    time.pass(0.25);
    expect(clock.now()).toBe(1_000_000_250);
  });

  it('follows a wall clock that jumps forward at once', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    time.pass(1, 3_600_000);
    expect(clock.now()).toBe((1_000_000 + 3_600_000) * 1_000);
  });

  it('goes on, slower, when the wall clock is set back, until the wall has caught up', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    const before = clock.now();
    time.pass(10, -90);
    expect(clock.now() - before).toBe(9_000);
    time.pass(10);
    expect(clock.now() - before).toBe(18_000);
    time.pass(2_000);
    expect(clock.now()).toBe(time.wall * 1_000 + 1_000);
  });

  it('advances by fractions even when it is asked every tenth of a microsecond while slewing', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    const before = clock.now();
    time.pass(0, -1_000);
    for (let index = 0; index < 1_000; index++) {
      time.pass(0.0001);
      clock.now();
    }
    expect(clock.now() - before).toBeGreaterThanOrEqual(89);
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

  it('notices within a second that the wall clock jumped over the time asked for', () => {
    const time = new HandTime();
    const clock = new SystemClock(time);
    let called = false;
    clock.at(micros(clock.now() + 3_600_000_000), () => (called = true));
    time.pass(0, 3_600_000);
    time.pass(1_000);
    expect(called).toBe(true);
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
