/** Screens configurations on one piece of recordings, under all scenarios in one pass. */
import { type BotSettings, type ScenarioName, SCENARIOS, SettingsSource } from '../../settings/index.js';
import type { RecordingSource } from '../../storage/index.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { type BacktestSetup, setupOf } from '../backtest/backtest-setup.js';
import { MergedRecordings } from '../backtest/merged-recordings.js';
import { sectionOf } from '../backtest/run-backtest.js';
import { latencyOf, liquidityOf } from '../backtest/scenario-session.js';
import { engineOptionsOf } from '../live/engine-options.js';
import { Screen, type ScreenTotals } from './screen.js';
import { type Looked, Steps } from './steps.js';

/** Screens that play the same steps, with the places of their configurations. */
interface Group {
  readonly setup: BacktestSetup;
  readonly steps: Steps;
  readonly screens: { readonly place: number; readonly screen: Screen }[];
}

/** Rows that all screens take after one another: few enough to stay near. */
const ROWS = 512;

/**
 * @param file  the configuration file: strategies are found from its folder
 * @param pause awaited now and then; what it throws ends the work
 * @returns by configuration its totals in the order of the scenarios
 * @throws SettingsError, RecordingError, UsageError
 */
export async function screenPiece(
  configurations: readonly BotSettings[],
  file: string,
  recordings: readonly RecordingSource[],
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<readonly (readonly ScreenTotals[])[]> {
  const source = SettingsSource.parse('{}', file, {});
  const groups = new Map<string, Group>();
  for (const [place, settings] of configurations.entries()) {
    const setup = setupOf(settings, sectionOf(settings), recordings);
    const { markets, backtest, exchange } = setup;
    const { latency } = backtest;
    const key = JSON.stringify([markets, latency, exchange.topN, settings.seed, settings.currencyMode]);
    const group = groups.get(key) ?? { setup, steps: stepsOf(setup), screens: [] };
    groups.set(key, group);
    for (const scenario of SCENARIOS) {
      const screen = await openScreen(setup, source, scenario, group.steps.looked);
      group.screens.push({ place, screen });
    }
  }
  const totals = configurations.map((): ScreenTotals[] => []);
  for (const { setup, steps, screens } of groups.values()) {
    for await (const range of new MergedRecordings(recordings, setup.markets).ranges()) {
      const { rows, to } = range;
      for (let from = range.from; from < to; from += ROWS) {
        const taken = steps.take({ rows, from, to: Math.min(to, from + ROWS) });
        for (const { screen } of screens) screen.take(taken);
      }
      await pause();
    }
    const last = steps.finish();
    for (const { place, screen } of screens) {
      screen.take(last);
      totals[place]!.push(screen.finish());
    }
  }
  return totals;
}

export function stepsOf({ settings, backtest, markets, exchange: { topN } }: BacktestSetup): Steps {
  const latency = latencyOf(backtest.latency, seededRandom(settings.seed).fork('latency'));
  return new Steps({ markets, topN, mode: settings.currencyMode, latency });
}

/** As the engine's scheduler has it. */
const COPY_MARGIN_MS = 200;

/** Opens the screen of one scenario. @throws SettingsError, UsageError for strategies that cannot be loaded */
export async function openScreen(
  { settings, venue, exchange, backtest, markets, start, closes }: BacktestSetup,
  source: SettingsSource,
  scenario: ScenarioName,
  looked: Looked,
): Promise<Screen> {
  const random = seededRandom(settings.seed);
  const fills = backtest.scenarios[scenario];
  const engine = await engineOptionsOf({
    settings,
    venue,
    source,
    runId: 'screen',
    random: random.fork('engine'),
    isOffline: true,
    recordedCloses: closes,
  });
  // The engine reads at the venue when betting ends.
  const ends = new Map(exchange.events.map(({ id, betEnd }) => [String(id), betEnd]));
  const events = engine.events.map((event) => ({ ...event, betEnd: ends.get(event.id) ?? null }));
  return new Screen({
    engine: { ...engine, events },
    topN: exchange.topN,
    markets,
    latency: latencyOf(backtest.latency, random.fork('latency')),
    liquidity: liquidityOf(fills),
    crossing: fills.crossing,
    balance: backtest.balance,
    start,
    copiesAfterMs: backtest.duplicateWindowMs === 0 ? 0 : backtest.duplicateWindowMs + COPY_MARGIN_MS,
    looked,
  });
}
