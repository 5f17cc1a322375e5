import { Worker } from 'node:worker_threads';
import type { ExchangeConfig } from '../../../exchange/contract.js';

export interface SnapshotTask {
  readonly dir: string;
  readonly config: ExchangeConfig;
  /** Of the command after which the snapshot is; it ended a file. */
  readonly sequence: number;
}

/** A snapshot under way. */
export interface SnapshotUnderWay {
  /** Rejects with what went wrong; the folder is as good as before then. */
  readonly made: Promise<void>;
  /** Gives it up. */
  stop(): Promise<unknown>;
}

/** Makes a snapshot in a thread of its own, so that no request waits for it. */
export function startSnapshotThread(task: SnapshotTask): SnapshotUnderWay {
  const worker = new Worker(new URL('./snapshot-worker.js', import.meta.url), { workerData: task });
  const made = new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`the thread ended with ${code}`)),
    );
  });
  return { made, stop: () => worker.terminate() };
}
