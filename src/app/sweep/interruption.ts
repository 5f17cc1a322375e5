import { setImmediate } from 'node:timers/promises';
import { OddsmithError } from '../../domain/errors.js';

/** A person stopped the sweep; what is finished is kept. */
export class SweepInterrupted extends OddsmithError {
  readonly code = 'ODDSMITH_INTERRUPTED';
}

/** Lets signals be heard, and fails once there was one. */
export const breath =
  (stop: AbortSignal): (() => Promise<void>) =>
  async () => {
    await setImmediate();
    stop.throwIfAborted();
  };

/** Work, or the reason of the stop, whichever comes first. */
export const unlessStopped = <Result>(work: Promise<Result>, stop: AbortSignal): Promise<Result> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const ends = (): void => reject(stop.reason as Error);
      if (stop.aborted) ends();
      else stop.addEventListener('abort', ends, { once: true });
    }),
  ]);
