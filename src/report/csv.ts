import type { EventFigures, GroupFigures, RunAnalysis } from '../analytics/analysis.js';
import type { HeldFigures } from '../analytics/guard-figures.js';
import { plainText } from '../domain/plain-text.js';
import type { EachReport } from './each-report.js';
import { type RunReport, titlesOf } from './run-report.js';

/** A table as RFC 4180 text: a head line, commas, LF. */
export interface CsvTable {
  readonly name: string;
  readonly text: string;
}

type Cell = string | number | null;
type Row = Readonly<Record<string, Cell | undefined>>;

/** The tables beside a report, but for its fills, which are written while the run goes on. Money in currency units, shares whole, prices of the long side, times ISO 8601 in UTC. */
export const csvTables = ({ scenarios }: RunReport): readonly CsvTable[] => [
  table('groups', scenarios.flatMap(groupRows)),
  table('mark-outs', scenarios.flatMap(markOutRows)),
  table('equity', scenarios.flatMap(equityRows)),
  table('underwater', scenarios.flatMap(underwaterRows)),
  table('days', scenarios.flatMap(dayRows)),
  table('instances', scenarios.flatMap(instanceRows), INSTANCE_COLUMNS),
  table('guards', scenarios.flatMap(guardRows), GUARD_COLUMNS),
];

/** Every row of the page of backtests of each recording. */
export const eachTable = ({ scenarios, recordings, ...groups }: EachReport): CsvTable => {
  const named = [
    ...recordings.map((row) => ({ kind: 'recording', name: row.recording, ...row })),
    ...groups.markets.map((row) => ({ kind: 'market', ...row })),
    ...groups.underlyings.map((row) => ({ kind: 'underlying', ...row })),
    ...groups.days.map((row) => ({ kind: 'day', ...row })),
  ];
  return table(
    'rows',
    named.map(({ kind, name, instance, profits, fills, shares, amount, fees, drawdown }) => ({
      kind,
      name,
      instance,
      ...Object.fromEntries(scenarios.map((scenario, place) => [`profit_${scenario}`, profits[place]!])),
      ...Object.fromEntries(scenarios.map((scenario, place) => [`fills_${scenario}`, fills[place]!])),
      shares,
      amount,
      fees,
      drawdown,
    })),
  );
};

/** The run, its events, strategies and markets, with the kind in front. */
type Grouped = GroupFigures & Partial<Pick<EventFigures, 'worstCase'>>;

const groupsOf = (run: RunAnalysis): readonly (readonly [string, Grouped])[] => [
  ['run', run.total],
  ...run.events.map((group) => ['event', group] as const),
  ...run.strategies.map((group) => ['strategy', group] as const),
  ...run.markets.map((group) => ['market', group] as const),
];

const groupRows = (run: RunAnalysis): readonly Row[] =>
  groupsOf(run).map(
    ([
      kind,
      { id, title, profit, fills, sent, queue, volume, quoting, capital, drawdown, ratios, ...rest },
    ]) => ({
      scenario: run.scenario,
      kind,
      id,
      title,
      ...profit,
      fills: fills.count,
      shares: fills.shares,
      amount: fills.amount,
      fill_ratio: fills.ratio,
      maker_share: fills.makerShare,
      requests: sent.requests,
      orders_created: sent.created,
      orders_changed: sent.changed,
      orders_cancelled: sent.cancelled,
      mean_queue_ahead: queue.meanAhead,
      volume_share: volume.share,
      quoted_both_sides: quoting.bothSides,
      quoted_any_side: quoting.anySide,
      quoted_within_rule: quoting.uptime,
      bid_at_touch: quoting.bidAtTouch,
      ask_at_touch: quoting.askAtTouch,
      mean_spread: quoting.meanSpread,
      peak_capital: capital.peak,
      mean_capital: capital.mean,
      drawdown: drawdown.worst,
      worst_case: rest.worstCase ?? null,
      sharpe_per_day: ratios.sharpe,
      sortino_per_day: ratios.sortino,
      own_brier: rest.ownScore.brier,
      own_log_score: rest.ownScore.log,
      market_brier: rest.marketScore.brier,
      market_log_score: rest.marketScore.log,
    }),
  );

