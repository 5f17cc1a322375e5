import { join } from 'node:path';
import { UsageError } from '../../../domain/errors.js';
import type { BacktestSettings, BotSettings } from '../../../settings/index.js';
import { strategyFilesOf } from '../../strategies/files.js';
import { jobOf } from '../job.js';
import { RecordingsHere } from './recordings-here.js';
import type { ThreadTask } from './redis-thread.js';
import { JobRefusal, receivedJob, type SentJob } from './sent-job.js';

type StrategyHash = SentJob['strategies'][number];

/** Makes a job from Redis one of this machine: everything that it names is looked up and compared first. */
export class JobTaker {
  /** @param folder where the configuration file would lie here; undefined: where it lies on the sending machine */
  constructor(
    private readonly folder: string | undefined,
    private readonly recordings = new RecordingsHere(),
  ) {}

  /** @throws JobRefusal when something here is other than there, saying what */
  async take(data: unknown): Promise<ThreadTask> {
    const { sent, settings } = receivedJob(data);
    const folder = this.folder ?? sent.folder;
    const file = join(folder, 'sweep.yaml');
    compareStrategies(sent, strategiesHere(settings, file));
    const recordings = await this.recordings.of(sent, folder, tradesIn(settings));
    const job = jobOf(settings, file, { ...sent, recordings }, 0);
    if (job.key !== sent.key) throw new JobRefusal('the job would be another one here: its hash differs');
    return { job, file, recordings: recordings.map(({ shared }) => shared) };
  }
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
