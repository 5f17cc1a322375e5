import { InvariantError, UsageError } from '../../domain/errors.js';
import { SettingsError } from '../../settings/index.js';
import { RecordingError, type RecordingSource } from '../../storage/index.js';
import { ChangedStrategyError } from '../strategies/strategies.js';
import { type FinishedJob, runJob, type SweepJob } from './job.js';

/** What a thread, or another machine, says of a job. */
export type JobAnswer =
  | { readonly ok: true; readonly finished: FinishedJob }
  | {
      readonly ok: false;
      readonly isUsage: boolean;
      /** Whoever ran it has loaded a strategy that is another one by now. */
      readonly isStale: boolean;
      readonly text: string;
    };

/** Runs a job where errors cannot be thrown to who asked. */
export async function answerTo(
  job: SweepJob,
  file: string,
  recordings: readonly RecordingSource[],
): Promise<JobAnswer> {
  try {
    return { ok: true, finished: await runJob(job, file, recordings) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const isUsage = [UsageError, SettingsError, RecordingError].some((kind) => error instanceof kind);
    return { ok: false, isUsage, isStale: error instanceof ChangedStrategyError, text };
  }
}

/** @throws UsageError, InvariantError when the job failed */
export function finishedOf(answer: JobAnswer): FinishedJob {
  if (answer.ok) return answer.finished;
  throw answer.isUsage ? new UsageError(answer.text) : new InvariantError(answer.text);
}
