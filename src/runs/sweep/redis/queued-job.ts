/** A job as it travels: all that a worker on another machine needs, and nothing secret. */
import { createHash } from 'node:crypto';
import { dirname, relative, resolve } from 'node:path';
import { z } from 'zod';
import type { Job } from 'bullmq';
import { EXIT, OddsmithError } from '../../../domain/errors.js';
import type { BotSettings } from '../../../settings/index.js';
import { programIdentity } from '../../program.js';
import { strategyFilesOf } from '../../strategies/strategies.js';
import { notesHash } from '../../backtest/recording-notes.js';
import type { SweepJob, JobAnswer } from '../job.js';
import type { TradedPiece } from '../pieces.js';

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

const sentJobSchema = z.strictObject({
  /** Of the program that sends it, with the hash of its code. */
  version: z.string(),
  /** Id of the sweep: jobs of one sweep share recordings. */
  sweep: z.string(),
  key: hashSchema,
  /** Settings of the bot as JSON text, without keys. */
  configuration: z.string(),
  configurationSha256: hashSchema,
  /** Where the configuration file lies on the sending machine: names of files below are relative to it. */
  folder: z.string(),
  strategies: z.array(z.strictObject({ strategy: z.string(), sha256: hashSchema })),
  recordings: z.array(
    z.strictObject({ name: z.string(), sha256: hashSchema, notesSha256: hashSchema.nullable() }),
  ),
  event: z.string(),
  /** Microseconds. */
  from: z.number(),
  to: z.number(),
});

export type SentJob = z.output<typeof sentJobSchema>;

/** A sweep whose jobs travel. */
export interface SendingSweep {
  readonly id: string;
  /** The configuration file. */
  readonly file: string;
  /** By place, as jobs name them. */
  readonly pieces: readonly TradedPiece[];
}

export function sentJob(
  { key, settings, piece: place }: SweepJob,
  { id, file, pieces }: SendingSweep,
): SentJob {
  const piece = pieces[place]!;
  const folder = resolve(dirname(file));
  const configuration = JSON.stringify(settings);
  return {
    version: programIdentity(),
    sweep: id,
    key,
    configuration,
    configurationSha256: sha256(configuration),
    folder,
    strategies: strategyFilesOf(settings, file).map(({ strategy, sha256: hash }) => ({
      strategy,
      sha256: hash,
    })),
    recordings: piece.recordings.map(({ name, sha256: hash }) => ({
      name: relative(folder, name),
      sha256: hash,
      notesSha256: notesHash(name),
    })),
    event: piece.event,
    from: piece.from,
    to: piece.to,
  };
}

/** What a worker may say of a job that it does not want. */
export class JobRefusal extends OddsmithError {
  readonly code = 'ODDSMITH_JOB_REFUSED';
  readonly exit = EXIT.usage;
}

/** @throws JobRefusal when it comes from another version of the program, or is damaged */
export function receivedJob(given: unknown): { readonly sent: SentJob; readonly settings: BotSettings } {
  const version = (given as { readonly version?: unknown } | null)?.version;
  if (version !== programIdentity())
    throw new JobRefusal(
      `the sweep was started by version ${String(version)} of the program, this worker is ${programIdentity()}; use the same build, the same packages and the same Node (here ${process.version}) on every machine`,
    );
  const { success, data } = sentJobSchema.safeParse(given);
  if (!success) throw new JobRefusal('what stands in Redis is no job of a sweep');
  if (sha256(data.configuration) !== data.configurationSha256)
    throw new JobRefusal('the configuration in Redis is not the one that was sent: its hash differs');
  return { sent: data, settings: JSON.parse(data.configuration) as BotSettings };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The queue that everyone on one Redis shares: its names, and how long things live in it. */

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
