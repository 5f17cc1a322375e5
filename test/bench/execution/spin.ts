/**
 * Work that touches no memory and takes as long as a frame is to take. What its slowest hundredth takes longer is what
 * the machine takes away from anything that runs for as long: interrupts, and the neighbours' turn.
 */
import type { Stack } from './frame-to-batch.js';

const CALIBRATION = 20_000_000;

/** @param us     median to be taken by a frame, microseconds */
export function openSpin(targets: Stack['targets'], us: number, orders: number): Stack {
  spin(CALIBRATION);
  const begun = performance.now();
  spin(CALIBRATION);
  const steps = Math.round((CALIBRATION * us) / ((performance.now() - begun) * 1_000));
  const stack: Stack = {
    targets,
    receive: () => {
      const result = spin(steps);
      // Used, so that the loop cannot be left out.
      stack.onBatch(result === 0 ? 0 : orders, performance.now());
    },
    shows: () => undefined,
    onBatch: () => undefined,
    settle: () => new Promise((resolve) => setImmediate(resolve)),
    close: () => Promise.resolve(),
  };
  return stack;
}

/** A xorshift generator that is never zero. */
function spin(steps: number): number {
  let state = 0x2545f491;
  for (let step = 0; step < steps; step++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
  return state;
}
