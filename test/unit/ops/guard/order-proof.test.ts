import { describe, expect, it } from 'vitest';
import { LostRequests } from '../../../../src/ops/guard/order-proof.js';
import { type Micros, micros } from '../../../../src/domain/units.js';
import { type JournalWork, lostOrder } from '../../../../src/core/execution/orders/left-behind.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';
import { limitOrder } from '../../../support/orders/order-scenario.js';

const SECOND = 1_000_000;
const START = 1_000 * SECOND;
const WINDOW = 65 * SECOND;

/** Requests that were asked for so many seconds after the start of the test. */
const lostAt = (...seconds: readonly number[]): JournalWork => ({
  named: new Set(),
  lost: seconds.map((after) => lostOrder(limitOrder(40, 10), micros(START + after * SECOND))),
});

function scene() {
  const clock = new LeapingClock(micros(START));
  const asked = new LostRequests(WINDOW, clock);
  /** Seconds from now. */
  const left = (work: JournalWork): number => (asked.mayActUntil(work) - clock.monotonic()) / SECOND;
  const wait = (seconds: number): void =>
    clock.advanceTo(micros(START + clock.monotonic() + seconds * SECOND));
  return { clock, left, wait };
}

/** Somebody sets it. */
class LeapingClock extends VirtualClock {
  leapt = 0;

  override now(): Micros {
    return micros(super.now() + this.leapt);
  }
}

describe('the last request whose effect is not known', () => {
  it('may act until the clock window after it was asked for', () => {
    const { left, wait } = scene();
    expect(left(lostAt(-100, -10))).toBe(55);
    wait(20);
    expect(left(lostAt(-100, -10))).toBe(35);
  });

  it('may act no shorter because our clock is set while it is waited for', () => {
    const { clock, left, wait } = scene();
    expect(left(lostAt(-10))).toBe(55);
    for (const by of [600, -600]) {
      clock.leapt = by * SECOND;
      wait(10);
    }
    expect(left(lostAt(-10))).toBe(35);
  });

  it('is none where there is none', () => {
    expect(scene().left(lostAt())).toBeLessThan(0);
  });

  it('counts as asked for when it was read first where its clock was ahead of ours', () => {
    const { left, wait } = scene();
    expect(left(lostAt(3_600))).toBe(65);
    wait(60);
    expect(left(lostAt(3_600))).toBe(5);
    expect(left(lostAt(3_600, 3_500))).toBe(65);
    wait(30);
    expect(left(lostAt(3_600, 3_500, 85))).toBe(60);
  });
});
