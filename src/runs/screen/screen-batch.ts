/** Configurations that are screened together on one piece, wherever that happens. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { RecordingSource } from '../../storage/index.js';
import { requireStrategies, type SweepJob } from '../sweep/job.js';
import { screenPiece } from './screen-piece.js';

/** Jobs on one piece. */
export interface ScreenBatch {
  /** Hash of everything that determines the result, as of the jobs. */
  readonly key: string;
  readonly piece: number;
  readonly jobs: readonly SweepJob[];
}

export const finishedScreensSchema = z.strictObject({
  key: z.string(),
  /** By configuration, then by scenario. */
  totals: z.array(
    z.array(z.strictObject({ profit: z.number(), fills: z.number(), faults: z.array(z.string()) })),
  ),
});
export type FinishedScreens = z.output<typeof finishedScreensSchema>;

/** Most configurations of a batch: they share what is worked out once, and a worker that is lost has lost no more. */
const TOGETHER = 16;

/** @param jobs of one piece */
export const batchOf = (jobs: readonly SweepJob[]): ScreenBatch => ({
  key: createHash('sha256')
    .update(JSON.stringify(['screen', ...jobs.map(({ key }) => key)]))
    .digest('hex'),
  piece: jobs[0]!.piece,
  jobs,
});

/** Each distinct job in one batch. @param threads each gets something of every piece */
export function batchesOf(jobs: readonly SweepJob[], threads = 1): readonly ScreenBatch[] {
  const distinct = [...new Map(jobs.map((job) => [job.key, job])).values()];
  const pieces = [...new Set(distinct.map(({ piece }) => piece))];
  return pieces.flatMap((piece) => {
    const ofPiece = distinct.filter((job) => job.piece === piece);
    const size = Math.min(TOGETHER, Math.ceil(ofPiece.length / threads));
    return Array.from({ length: Math.ceil(ofPiece.length / size) }, (_, at) =>
      batchOf(ofPiece.slice(at * size, (at + 1) * size)),
    );
  });
}

/** @throws SettingsError, RecordingError, UsageError; ChangedStrategyError when a strategy changed since the keys were made */
export async function runBatch(
  { key, jobs }: ScreenBatch,
  file: string,
  recordings: readonly RecordingSource[],
): Promise<FinishedScreens> {
  const totals = await screenPiece(
    jobs.map(({ settings }) => settings),
    file,
    recordings,
  );
  for (const { settings, strategies } of jobs) requireStrategies(strategies, settings, file);
  const plain = totals.map((ofOne) =>
    ofOne.map(({ profit, fills, faults }) => ({ profit, fills, faults: [...faults] })),
  );
  return { key, totals: plain };
}
