import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';

/** How often a bot shows that its event loop turns. */
const BEAT_MS = 250;

/** Calls back at every beat of the event loop. @returns a function that ends it */
export function startPulse(clock: Clock, beat: () => void): () => void {
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = clock.at((clock.now() + BEAT_MS * 1_000) as Micros, () => {
      next();
      beat();
    });
  };
  next();
  return () => cancel();
}
