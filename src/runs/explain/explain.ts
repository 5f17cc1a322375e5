/** The story of an order of any run that was kept: live ones from their tape, backtests by running them again. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MarketId } from '../../domain/ids.js';
import { describePlace, readRunFile, type RunFile } from '../../storage/index.js';
import { runAgain } from '../backtest/run-again.js';
import type { ScenarioName } from '../backtest/scenario-names.js';
import { replayTape } from '../replay/replay.js';
import type { OrderLine, OrderStory } from './order-story.js';
import { type OrderName, StoryTeller } from './story-teller.js';

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
  const teller = new StoryTeller(options.order, (market) => ticks.get(market) ?? 1, options.list);
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
    onStage: (stage) => stage.markets.forEach(({ marketId, tickUnits }) => ticks.set(marketId, tickUnits)),
  });
  return { changed: [], gap: null };
}
