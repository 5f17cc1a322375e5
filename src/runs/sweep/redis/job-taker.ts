/** Turns a job from Redis into a job of this machine: every file that it names is looked up and compared first. */
import { join, resolve } from 'node:path';
import { UsageError } from '../../../domain/errors.js';
import type { BacktestSettings, BotSettings } from '../../../settings/index.js';
import {
  BlockBudget,
  openRecording,
  RecordingError,
  type RecordingSource,
  recordingWindows,
  TapeError,
} from '../../../storage/index.js';
import { notesHash } from '../../backtest/recording-notes.js';
import { strategyFilesOf } from '../../strategies/strategies.js';
import { jobOf } from '../job.js';
import type { ThreadTask } from '../job-threads.js';
import { KEPT_MOST } from '../pieces.js';
import { JobRefusal, receivedJob, type SentJob } from './queued-job.js';

type StrategyHash = SentJob['strategies'][number];

export class JobTaker {
  /** @param folder where the configuration file would lie here; undefined: where it lies on the sending machine */
  constructor(
    private readonly folder: string | undefined,
    private readonly recordings = new RecordingsHere(),
  ) {}

  /** @throws JobRefusal naming what differs here */
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