const markOutRows = (run: RunAnalysis): readonly Row[] =>
  groupsOf(run).flatMap(([kind, group]) =>
    [{ side: 'both', markOuts: group.markOuts }, ...group.sides].flatMap(({ side, markOuts }) =>
      markOuts.map(({ seconds, fills, shares, profit, perShare, standardError }) => ({
        scenario: run.scenario,
        kind,
        id: group.id,
        title: group.title,
        side,
        seconds_of_bot_clock: seconds ?? 'resolution',
        mid: run.markOutMid,
        fills,
        shares,
        profit,
        per_share: perShare,
        standard_error: standardError,
      })),
    ),
  );

const equityRows = ({ scenario, equity }: RunAnalysis): readonly Row[] =>
  equity.bucket.map((bucket, index) => ({
    scenario,
    time: isoTime(equity.startedAt + bucket * equity.widthMicros),
    profit_min: equity.min[index]!,
    profit_max: equity.max[index]!,
    profit_last: equity.last[index]!,
  }));

const underwaterRows = ({ scenario, underwater }: RunAnalysis): readonly Row[] =>
  underwater.bucket.map((bucket, index) => ({
    scenario,
    time: isoTime(underwater.startedAt + bucket * underwater.widthMicros),
    below_best_min: underwater.min[index]!,
    below_best_last: underwater.last[index]!,
  }));

const dayRows = ({ scenario, days }: RunAnalysis): readonly Row[] =>
  days.map((day) => ({ scenario, ...day }));

/** A run may have no instance any more. */
const INSTANCE_COLUMNS = [
  'scenario',
  'instance',
  'strategy',
  'kind',
  'name',
  'value',
  'unit',
  'at_end',
] as const;

const instanceRows = ({ scenario, instances }: RunAnalysis): readonly Row[] =>
  instances.flatMap(({ name: instance, strategy, parameters, limits }) =>
    [
      ...parameters.map((setting) => ({ kind: 'parameter', ...setting })),
      ...limits.map((setting) => ({ kind: 'limit', ...setting })),
    ].map(({ kind, name, value, unit, atEnd = value }) => ({
      scenario,
      instance,
      strategy,
      kind,
      name,
      value: settingCell(value),
      unit,
      at_end: settingCell(atEnd),
    })),
  );

const settingCell = (value: string | number | boolean | null): Cell =>
  typeof value === 'boolean' ? String(value) : value;

/** Mostly nothing was stopped, and its table has a head all the same. */
const GUARD_COLUMNS = [
  'scenario',
  'kind',
  'rule',
  'scope',
  'id',
  'title',
  'times',
  'first',
  'last',
  'seconds',
  'share',
  'text',
] as const;

/** What stopped quoting, then how long it was held back for which reason. */
function guardRows(
  run: RunAnalysis,
): readonly Readonly<Partial<Record<(typeof GUARD_COLUMNS)[number], Cell>>>[] {
  const { scenario, guards } = run;
  const titles = titlesOf([run]);
  return [
    ...(guards?.stops ?? []).map(({ rule, scope, id, text, times, firstAt, lastAt }) => {
      const when = { times, first: isoTime(firstAt), last: isoTime(lastAt) };
      const title = titles.get(`${scope} ${id}`) ?? null;
      return { scenario, kind: 'stopped', rule, scope, id, title, ...when, text };
    }),
    ...(guards?.held ?? []).map((held) => ({ scenario, ...heldCells(held), scope: 'all' })),
    ...(guards?.markets ?? []).flatMap(({ marketId, held }) =>
      held.map((one) => ({
        scenario,
        ...heldCells(one),
        scope: 'market',
        id: marketId,
        title: titles.get(`market ${marketId}`) ?? null,
      })),
    ),
  ];
}

const heldCells = ({ reason, seconds, share }: HeldFigures) => ({
  kind: 'held',
  rule: reason,
  seconds,
  share,
});

export const isoTime = (micros: number): string =>
  `${new Date(Math.floor(micros / 1e3)).toISOString().slice(0, -1)}${String(micros % 1e3).padStart(3, '0')}Z`;

function table(
  name: string,
  rows: readonly Row[],
  names: readonly string[] = Object.keys(rows[0] ?? {}),
): CsvTable {
  const lines = rows.map((row) => names.map((column) => cellText(row[column] ?? null)).join(','));
  return { name, text: [names.join(','), ...lines, ''].join('\n') };
}

/** A row with its end of line. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\n`;

/** What a spreadsheet takes for a formula, also behind spaces and in full width. */
const FORMULA = /^\s*[=+@\-\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Quoted where it has to be; a text that a spreadsheet would run gets an apostrophe. */
function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const shown = plainText(cell);
  const text = FORMULA.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
