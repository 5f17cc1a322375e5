import { describe, expect, it } from 'vitest';
import { micros } from '../../../../src/domain/units.js';
import { resumedClock } from '../../../../src/storage/clocks/resumed-clock.js';
import { VirtualClock } from '../../../../src/storage/clocks/virtual-clock.js';

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
