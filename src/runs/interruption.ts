import { setImmediate } from 'node:timers/promises';
import { EXIT, OddsmithError } from '../domain/errors.js';

/** A person stopped what is worth nothing unless it is whole; the message says what is kept. */
export class Interrupted extends OddsmithError {
  readonly code = 'ODDSMITH_INTERRUPTED';
  readonly exit = EXIT.forced;
}

/** Lets signals be heard, and fails once there was one. */
export const breath =
  (stop?: AbortSignal): (() => Promise<void>) =>
  async () => {
    await setImmediate();
    stop?.throwIfAborted();
  };

/** Work, or the reason of the stop, whichever comes first. */
export async function unlessStopped<Result>(work: Promise<Result>, stop?: AbortSignal): Promise<Result> {
  if (stop === undefined) return work;
  let ends = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => (ends = () => reject(stop.reason as Error)));
  if (stop.aborted) ends();
  else stop.addEventListener('abort', ends, { once: true });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    stop.removeEventListener('abort', ends);
  }
}
