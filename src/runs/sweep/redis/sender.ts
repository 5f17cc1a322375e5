import type { Queue, QueueEvents } from 'bullmq';
import type { z } from 'zod';
import {
  loadRedisPackages,
  redisAddress,
  describeRedis,
  isRefusal,
  kindOfFailure,
  RedisError,
  openRedis,
  type News,
} from './connection.js';
import {
  PREFIX,
  QUEUE,
  JOB_OPTIONS,
  type QueuedJob,
  refusalIn,
  type SendingSweep,
  type SentJob,
  sentJob,
} from './job-taker.js';
import type { Environment } from '../../../settings/index.js';
import { resultOf } from '../../threads.js';
import { type SweepJob, finishedJobSchema, type FinishedJob } from '../job.js';
import { InvariantError } from '../../../domain/errors.js';

export interface RedisRunning<Work, Done> extends SendOptions<Work, Done> {
  /** `redis://...` */
  readonly redis: string;
  /** May have the password. */
  readonly environment: Environment;
  /** Attempts to restore a lost connection. */
  readonly attempts?: number;
}

/** Backtests of a sweep, by workers on any machine. @throws as {@link runOnRedis} */
export const runJobsOnRedis = (
  jobs: readonly SweepJob[],
  running: SendingSweep & Omit<RedisRunning<SweepJob, FinishedJob>, 'sentOf' | 'schema'>,
): Promise<void> =>
  runOnRedis(jobs, { ...running, sentOf: (job) => sentJob(job, running), schema: finishedJobSchema });

/**
 * Has workers on any machine run the jobs. `onFinished` is called once for each job, whatever happens to workers or the
 * connection.
 * @throws UsageError, InvariantError of a job that failed; RedisError when Redis cannot be used; what `stop` was
 * aborted with
 */
export async function runOnRedis<Work extends Keyed, Done extends Keyed>(
  jobs: readonly Work[],
  running: RedisRunning<Work, Done>,
): Promise<void> {
  if (jobs.length === 0) return;
  const address = redisAddress(running.redis, running.environment);
  const packages = await loadRedisPackages();
  const link = await openRedis(packages, { ...running, address });
  const options = { prefix: PREFIX, connection: link.client };
  const queue = new packages.bullmq.Queue(QUEUE, options);
  const events = new packages.bullmq.QueueEvents(QUEUE, options);
  // The link reports connection errors.
  queue.on('error', () => undefined);
  events.on('error', () => undefined);
  const sender = new JobSender(jobs, running, queue, events);
  try {
    await Promise.race([sender.run(), link.gone]);
  } catch (error) {
    const kind = kindOfFailure(error);
    throw isRefusal(kind) ? new RedisError(describeRedis(address.shown, kind), { cause: error }) : error;
  } finally {
    sender.rest();
    if (link.client.status === 'ready') await sender.withdraw();
    link.close();
    await Promise.allSettled([queue.close(), events.close()]);
  }
}

/** Jobs in Redis at one time. The others wait here, so that a large sweep needs little memory there. */
const SENT_MOST = 400;
/** Events may be lost, so the queue is also polled. */
const LOOK_MS = 2_000;

interface Keyed {
  readonly key: string;
}

export interface SendOptions<Work, Done> {
  /** The job as it is sent. */
  readonly sentOf: (job: Work) => SentJob;
  /** Of what comes back. */
  readonly schema: z.ZodType<Done>;
  readonly onFinished: (finished: Done, job: Work) => void;
  readonly onNews: News;
  /** Ends the sweep early. Waiting jobs are taken back; workers finish theirs. */
  readonly stop?: AbortSignal | undefined;
}

/** Keeps the queue filled and takes every result once. */
class JobSender<Work extends Keyed, Done extends Keyed> {
  private readonly unsent: Work[];
  private readonly sent = new Map<string, Work>();
  private readonly failure = new AbortController();
  private filling: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private workers = -1;
  private finish: () => void = () => undefined;

  constructor(
    jobs: readonly Work[],
    private readonly options: SendOptions<Work, Done>,
    private readonly queue: Queue,
    private readonly events: QueueEvents,
  ) {
    this.unsent = [...jobs];
  }

