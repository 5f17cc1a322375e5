/** Runs scenarios in threads. Each scenario runs alone. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { BotSettings } from '../../settings/index.js';
import type { SharedRecording } from '../../storage/recordings/recording.js';
import { unlessStopped } from '../interruption.js';
import { openThreads, resultOf } from '../threads.js';
import type { ScenarioResult, ScenarioTask } from './scenario-session.js';

/** A scenario with everything that it needs, as values that can be sent. Decoded blocks are shared, not copied. */
export interface ThreadJob {
  readonly settings: BotSettings;
  /** The configuration file: strategies are found from its folder. */
  readonly file: string;
  readonly recordings: readonly SharedRecording[];
  readonly task: ScenarioTask;
  /** Told now and then how many rows were taken since the last time. */
  readonly port: MessagePort;
}

/**
 * @param onRows called now and then with the rows that a thread has taken
 * @param stop   ends all threads, with its reason
 * @returns results in the order of the jobs
 * @throws UsageError, InvariantError of the first job that failed
 */
export async function runInThreads(
  jobs: readonly Omit<ThreadJob, 'port'>[],
  threads: number,
  onRows: (rows: number) => void,
  stop?: AbortSignal,
): Promise<readonly ScenarioResult[]> {
  const file = new URL('./scenario-thread.js', import.meta.url);
  const pool = await openThreads<ThreadJob, ScenarioResult>(file, Math.min(threads, jobs.length));
  const runOn = async (job: Omit<ThreadJob, 'port'>): Promise<ScenarioResult> => {
    const { port1: heard, port2: port } = new MessageChannel();
    heard.on('message', onRows);
    try {
      return resultOf(await pool.run({ ...job, port }, { transferList: [port] }));
    } finally {
      heard.close();
    }
  };
  try {
    return await unlessStopped(Promise.all(jobs.map(runOn)), stop);
  } finally {
    await pool.destroy();
  }
}
