import type { GuardFigures, RunAnalysis } from '../../analytics/analysis.js';
import { StopLog } from '../../analytics/guard-figures.js';
import type { RunAnalyst } from '../../analytics/run-analyst.js';
import type { RowRange } from './merged-recordings.js';
import { ScenarioRun, type ScenarioOptions } from './scenario-run.js';
import { type EngineObserver, severalObservers } from '../../core/engine/observing/observer.js';
import { cashShortText } from '../../core/engine/quoting/funds.js';
import { FillNotes } from '../../report/fill-table.js';
import {
  type SettingsSource,
  type ScenarioName,
  type BacktestSettings,
  type FillSettings,
} from '../../settings/index.js';
import { DecisionLog, endAnalysis, scenarioAnalyst, tellOfTrade } from './backtest-folder.js';
import { closingDepth, type ScenarioTotals, TradeTotals } from './scenario-totals.js';
import { type BacktestSetup, ACCOUNT } from './backtest-setup.js';
import type { EngineOptions } from '../../core/engine/options.js';
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
import { engineOptionsOf } from '../live/engine-options.js';
import { type MarketId, marketId, type OrderId, orderId } from '../../domain/ids.js';
import { marketId as listedMarket, orderId as listedOrder } from '../../exchange/contract/ids.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type { QueuePlace, TradeEvent } from '../../exchange/contract.js';
import type { ExchangeCore } from '../../exchange/exchange.js';

/** One scenario of a backtest and what is wanted of it: plain values that can be sent to a thread. */
export interface ScenarioTask {
  readonly scenario: ScenarioName;
  readonly runId: string;
  /** Whether to analyse the run; a sweep saves the time. */
  readonly analyse: boolean;
  /** File of the decisions; null: they are not kept. */
  readonly decisionsFile: string | null;
  /** File in which its fills are noted; null: they are not kept. */
  readonly fillsFile: string | null;
}

export interface ScenarioResult {
  readonly totals: ScenarioTotals;
  /** What stopped strategies. */
  readonly faults: readonly string[];
  /** How often orders were refused, by the rule of the limits or the code of the venue. */
  readonly refusals: Readonly<Record<string, number>>;
  /** At its worst; null: there was always enough. */
  readonly cashShort: string | null;
  /** See {@link EngineCounts.pacedMs}. */
  readonly pacedMs: number;
  /** What guards stopped; also how long quoting was held back, when the run was analysed. */
  readonly guards: GuardFigures;
  /** null unless asked for. */
  readonly analysis: RunAnalysis | null;
}

/** A scenario under way with all its observers. */
export class ScenarioSession {
  private constructor(
    private readonly task: ScenarioTask,
    private readonly setup: BacktestSetup,
    private readonly run: ScenarioRun,
    private readonly trades: TradeTotals,
    private readonly analyst: RunAnalyst | null,
    private readonly log: DecisionLog | null,
    private readonly fills: FillNotes | null,
    private readonly stops: StopLog,
  ) {}

  /** @throws SettingsError, UsageError for strategies that cannot be loaded */
  static async open(
    task: ScenarioTask,
    setup: BacktestSetup,
    source: SettingsSource,
    watcher: EngineObserver | null = null,
  ): Promise<ScenarioSession> {
    const trades = new TradeTotals();
    const log = task.decisionsFile === null ? null : new DecisionLog(task.decisionsFile);
    const heard: { analyst: RunAnalyst | null; fills: FillNotes | null } = { analyst: null, fills: null };
    const stops = new StopLog();
    const others = [hearing(stops), log, watcher].filter((one) => one !== null);
    const run: ScenarioRun = await openScenario(setup, source, task.scenario, task.runId, (engine) => {
      if (!task.analyse) return { ...observing(others), onTrade: (trade) => trades.take(trade) };
      const analyst = (heard.analyst = scenarioAnalyst(setup, task.scenario, engine));
      if (task.fillsFile !== null) heard.fills = new FillNotes(task.fillsFile, analyst.description);
      const fills = heard.fills === null ? [] : [heard.fills];
      const queues = new QueueWatch(engine.terms.mode);
      return {
        ...observing([analyst, queues.observer, ...fills, ...others]),
        onMid: (market, at, mid) => analyst.recorded(marketId(market), at, mid),
        onPrints: (market) => queues.look(run.venue.exchange, market),
        onPrinted: (trade) => queues.traded(analyst, trade),
        onTrade: (trade) => {
          trades.take(trade);
          tellOfTrade(analyst, trade);
        },
      };
    });
    return new ScenarioSession(task, setup, run, trades, heard.analyst, log, heard.fills, stops);
  }

  /** @param passed awaited now and then with the number of rows taken since; 0 within a long silence */
  async take(range: RowRange, passed: (rows: number) => unknown): Promise<void> {
    for (const rows of this.run.take(range)) {
      await this.log?.drain();
      await passed(rows);
    }
  }

