import { setImmediate } from 'node:timers/promises';
import type { VirtualClock } from '../clocks/virtual-clock.js';

/** Turns virtual time on until the promise has settled. @throws Error when it waits for nothing that time brings */
export async function untilSettled<Result>(clock: VirtualClock, promise: Promise<Result>): Promise<Result> {
  let isSettled = false;
  const settled = promise.finally(() => (isSettled = true));
  settled.catch(() => undefined);
  for (let idle = 0; idle < 100; idle++) {
    await setImmediate();
    if (isSettled) return settled;
    const next = clock.nextAt;
    if (next === null) continue;
    clock.advanceTo(next);
    idle = 0;
  }
  throw new Error('nothing is left that could settle it');
}
