/** Node.js takes what is asked for later than this, 24 days and 20 hours, for something to do after a millisecond. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Calls back once, after any number of milliseconds: a longer wait than Node.js knows is made of several.
 * @returns a function that cancels it
 */
export function afterDelay(delayMs: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (leftMs: number): void => {
    const next = leftMs > LONGEST_MS ? () => wait(leftMs - LONGEST_MS) : callback;
    timer = setTimeout(next, Math.min(leftMs, LONGEST_MS));
  };
  wait(delayMs);
  return () => clearTimeout(timer);
}