  async finish(): Promise<ScenarioResult> {
    const { task, setup, run, trades, analyst, log, stops } = this;
    const end = run.finish();
    await log?.close();
    this.fills?.close();
    const { instances, counts, cashShort, currency } = run.engine.view();
    const analysis = analyst === null ? null : endAnalysis(analyst, closingDepth(run, setup), end.at);
    return {
      totals: trades.total(task.scenario, run, end, setup),
      faults: instances.flatMap(({ name, fault }) =>
        fault === null ? [] : [`strategy instance ${name} was stopped: ${fault}`],
      ),
      refusals: counts.refusals,
      cashShort: cashShort.worst === null ? null : cashShortText(cashShort.worst, currency),
      pacedMs: counts.pacedMs,
      guards: analysis?.guards ?? { stops: stops.figures(), held: [], markets: [] },
      analysis,
    };
  }
}

const hearing = (stops: StopLog): EngineObserver => ({ stopped: (stop, at) => stops.stopped(stop, at) });

function observing(observers: readonly EngineObserver[]): { readonly observer?: EngineObserver } {
  const [only] = observers;
  if (only === undefined) return {};
  return { observer: observers.length === 1 ? only : severalObservers(observers) };
}

/** Observers of one scenario. */
export type Onlookers = Pick<
  ScenarioOptions,
  'observer' | 'onTrade' | 'onPrints' | 'onPrinted' | 'onNotice' | 'onMid'
> & {
  readonly observer?: EngineObserver;
};

/**
 * Opens a scenario. Strategies are loaded anew: scenarios share nothing.
 * @param silentReads whether routine reads go on while the venue says nothing; they change no order
 * @throws SettingsError, UsageError for strategies that cannot be loaded
 */
export async function openScenario(
  setup: BacktestSetup,
  source: SettingsSource,
  name: ScenarioName,
  runId: string,
  onlookersOf: (engine: EngineOptions) => Onlookers,
  silentReads: 'left out' | 'lived' = 'left out',
): Promise<ScenarioRun> {
  const { settings, venue, backtest } = setup;
  const random = seededRandom(settings.seed);
  const fills = backtest.scenarios[name];
  const options = await engineOptionsOf({
    settings,
    venue,
    source,
    runId,
    random: random.fork('engine'),
    isOffline: true,
    recordedCloses: setup.closes,
  });
  // The simulated venue loses no message.
  const mirror = { ...options.mirror, omitsSilentReads: silentReads === 'left out' };
  const engine = { ...options, mirror };
  return new ScenarioRun({
    start: setup.start,
    engine,
    exchange: setup.exchange,
    account: ACCOUNT,
    markets: setup.markets,
    fairValues: setup.fairValues,
    latency: latencyOf(backtest.latency, random.fork('latency')),
    liquidity: liquidityOf(fills),
    crossing: fills.crossing,
    rateLimit: venue.rateLimit,
    bookCacheMs: venue.bookCacheMs,
    timeoutMs: venue.requestTimeoutMs,
    ...onlookersOf(engine),
  });
}

/** The latency that a configuration states. */
export function latencyOf(
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

/** The liquidity models that a configuration names. */
export const liquidityOf = (
  fills: FillSettings,
): { readonly queue: QueueModel; readonly consumption: ConsumptionModel } => ({
  queue: QUEUES[fills.queue](fills),
  consumption: CONSUMPTIONS[fills.consumption],
});

/** Records the queue positions of our orders before prints, and reports those of orders that traded. */
class QueueWatch {
  private readonly standing = new Map<MarketId, readonly OrderId[]>();
  private readonly places = new Map<OrderId, QueuePlace>();

  constructor(private readonly mode: CurrencyMode) {}

  /** Hears from the engine which orders are open. */
  readonly observer: EngineObserver = {
    standing: (market, _at, orders) => {
      this.standing.set(
        market,
        orders.flatMap(({ orderId }) => orderId ?? []),
      );
    },
  };

  /** Called before prints reach a book. */
  look(exchange: ExchangeCore, market: MarketId): void {
    this.places.clear();
    for (const order of this.standing.get(market) ?? []) {
      const place = exchange.queuePlace(listedMarket(market), this.mode, listedOrder(order));
      if (place !== null) this.places.set(order, place);
    }
  }

  /** Called for each trade of the prints; the first trade of an order counts. */
  traded(analyst: RunAnalyst, { maker, marketId: market }: TradeEvent): void {
    if (maker.account !== ACCOUNT || maker.orderId === null) return;
    const order = orderId(maker.orderId);
    const place = this.places.get(order);
    if (place === undefined) return;
    this.places.delete(order);
    analyst.queued(order, marketId(market), place.ahead, place.others);
  }
}
