import { Interrupted } from '../runs/interruption.js';
import { hearStopSignals } from './signals.js';

/**
 * Work that is worth nothing unless it is whole.
 * @param lastWords what a person who stops it is told: what is written and what is not
 * @param work      given what is aborted by a signal; it takes away what it wrote and rejects with the reason
 * @throws Interrupted after a signal
 */
export async function interruptible<Result>(
  lastWords: string,
  work: (stop: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const signals = hearStopSignals('stopped at once; files that end in .new are worth nothing');
  signals.onStop(() => stop.abort(new Interrupted(`interrupted: ${lastWords}`)));
  try {
    return await work(stop.signal);
  } finally {
    // After a signal its double may still come.
    if (!stop.signal.aborted) signals.release();
  }
}