  /** Resolves when every job is finished. @throws the error of the first failed job */
  async run(): Promise<void> {
    const { stop } = this.options;
    stop?.throwIfAborted();
    const ended = new Promise<void>((resolve, reject) => {
      this.finish = resolve;
      for (const signal of [this.failure.signal, stop])
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    ended.catch(() => undefined);
    await this.events.waitUntilReady();
    this.events.on('completed', ({ jobId }) => this.attempt(() => this.lookAt(jobId)));
    this.events.on('failed', ({ jobId }) => this.attempt(() => this.lookAt(jobId)));
    this.events.on('progress', ({ jobId, data }) => this.hear(jobId, data));
    this.timer = setInterval(() => this.attempt(() => this.lookAround()), LOOK_MS);
    this.attempt(() => this.lookAround());
    this.fill();
    await ended;
  }

  /** Stops polling. */
  rest(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.events.removeAllListeners();
    this.events.on('error', () => undefined);
    this.unsent.length = 0;
  }

  /** Takes back waiting jobs. */
  async withdraw(): Promise<void> {
    await this.filling;
    await Promise.allSettled([...this.sent.keys()].map((key) => this.queue.remove(key)));
  }

  private attempt(act: () => Promise<void>): void {
    act().catch((error: unknown) => this.failure.abort(error));
  }

  private fill(): void {
    this.filling = this.filling.then(() => this.send()).catch((error: unknown) => this.failure.abort(error));
  }

  private async send(): Promise<void> {
    const jobs = this.unsent.splice(0, SENT_MOST - this.sent.size);
    if (jobs.length === 0) return;
    for (const job of jobs) this.sent.set(job.key, job);
    await Promise.all(jobs.map((job) => this.forgetFailure(job.key)));
    await this.add(jobs);
    await Promise.all(jobs.map(({ key }) => this.lookAt(key)));
  }

  private async add(jobs: readonly Work[]): Promise<void> {
    await this.queue.addBulk(
      jobs.map((job) => {
        const data = this.options.sentOf(job);
        return { name: data.kind, data, opts: { ...JOB_OPTIONS, jobId: job.key } };
      }),
    );
  }

  /** Removes the failure of an earlier attempt whose sender was killed. */
  private async forgetFailure(key: string): Promise<void> {
    const known = await this.found(key);
    if (known?.finishedOn !== undefined && known.returnvalue?.ok !== true) await known.remove();
  }

  private found = (key: string): Promise<QueuedJob | undefined> =>
    this.queue.getJob(key) as Promise<QueuedJob | undefined>;

  private async lookAround(): Promise<void> {
    await Promise.all([...this.sent.keys()].map((key) => this.lookAt(key)));
    const workers = await this.queue.getWorkersCount();
    if (workers !== this.workers) this.options.onNews(workersSentence(workers));
    this.workers = workers;
  }

  /** Takes the result of a job that has one; sends it again when Redis has forgotten it. */
  private async lookAt(key: string): Promise<void> {
    if (!this.sent.has(key)) return;
    const found = await this.found(key);
    const job = this.sent.get(key);
    if (job === undefined) return;
    if (found === undefined) return this.add([job]);
    if (found.finishedOn === undefined) return;
    this.take(job, found);
    // Another sender may have removed the job already.
    await found.remove().catch(() => undefined);
  }

  private take(job: Work, { returnvalue, failedReason }: QueuedJob): void {
    this.sent.delete(job.key);
    if (returnvalue === null)
      throw new InvariantError(`a backtest failed on every worker that tried it: ${failedReason}`);
    const finished = this.options.schema.parse(resultOf(returnvalue));
    if (finished.key !== job.key) throw new InvariantError('a worker answered for another job');
    this.options.onFinished(finished, job);
    if (this.sent.size === 0 && this.unsent.length === 0) this.finish();
    else this.fill();
  }

  private hear(jobId: string, said: unknown): void {
    const refusal = refusalIn(said);
    if (refusal !== null && this.sent.has(jobId)) this.options.onNews(refusal);
  }
}

const workersSentence = (workers: number): string =>
  workers === 0
    ? 'no worker is there; start one with: oddsmith sweep worker --redis redis://...'
    : `${workers} worker${workers === 1 ? '' : 's'}`;
