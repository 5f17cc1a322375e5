/** The story of an order of any run that was kept: live ones from their tape, backtests by running them again. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MarketId } from '../../domain/ids.js';
import { describePlace, readRunFile, type RunFile, type RecordingSource } from '../../storage/index.js';
import type { ScenarioName } from '../../settings/index.js';
import { replayTape } from '../replay/replay.js';
import type { OrderLine, OrderStory } from './order-story.js';
import { lineOf, type OrderName, StoryTeller } from './story-teller.js';
import { UsageError } from '../../domain/errors.js';
import { type BotSettings, SettingsSource } from '../../settings/index.js';
import { programIdentity } from '../program.js';
import { strategyFilesOf } from '../strategies/strategies.js';
import { fairFileOf } from '../backtest/recorded-values.js';
import { type BacktestOptions, openAll, runBacktest, sectionOf } from '../backtest/run-backtest.js';

export interface ExplainOptions {
  /** null: only the list of all orders. */
  readonly order: OrderName | null;
  /** Of a backtest: which of its three runs. */
  readonly scenario: ScenarioName;
  /** Told of every order: once when it is asked for, once when the venue has named it. */
  readonly list?: (line: OrderLine) => void;
  readonly onRead?: (bytes: number) => void;
}

export interface Explained {
  /** null when the run knows no such order. */
  readonly story: OrderStory | null;
  /** Files that are not what they were: the story may be another one. */
  readonly changed: readonly string[];
  /** Where lines of its tape are missing, in words; null where none are. */
  readonly gap: string | null;
}

/**
 * @param path the folder of a run, or a tape
 * @throws TapeError, UsageError, and what a backtest throws
 */
export async function explainOrder(path: string, options: ExplainOptions): Promise<Explained> {
  const ticks = new Map<MarketId, number>();
  const teller = new StoryTeller(
    options.order,
    (market) => ticks.get(market) ?? 1,
    (asked, orderId) => options.list?.(lineOf(asked, orderId)),
  );
  const run = existsSync(join(path, 'run.json')) ? readRunFile(path) : null;
  const { changed, gap } =
    run?.mode === 'backtest'
      ? await fromBacktest(run, options.scenario, teller, ticks)
      : await fromTape(path, teller, ticks, options.onRead);
  return { story: teller.story, changed, gap };
}

async function fromTape(
  path: string,
  teller: StoryTeller,
  ticks: Map<MarketId, number>,
  onRead: ExplainOptions['onRead'],
): Promise<Omit<Explained, 'story'>> {
  const { changed, gap } = await replayTape(
    path,
    {
      observer: teller,
      begins: (_options, { events }) =>
        events.flatMap(({ markets }) => markets).forEach(({ id, tickUnits }) => ticks.set(id, tickUnits)),
    },
    onRead === undefined ? {} : { onRead },
  );
  return { changed, gap: gap && describePlace(gap.place) };
}

/** A backtest is the same run every time. */
async function fromBacktest(
  run: RunFile,
  scenario: ScenarioName,
  teller: StoryTeller,
  ticks: Map<MarketId, number>,
): Promise<Omit<Explained, 'story'>> {
  await runAgain(run, {
    watch: (name) => (name === scenario ? teller : null),
    onSetup: (setup) => setup.markets.forEach(({ marketId, tickUnits }) => ticks.set(marketId, tickUnits)),
  });
  return { changed: [], gap: null };
}

/** A backtest that was kept, run once more from what it kept. */

/**
 * The configuration is the one that the run kept, whatever became of its file; recordings and strategies have to be
 * what they were.
 * @throws UsageError naming what is not; RecordingError
 */
async function runAgain(run: RunFile, watching: Pick<BacktestOptions, 'watch' | 'onSetup'>): Promise<void> {
  const settings = run.configuration as BotSettings;
  refuseChangedStrategies(run, settings);
  refuseChangedValues(run, settings);
  const recordings = await recordingsOf(run, settings);
  const source = SettingsSource.parse('{}', run.configFile, {});
  const { headline } = await runBacktest({ ...watching, settings, source, recordings, runId: run.runId });
  const { decisions } = run;
  if (headline.decisions.hash === decisions?.hash && headline.decisions.count === decisions.count) return;
  throw new UsageError(
    `this program (${programIdentity()}) decides otherwise than the one that ran it (${run.program})`,
  );
}

function refuseChangedStrategies(run: RunFile, settings: BotSettings): void {
  for (const { instance, file, sha256 } of strategyFilesOf(settings, run.configFile)) {
    const before = run.strategies.find((one) => one.instance === instance);
    if (before?.sha256 !== sha256)
      throw new UsageError(
        `${file}, or what it imports, is not what it was when this ran; the run keeps the hash of a strategy alone`,
      );
  }
}

function refuseChangedValues({ fairValues, configFile }: RunFile, settings: BotSettings): void {
  if (fairValues === undefined || fairFileOf(sectionOf(settings), configFile)?.sha256 === fairValues.sha256)
    return;
  throw new UsageError(`${fairValues.file} is not what it was when this ran`);
}

async function recordingsOf({ inputs }: RunFile, settings: BotSettings): Promise<readonly RecordingSource[]> {
  for (const { file } of inputs)
    if (!existsSync(file)) throw new UsageError(`${file}, which this run traded on, is not there any more`);
  const files = inputs.map(({ file }) => file);
  const sources = await openAll(files, sectionOf(settings).trades);
  const other = sources.find(({ sha256 }, place) => sha256 !== inputs[place]!.sha256);
  if (other !== undefined) throw new UsageError(`${other.name} is not what it was when this ran`);
  return sources;
}
