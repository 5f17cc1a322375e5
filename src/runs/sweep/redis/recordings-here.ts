/** The recordings of a sweep on the machine of a worker: compared with those of the sender, decoded once. */
import { resolve } from 'node:path';
import type { BacktestSettings } from '../../../settings/index.js';
import {
  BlockBudget,
  openRecording,
  RecordingError,
  type RecordingSource,
  recordingWindows,
  TapeError,
} from '../../../storage/index.js';
import { notesHash } from '../../backtest/recording-notes.js';
import { KEPT_MOST } from '../pieces.js';
import { JobRefusal, type SentJob } from './sent-job.js';

type Trades = BacktestSettings['trades'];
type Opening = (file: string, trades: Trades, budget: BlockBudget) => Promise<RecordingSource>;
type Named = SentJob['recordings'][number];

const openWithin: Opening = (file, trades, budget) => openRecording(file, { trades: trades.model, budget });

export class RecordingsHere {
  private readonly sources = new Map<string, Promise<RecordingSource>>();
  private readonly windows = new Map<string, Promise<RecordingSource>>();
  private budget = new BlockBudget(KEPT_MOST);
  private sweep = '';

  /** @param open decodes a file */
  constructor(private readonly open: Opening = openWithin) {}

  /**
   * The stretch of time of a job. Files that were decoded for an earlier job of the same sweep are not read again.
   * @param folder where the configuration file would lie on this machine
   * @param trades which trades there were
   * @throws JobRefusal when a file is not there, cannot be read or is another than the sender's
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
