import type { Clock } from '../../core/ports/clock.js';
import type { Micros } from '../../domain/units.js';

/** Resolves after this time, or at the signal. */
export function pauseFor(clock: Pick<Clock, 'now' | 'at'>, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      // A signal that lives as long as the program would keep every pause.
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.at((clock.now() + ms * 1_000) as Micros, end);
    signal.addEventListener('abort', end);
  });
}
