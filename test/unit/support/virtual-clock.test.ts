import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../../src/domain/errors.js';
import { micros } from '../../../src/domain/units.js';
import { VirtualClock } from '../../support/clocks/virtual-clock.js';

const START = micros(1_000);

/** A clock with callbacks at these times, each leaving its name. */
function clockWith(times: readonly number[]): { clock: VirtualClock; log: string[] } {
  const clock = new VirtualClock(START);
  const log: string[] = [];
  times.forEach((time, index) => clock.at(micros(time), () => log.push(`${index}@${clock.now()}`)));
  return { clock, log };
}

describe('the virtual clock', () => {
  it('runs callbacks in order of time, and those of one time in order of registration', () => {
    const { clock, log } = clockWith([1_300, 1_100, 1_300, 1_100]);
    clock.advanceTo(micros(2_000));
    expect(log).toEqual(['1@1100', '3@1100', '0@1300', '2@1300']);
    expect(clock.now()).toBe(2_000);
    expect(clock.monotonic()).toBe(1_000);
  });

  it('stops before what is not due yet', () => {
    const { clock, log } = clockWith([1_100, 1_101]);
    clock.advanceTo(micros(1_100));
    expect(log).toEqual(['0@1100']);
    expect(clock.nextAt).toBe(1_101);
  });

  it('runs what callbacks ask for within the same move', () => {
    const clock = new VirtualClock(START);
    const log: number[] = [];
    const beat = (): void => {
      log.push(clock.now());
      clock.at(micros(clock.now() + 100), beat);
    };
    beat();
    clock.advanceTo(micros(1_350));
    expect(log).toEqual([1_000, 1_100, 1_200, 1_300]);
  });

  it('treats a time in the past as due at the next move, without going back', () => {
    const { clock, log } = clockWith([5]);
    clock.advanceTo(START);
    expect(log).toEqual(['0@1000']);
  });

  it('forgets what was cancelled', () => {
    const { clock, log } = clockWith([1_200]);
    const cancel = clock.at(micros(1_100), () => log.push('cancelled'));
    cancel();
    expect(clock.nextAt).toBe(1_200);
    clock.advanceTo(micros(1_200));
    expect(log).toEqual(['0@1200']);
    expect(clock.nextAt).toBeNull();
  });

  it('stands at the last callback after running until idle', () => {
    const { clock } = clockWith([1_100, 1_700]);
    clock.runUntilIdle(micros(9_000));
    expect(clock.now()).toBe(1_700);
  });

  it('leaves what is due after the limit of running until idle', () => {
    const { clock, log } = clockWith([1_100, 1_700]);
    clock.runUntilIdle(micros(1_500));
    expect(log).toEqual(['0@1100']);
  });

  it('refuses to be moved from within a callback, and works again afterwards', () => {
    const { clock, log } = clockWith([1_200]);
    clock.at(micros(1_100), () => clock.advanceTo(micros(1_900)));
    expect(() => clock.advanceTo(micros(2_000))).toThrow(InvariantError);
    clock.advanceTo(micros(2_000));
    expect(log).toEqual(['0@1200']);
  });
});
