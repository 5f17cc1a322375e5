/** Runs scenarios in threads. Each scenario runs alone, so the number of threads changes only the time. */
import { Worker } from 'node:worker_threads';
import { InvariantError, UsageError } from '../../domain/errors.js';
import type { BotSettings } from '../../settings/index.js';
import type { RecordingSource, SharedRecording } from '../../storage/index.js';
import { unlessStopped } from '../interruption.js';
import type { ScenarioResult, ScenarioTask } from './scenario-session.js';

/** What every scenario of a backtest needs, as values that can be sent. Decoded blocks are shared, not copied. */
export interface ThreadSetting {
  readonly settings: BotSettings;
  /** The configuration file: strategies are found from its folder. */
  readonly file: string;
  readonly recordings: readonly SharedRecording[];
}

/** A setting with one of its scenarios. */
export interface ThreadJob extends ThreadSetting {
  readonly task: ScenarioTask;
}

/** What a thread sends back at the end. */
export type ThreadAnswer =
  | { readonly ok: true; readonly result: ScenarioResult }
  | { readonly ok: false; readonly isUsage: boolean; readonly text: string };

/** What a thread sends now and then: rows taken since the last message. */
export interface ThreadProgress {
  readonly rows: number;
}

/** Recordings in the form that threads get. */
export const sharedRecordings = (recordings: readonly RecordingSource[]): readonly SharedRecording[] =>
  recordings.map(({ shared }) => shared);

/**
 * Runs jobs on so many threads.
 * @param onRows called now and then with the rows that a thread has taken
 * @param stop   ends all threads, with its reason
 * @returns results in the order of the jobs
 * @throws UsageError, InvariantError of the first job that failed
 */
export async function runInThreads(
  jobs: readonly ThreadJob[],
  threads: number,
  onRows: (rows: number) => void,
  stop?: AbortSignal,
): Promise<readonly ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  const waiting = jobs.map((job, place) => ({ job, place }));
  const workers = Array.from({ length: Math.min(threads, jobs.length) }, openWorker);
  const workOff = async (worker: Worker): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results[next.place] = await runOn(worker, next.job, onRows);
  };
  try {
    await unlessStopped(Promise.all(workers.map(workOff)), stop);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return results;
}

/** Threads run the build only: they cannot load TypeScript. */
const openWorker = (): Worker => new Worker(new URL('./scenario-thread.js', import.meta.url));

async function runOn(
  worker: Worker,
  job: ThreadJob,
  onRows: (rows: number) => void,
): Promise<ScenarioResult> {
  const answer = await answerOf(worker, job, onRows);
  if (answer.ok) return answer.result;
  throw answer.isUsage ? new UsageError(answer.text) : new InvariantError(answer.text);
}

function answerOf(worker: Worker, job: ThreadJob, onRows: (rows: number) => void): Promise<ThreadAnswer> {
  return new Promise((resolve, reject) => {
    const heard = (said: ThreadAnswer | ThreadProgress): void => {
      if ('rows' in said) return onRows(said.rows);
      worker.off('error', reject);
      worker.off('message', heard);
      resolve(said);
    };
    worker.on('message', heard);
    worker.once('error', reject);
    worker.postMessage(job);
  });
}
