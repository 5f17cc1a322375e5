import { EXIT } from '../domain/errors.js';

/** Through npm one Ctrl-C arrives twice within a millisecond: only a later one is a second one. */
const SECOND_COUNTS_AFTER_MS = 500;

/**
 * Calls `stop` on the first SIGINT or SIGTERM; a second one, at least 500 ms later, ends the process at once (130).
 * @returns takes the handlers off again
 */
export function onStopSignals(stop: (signal: string) => void, forced: () => void): () => void {
  let firstAt: number | null = null;
  const handle = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (firstAt === null) {
      firstAt = now;
      stop(signal);
    } else if (now - firstAt >= SECOND_COUNTS_AFTER_MS) {
      forced();
      process.exit(EXIT.forced);
    }
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
  return () => {
    process.off('SIGINT', handle);
    process.off('SIGTERM', handle);
  };
}
