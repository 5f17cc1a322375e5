/** Threads for backtests, and what comes back from them. The number of threads changes only the time. */
import type { Piscina } from 'piscina';
import { InvariantError, UsageError } from '../domain/errors.js';
import { ChangedStrategyError } from './strategies/strategies.js';

/** As much as the command itself has: backtests make much short-lived garbage. */
const YOUNG_MB = 192;

/** @param file the module of the thread, beside the caller; threads run the build only, they cannot load TypeScript */
export async function openThreads<Task, Result>(
  file: URL,
  threads: number,
): Promise<Piscina<Task, Answer<Result>>> {
  // Who runs everything in one thread needs no pool.
  const pools = await import('piscina');
  return new pools.Piscina({
    filename: file.href,
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
}

/** What a thread or another machine answers. Errors are values: their class is lost on the way. */
export type Answer<Result> =
  | { readonly ok: true; readonly result: Result }
  | {
      readonly ok: false;
      readonly isUsage: boolean;
      /** A strategy changed after the thread had loaded it. */
      readonly isStale: boolean;
      readonly text: string;
    };

export async function answerOf<Result>(work: Promise<Result>): Promise<Answer<Result>> {
  try {
    return { ok: true, result: await work };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const isStale = error instanceof ChangedStrategyError;
    return { ok: false, isUsage: error instanceof UsageError, isStale, text };
  }
}

/** @throws UsageError, InvariantError when the work failed */
export function resultOf<Result>(answer: Answer<Result>): Result {
  if (answer.ok) return answer.result;
  throw answer.isUsage ? new UsageError(answer.text) : new InvariantError(answer.text);
}
