import { Worker, WaitingError } from 'bullmq';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { runTaken } from '../../../src/runs/sweep/redis/taken-job.js';
import { answerOf } from '../../../src/runs/threads.js';
import { JobTaker, PREFIX, QUEUE, type QueuedJob } from '../../../src/runs/sweep/redis/job-taker.js';

/** What a worker of a test was given, in its order. */
export interface TestWorker {
  readonly keys: string[];
}

/**
 * A worker in this thread, which needs no build.
 * @param before called for every job before it is run; the job is left to others when it throws
 */
export function startTestWorker(
  url: string,
  before: (job: QueuedJob) => Promise<void> | void = () => undefined,
): TestWorker {
  const client = new Redis(url, { maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const taker = new JobTaker(undefined);
  const keys: string[] = [];
  const process = async (job: QueuedJob, token?: string) => {
    keys.push(job.data.key);
    try {
      await before(job);
    } catch {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    return answerOf(runTaken(await taker.take(job.data)));
  };
  const worker = new Worker(QUEUE, process, { connection: client, prefix: PREFIX });
  worker.on('error', () => undefined);
  onTestFinished(async () => {
    await worker.close(true);
    client.disconnect();
  });
  return { keys };
}
