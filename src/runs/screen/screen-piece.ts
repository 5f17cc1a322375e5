/** Screens one configuration on one piece of recordings, under all scenarios in one pass. */
import { type BotSettings, type ScenarioName, SCENARIOS, SettingsSource } from '../../settings/index.js';
import type { RecordingSource } from '../../storage/index.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { type BacktestSetup, setupOf } from '../backtest/backtest-setup.js';
import { MergedRecordings } from '../backtest/merged-recordings.js';
import { sectionOf } from '../backtest/run-backtest.js';
import { latencyOf, liquidityOf } from '../backtest/scenario-session.js';
import { engineOptionsOf } from '../live/engine-options.js';
import { Screen, type ScreenTotals } from './screen.js';

/**
 * @param file the configuration file: strategies are found from its folder
 * @returns totals in the order of the scenarios
 * @throws SettingsError, RecordingError, UsageError
 */
export async function screenPiece(
  settings: BotSettings,
  file: string,
  recordings: readonly RecordingSource[],
): Promise<readonly ScreenTotals[]> {
  const source = SettingsSource.parse('{}', file, {});
  const setup = setupOf(settings, sectionOf(settings), recordings);
  const screens = await Promise.all(SCENARIOS.map((scenario) => openScreen(setup, source, scenario)));
  for await (const range of new MergedRecordings(recordings, setup.markets).ranges())
    for (const screen of screens) screen.take(range);
  return screens.map((screen) => screen.finish());
}

/** As the engine's scheduler has it. */
const COPY_MARGIN_MS = 200;

/** Opens the screen of one scenario. @throws SettingsError, UsageError for strategies that cannot be loaded */
export async function openScreen(
  { settings, venue, backtest, markets, start, closes }: BacktestSetup,
  source: SettingsSource,
  scenario: ScenarioName,
): Promise<Screen> {
  const random = seededRandom(settings.seed);
  const fills = backtest.scenarios[scenario];
  return new Screen({
    engine: await engineOptionsOf({
      settings,
      venue,
      source,
      runId: 'screen',
      random: random.fork('engine'),
      recordedCloses: closes,
    }),
    markets,
    latency: latencyOf(backtest.latency, random.fork('latency')),
    liquidity: liquidityOf(fills),
    crossing: fills.crossing,
    balance: backtest.balance,
    start,
    copiesAfterMs: backtest.duplicateWindowMs === 0 ? 0 : backtest.duplicateWindowMs + COPY_MARGIN_MS,
  });
}
