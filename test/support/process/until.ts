import { setTimeout } from 'node:timers/promises';

const INTERVAL_MS = 20;
const PATIENCE_MS = 90_000;
/** A test that stood still itself, with everything that it waits for, has not waited. */
const MOST_OF_ONE_LOOK_MS = 1_000;

/** Asks until it is so. @throws Error with what was waited for when it never is */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  let waitedMs = 0;
  for (let since = performance.now(); !(await condition()); since = performance.now()) {
    if (waitedMs > patienceMs) throw new Error(`waited in vain for ${what}`);
    await setTimeout(INTERVAL_MS);
    waitedMs += Math.min(performance.now() - since, MOST_OF_ONE_LOOK_MS);
  }
}
