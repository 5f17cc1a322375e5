/** A job in the queue: everything that a worker on another machine needs, without secrets. */
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
  /** Identity of the sending program. */
  version: z.string(),
  /** Id of the sweep: jobs of one sweep share recordings. */
  sweep: z.string(),
  key: hashSchema,
  /** Settings of the bot as JSON text, without keys. */
  configuration: z.string(),
  configurationSha256: hashSchema,
  /** Folder of the configuration file on the sending machine; names of files are relative to it. */
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

/** A sweep that sends its jobs. */
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

/** A worker refuses a job. */
export class JobRefusal extends OddsmithError {
  readonly code = 'ODDSMITH_JOB_REFUSED';
  readonly exit = EXIT.usage;
}

/** @throws JobRefusal when the job comes from another version of the program, or is damaged */
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

export const QUEUE = 'sweep';
/** Prefix of every key in Redis. */
export const PREFIX = 'oddsmith';

/** The id of a job is its key, so a job that is sent twice exists once. */
export type QueuedJob = Job<SentJob, JobAnswer | null>;

/** A result waits this long for a sender that was killed. */
const KEPT_S = 24 * 60 * 60;
/** A job may fail for a reason of one machine, such as its memory. */
const ATTEMPTS = 3;

export const JOB_OPTIONS = {
  attempts: ATTEMPTS,
  removeOnComplete: { age: KEPT_S },
  removeOnFail: { age: KEPT_S },
};

const refusalSchema = z.object({ refusal: z.string() });

/** What a worker tells the sender before it stops. */
export type WorkerRefusal = z.output<typeof refusalSchema>;

/** @returns the text of a refusal; null for other messages */
export const refusalIn = (said: unknown): string | null =>
  refusalSchema.safeParse(said).data?.refusal ?? null;
