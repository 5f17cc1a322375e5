/** Turns a job from Redis into a job of this machine: every file that it names is looked up and compared first. */
import { join, resolve, dirname, relative } from 'node:path';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Job } from 'bullmq';
import { UsageError, EXIT, OddsmithError } from '../../../domain/errors.js';
import type { BacktestSettings, BotSettings } from '../../../settings/index.js';
import {
  BlockBudget,
  openRecording,
  RecordingError,
  type RecordingSource,
  recordingWindows,
  TapeError,
} from '../../../storage/index.js';
import type { Answer } from '../../threads.js';
import { notesHash } from '../../backtest/recording-notes.js';
import { strategyFilesOf } from '../../strategies/strategies.js';
import { batchOf, type ScreenBatch } from '../../screen/screen-batch.js';
import { jobOf, type SweepJob } from '../job.js';
import { KEPT_MOST, type TradedPiece } from '../pieces.js';
import { programIdentity } from '../../program.js';
import type { DoneJob, TakenJob } from './taken-job.js';

type StrategyHash = SentJob['strategies'][number];

export class JobTaker {
  /** @param folder where the configuration file would lie here; undefined: where it lies on the sending machine */
  constructor(
    private readonly folder: string | undefined,
    private readonly recordings = new RecordingsHere(),
  ) {}

  /** @throws JobRefusal naming what differs here */
  async take(data: unknown): Promise<TakenJob> {
    const { sent, configurations } = receivedJob(data);
    const folder = this.folder ?? sent.folder;
    const file = join(folder, 'sweep.yaml');
    const here = configurations.flatMap((settings) => strategiesHere(settings, file));
    compareStrategies(sent, here);
    const recordings = await this.recordings.of(sent, folder, tradesIn(configurations[0]!));
    const jobs = configurations.map((settings) => jobOf(settings, file, { ...sent, recordings }, 0));
    const taken = { file, recordings: recordings.map(({ shared }) => shared) };
    if (sent.kind === 'screen') {
      const batch = batchOf(jobs);
      requireSame(batch, sent);
      return { ...taken, kind: 'screen', batch };
    }
    const job = jobs[0]!;
    requireSame(job, sent);
    return { ...taken, kind: 'backtest', job };
  }
}

function requireSame({ key }: { readonly key: string }, sent: SentJob): void {
  if (key !== sent.key) throw new JobRefusal('the job would be another one here: its hash differs');
}

function tradesIn({ backtest }: BotSettings): BacktestSettings['trades'] {
  if (backtest === null) throw new JobRefusal('the configuration in Redis has no backtest section');
  return backtest.trades;
}

function strategiesHere(...given: Parameters<typeof strategyFilesOf>): readonly StrategyHash[] {
  try {
    return strategyFilesOf(...given);
  } catch (error) {
    throw error instanceof UsageError ? new JobRefusal(error.message) : error;
  }
}

function compareStrategies({ strategies }: SentJob, here: readonly StrategyHash[]): void {
  strategies.forEach(({ strategy, sha256 }, place) => {
    const found = here[place]?.sha256;
    if (found !== sha256)
      throw new JobRefusal(
        `the strategy ${strategy} differs from that of the sweep: here SHA-256 ${found ?? 'none'}, there ${sha256}`,
      );
  });
}

type Trades = BacktestSettings['trades'];
type Opening = (file: string, trades: Trades, budget: BlockBudget) => Promise<RecordingSource>;
type Named = SentJob['recordings'][number];

const openWithin: Opening = (file, trades, budget) => openRecording(file, { trades: trades.model, budget });

/** Recordings of the sweep on a worker's machine: compared with the sender's, decoded once. */
export class RecordingsHere {
  private readonly sources = new Map<string, Promise<RecordingSource>>();
  private readonly windows = new Map<string, Promise<RecordingSource>>();
  private budget = new BlockBudget(KEPT_MOST);
  private sweep = '';

  /** @param open decodes a file */
  constructor(private readonly open: Opening = openWithin) {}

  /**
   * Cuts the recordings of a job to its time. Files decoded for an earlier job of the same sweep are not read again.
   * @param folder where the configuration file would lie on this machine
   * @throws JobRefusal when a file is missing, cannot be read or differs from the sender's
   */
  async of(sent: SentJob, folder: string, trades: Trades): Promise<readonly RecordingSource[]> {
    if (sent.sweep !== this.sweep) this.forget();
    this.sweep = sent.sweep;
    return Promise.all(
      sent.recordings.map(async (named) => {
        const file = resolve(folder, named.name);
        const source = await this.source(file, named, trades);
        return this.window(keyOf(file, trades), source, sent);
      }),
    );
  }

