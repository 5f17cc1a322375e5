/** The report that a live run leaves in its folder when it ends. */
import { resolve } from 'node:path';
import type { RunAnalysis } from '../../analytics/analysis.js';
import { RunAnalyst } from '../../analytics/run-analyst.js';
import { InvariantError } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import { describeRun } from '../../core/engine/observing/describe-run.js';
import { cashShortText } from '../../core/engine/quoting/funds.js';
import type { Engine } from '../../core/engine/engine.js';
import type { EngineView } from '../../core/engine/observing/view.js';
import type { EngineOptions } from '../../core/engine/options.js';
import { FillNotes, fillNotesFile, writeFillTables } from '../../report/fill-table.js';
import { writeReport } from '../../report/report-files.js';
import { reportOf, type RunFact, titlesOf } from '../../report/run-report.js';
import { makeFolder } from '../../storage/files/whole-files.js';
import type { BotSettings, SettingsSource, VenueSettings } from '../../settings/index.js';
import type { Logger } from '../../ops/telemetry/logger.js';
import { runFolder } from '../../ops/state/run-folders.js';

export interface LiveReportOptions {
  readonly settings: BotSettings;
  readonly venue: VenueSettings;
  readonly source: SettingsSource;
  readonly runId: string;
  readonly logger: Logger;
}

const ASSUMPTIONS = [
  'Fills, fees and resolutions are those that the venue told; fees are charged as the configuration states them.',
  'Books, mids and mark-outs are those that this bot saw, at the time at which it saw them.',
  'The venue tells no trades of others and no queue positions: the share of volume is by amount, and queue places are not known.',
];

const PAPER_ASSUMPTIONS = [
  'PAPER: orders went to a simulated venue. Fills are assumed by the scenario of the file from live books and the turnover of events; fees and latency are those of the file.',
  ...ASSUMPTIONS.slice(1),
];

/** Hears a run from its first input on. @param options of its engine */
export function liveAnalyst(options: EngineOptions, startedAt: Micros): RunAnalyst {
  const described =
    options.venue.isPaper === true
      ? { scenario: 'paper', assumptions: PAPER_ASSUMPTIONS }
      : { scenario: 'live', assumptions: ASSUMPTIONS };
  return new RunAnalyst(describeRun(options, { ...described, startedAt }));
}

/** Over the page of a run. */
export const titleOf = (runId: string, mode: BotSettings['mode']): string =>
  mode === 'paper' ? `PAPER ${runId}` : runId;

/** Without them a reader takes silence for prudence. @param engine at the end of its run */
export const stoppedFacts = ({ stopped }: Pick<Engine, 'stopped'>): readonly RunFact[] =>
  stopped.map(({ instance, fault }) => ({
    name: 'stopped',
    value: `strategy instance ${instance} was stopped: ${fault}`,
  }));

/** Events and markets by the titles that the venue gave them in the run. */
export function withTitles(analysis: RunAnalysis, { markets }: Pick<EngineView, 'markets'>): RunAnalysis {
  const titles = new Map<string, string>();
  for (const { marketId, title, eventId, eventTitle } of markets)
    titles.set(`market ${marketId}`, title).set(`event ${eventId}`, eventTitle);
  return {
    ...analysis,
    events: analysis.events.map((one) => ({ ...one, title: titles.get(`event ${one.id}`) ?? one.title })),
    markets: analysis.markets.map((one) => ({ ...one, title: titles.get(`market ${one.id}`) ?? one.title })),
  };
}

/** Quotes that found no cash, at the worst of the run. */
export function cashFacts(engine: Engine): readonly RunFact[] {
  const { cashShort, currency } = engine.view();
  const { worst } = cashShort;
  return worst === null ? [] : [{ name: 'refused', value: `at the worst ${cashShortText(worst, currency)}` }];
}

/** A remark for runs in which the limit of orders made quotes move less often than wanted. @param pacedMs of each run */
export const pacedLines = (pacedMs: readonly number[]): readonly string[] =>
  pacedMs.some((ms) => ms > 0)
    ? [
        'limits.ordersPerMinute made quotes move less often than wanted for ' +
          pacedMs.map((ms) => `${Math.round(ms / 1_000)} s`).join(', '),
      ]
    : [];

/** What a live run is reported with. */
export class LiveReport {
  /** For the engine. */
  readonly analyst: RunAnalyst;
  readonly fills: FillNotes;

  constructor(
    private readonly options: LiveReportOptions,
    engineOptions: EngineOptions,
    startedAt: Micros,
  ) {
    this.analyst = liveAnalyst(engineOptions, startedAt);
    const folder = runFolder(options.settings.stateDir, options.runId);
    makeFolder(folder);
    const { description } = this.analyst;
    this.fills = new FillNotes(fillNotesFile(folder, description.scenario), description);
  }

  /**
   * The run is over. What stands in the way of the files is logged; it does not change how the run ended.
   * @returns absolute path of the page; null when it could not be written
   * @throws InvariantError when the profit is not the sum of where it came from
   */
  async write(engine: Engine, at: Micros): Promise<string | null> {
    const { settings, venue, source, runId, logger } = this.options;
    const isPaper = settings.mode === 'paper';
    try {
      const analysis = withTitles(
        this.analyst.end(at, (market) => engine.depth(market)),
        engine.view(),
      );
      const facts = [
        { name: 'venue', value: `${venue.name}, ${settings.currencyMode}${isPaper ? ', PAPER' : ''}` },
        { name: 'configuration', value: source.file },
        { name: 'seed', value: String(settings.seed) },
        { name: 'decisions', value: engine.decisionHash },
        ...stoppedFacts(engine),
        ...cashFacts(engine),
        ...pacedLines([engine.view().counts.pacedMs]).map((value) => ({ name: 'refused', value })),
      ];
      const folder = runFolder(settings.stateDir, runId);
      makeFolder(folder);
      this.fills.close();
      const report = reportOf({
        title: titleOf(runId, settings.mode),
        mode: settings.mode,
        facts,
        scenarios: [analysis],
        fills: await writeFillTables(folder, [this.fills.path], analysis.scenario, titlesOf([analysis])),
      });
      return resolve(writeReport(folder, report).page);
    } catch (error) {
      logger.error('the report of the run could not be written', { err: error });
      if (error instanceof InvariantError) throw error;
      return null;
    }
  }
}
