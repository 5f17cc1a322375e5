/** The queue that everyone on one Redis shares: its names, and how long things live in it. */
import type { Job } from 'bullmq';
import { z } from 'zod';
import type { JobAnswer } from '../job-answer.js';
import type { SentJob } from './sent-job.js';

export const QUEUE = 'sweep';
/** Before every key in Redis. */
export const PREFIX = 'oddsmith';

/** Its id is the hash of all that determines its result: sent twice, it is there once. */
export type QueuedJob = Job<SentJob, JobAnswer | null>;

/** A result whose sender was killed waits this long for it to come back. */
const KEPT_S = 24 * 60 * 60;
/** A job may fail for a reason of one machine, such as its memory; another one may do better. */
const ATTEMPTS = 3;

export const JOB_OPTIONS = {
  attempts: ATTEMPTS,
  removeOnComplete: { age: KEPT_S },
  removeOnFail: { age: KEPT_S },
};

const refusalSchema = z.object({ refusal: z.string() });

/** What a worker lets the sender know before it goes. */
export type WorkerRefusal = z.output<typeof refusalSchema>;

/** @returns the text of a refusal, null when something else is said */
export const refusalIn = (said: unknown): string | null =>
  refusalSchema.safeParse(said).data?.refusal ?? null;
