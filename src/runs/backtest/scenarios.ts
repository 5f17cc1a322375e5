import type { EngineObserver } from '../../core/engine/observing/observer.js';
import type { EngineOptions } from '../../core/engine/options.js';
import { ScenarioRun } from './scenario-run.js';
import type { ScenarioOptions } from './scenario-run.js';
import {
  type ConsumptionModel,
  returns,
  untilRefreshed,
  untilVanished,
} from '../../venues/simulated/models/liquidity.js';
import { type LatencyModel, sampledLatency } from '../../venues/simulated/models/latency.js';
import { front, log, power, type QueueModel, riskAverse } from '../../venues/simulated/models/queue.js';
import type { Random } from '../../core/ports/random.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import type { BacktestSettings, FillSettings, SettingsSource } from '../../settings/index.js';
import { engineOptionsOf } from '../live/engine-options.js';
import type { ScenarioName } from '../../settings/index.js';
import { ACCOUNT, type BacktestStage } from './stage.js';

/** Onlookers of one scenario. */
export type Onlookers = Pick<
  ScenarioOptions,
  'observer' | 'onTrade' | 'onPrints' | 'onPrinted' | 'onNotice'
> & {
  readonly observer?: EngineObserver;
};

/**
 * One scenario, ready for its first row. Strategies are loaded anew: nothing is shared between scenarios.
 * @throws SettingsError, UsageError for strategies that cannot be loaded
 */
export async function openScenario(
  stage: BacktestStage,
  source: SettingsSource,
  name: ScenarioName,
  runId: string,
  onlookersOf: (engine: EngineOptions) => Onlookers,
): Promise<ScenarioRun> {
  const { settings, venue, backtest } = stage;
  const random = seededRandom(settings.seed);
  const fills = backtest.scenarios[name];
  const engine = await engineOptionsOf({ settings, venue, source, runId, random: random.fork('engine') });
  return new ScenarioRun({
    start: stage.start,
    engine,
    exchange: stage.exchange,
    account: ACCOUNT,
    markets: stage.markets,
    latency: latencyOf(backtest.latency, random.fork('latency')),
    liquidity: liquidityOf(fills),
    crossing: fills.crossing,
    rateLimit: venue.rateLimit,
    bookCacheMs: venue.bookCacheMs,
    timeoutMs: venue.requestTimeoutMs,
    ...onlookersOf(engine),
  });
}

function latencyOf(
  { feedMs, requestMs, responseMs }: BacktestSettings['latency'],
  random: Random,
): LatencyModel {
  const quantiles = (way: number | readonly number[]) => (typeof way === 'number' ? [way] : way);
  return sampledLatency(
    { feed: quantiles(feedMs), request: quantiles(requestMs), response: quantiles(responseMs) },
    random,
  );
}

const QUEUES: Readonly<Record<FillSettings['queue'], (fills: FillSettings) => QueueModel>> = {
  'risk-averse': () => riskAverse,
  power: ({ power: n }) => power(n),
  log: () => log,
  front: () => front,
};

const CONSUMPTIONS: Readonly<Record<FillSettings['consumption'], ConsumptionModel>> = {
  'until-refreshed': untilRefreshed,
  'until-vanished': untilVanished,
  returns,
};

/** What is believed of others' shares: how their queues move, and what becomes of those that we took. */
export const liquidityOf = (
  fills: FillSettings,
): { readonly queue: QueueModel; readonly consumption: ConsumptionModel } => ({
  queue: QUEUES[fills.queue](fills),
  consumption: CONSUMPTIONS[fills.consumption],
});
