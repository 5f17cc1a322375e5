import { setTimeout } from 'node:timers/promises';

const INTERVAL_MS = 20;
const PATIENCE_MS = 90_000;

/** Asks until it is so. @throws Error with what was waited for when it never is */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const since = performance.now();
  while (!(await condition())) {
    if (performance.now() - since > patienceMs) throw new Error(`waited in vain for ${what}`);
    await setTimeout(INTERVAL_MS);
  }
}
