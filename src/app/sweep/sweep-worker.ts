/** The thread that runs jobs of a sweep, one at a time. */
import { Piscina } from 'piscina';
import { UsageError } from '../../domain/errors.js';
import { SettingsError } from '../../settings/index.js';
import { openShared, RecordingError } from '../../tape/index.js';
import type { JobAnswer, ThreadInputs } from './job-threads.js';
import { runJob, type SweepJob } from './job.js';

const { file, pieces: shared } = Piscina.workerData as ThreadInputs;
const pieces = await Promise.all(shared.map((recordings) => Promise.all(recordings.map(openShared))));

export default async function run(job: SweepJob): Promise<JobAnswer> {
  try {
    return { ok: true, finished: await runJob(job, file, pieces[job.piece]!) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const isUsage = [UsageError, SettingsError, RecordingError].some((kind) => error instanceof kind);
    return { ok: false, isUsage, text };
  }
}