  private forget(): void {
    this.sources.clear();
    this.windows.clear();
    this.budget = new BlockBudget(KEPT_MOST);
  }

  private window(of: string, source: RecordingSource, { from, to }: SentJob): Promise<RecordingSource> {
    const key = `${from} ${to} ${of}`;
    const cut = this.windows.get(key) ?? windowOf(source, from, to);
    this.windows.set(key, cut);
    return cut;
  }

  private async source(
    file: string,
    { sha256, notesSha256 }: Named,
    trades: Trades,
  ): Promise<RecordingSource> {
    const key = keyOf(file, trades);
    const opened = this.sources.get(key) ?? this.open(file, trades, this.budget);
    this.sources.set(key, opened);
    const source = await opened.catch((error: unknown) => {
      this.sources.delete(key);
      throw error instanceof RecordingError || error instanceof TapeError
        ? new JobRefusal(error.message)
        : error;
    });
    if (source.sha256 !== sha256)
      throw new JobRefusal(
        `${file} differs from the recording of the sweep: here SHA-256 ${source.sha256}, there ${sha256}`,
      );
    if (notesHash(file) !== notesSha256)
      throw new JobRefusal(`what markets.json beside ${file} says of it differs from what the sweep has`);
    return source;
  }
}

async function windowOf(source: RecordingSource, from: number, to: number): Promise<RecordingSource> {
  const [cut] = await recordingWindows(source, [{ from, to }]);
  if (cut) return cut;
  throw new JobRefusal(`${source.name} has nothing in the time of the job`);
}

const keyOf = (file: string, { model }: Trades): string => `${model} ${file}`;

/** A job in the queue: everything that a worker on another machine needs, without secrets. */

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

const sentJobSchema = z.strictObject({
  /** Identity of the sending program. */
  version: z.string(),
  /** Id of the sweep: jobs of one sweep share recordings. */
  sweep: z.string(),
  key: hashSchema,
  /** `backtest`: of one configuration; `screen`: of several. */
  kind: z.enum(['backtest', 'screen']),
  /** List of the bot's settings as JSON text, without keys. */
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

export const sentJob = (job: SweepJob, sweep: SendingSweep): SentJob =>
  sent('backtest', { ...job, jobs: [job] }, sweep);

export const sentScreens = (batch: ScreenBatch, sweep: SendingSweep): SentJob => sent('screen', batch, sweep);

function sent(
  kind: SentJob['kind'],
  { key, jobs, piece: place }: ScreenBatch,
  { id, file, pieces }: SendingSweep,
): SentJob {
  const piece = pieces[place]!;
  const folder = resolve(dirname(file));
  const configuration = JSON.stringify(jobs.map(({ settings }) => settings));
  return {
    version: programIdentity(),
    sweep: id,
    key,
    kind,
    configuration,
    configurationSha256: sha256(configuration),
    folder,
    strategies: jobs.flatMap(({ settings }) =>
      strategyFilesOf(settings, file).map(({ strategy, sha256: hash }) => ({ strategy, sha256: hash })),
    ),
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
function receivedJob(given: unknown): {
  readonly sent: SentJob;
  readonly configurations: readonly BotSettings[];
} {
  const version = (given as { readonly version?: unknown } | null)?.version;
  if (version !== programIdentity())
    throw new JobRefusal(
      `the sweep was started by version ${String(version)} of the program, this worker is ${programIdentity()}; use the same build, the same packages and the same Node (here ${process.version}) on every machine`,
    );
  const { success, data } = sentJobSchema.safeParse(given);
  if (!success) throw new JobRefusal('what stands in Redis is no job of a sweep');
  if (sha256(data.configuration) !== data.configurationSha256)
    throw new JobRefusal('the configuration in Redis is not the one that was sent: its hash differs');
  const configurations = JSON.parse(data.configuration) as readonly BotSettings[];
  if (configurations.length === 0) throw new JobRefusal('the job in Redis has no configuration');
  return { sent: data, configurations };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const QUEUE = 'sweep';
/** Prefix of every key in Redis. */
export const PREFIX = 'oddsmith';

/** The id of a job is its key, so a job that is sent twice exists once. */
export type QueuedJob = Job<SentJob, Answer<DoneJob> | null>;

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
