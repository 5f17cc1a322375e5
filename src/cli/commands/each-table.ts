/** Every instance on every recording as the rows of a table, in Markdown, on a terminal, or as JSON. */
import { type RecordingResult, recordingName } from '../../runs/backtest/each-recording.js';
import type { BacktestResult } from '../../runs/backtest/run-backtest.js';
import { stoppedBy } from '../../report/guard-lines.js';
import type { BotSettings } from '../../settings/index.js';
import { fittingTable, type TableColumn } from '../screen/fitting-table.js';
import { wrapped } from '../screen/format.js';
import { widthOf } from '../screen/text-width.js';

/** A line for each row, and what stands around them. */
export interface EachTable {
  readonly head: readonly string[];
  readonly row: (row: RecordingResult) => string;
  readonly foot: readonly string[];
}

/** Seconds after a fill; null: at the resolution. */
const MARK_OUTS = [1, 10, 60, 300, null] as const;
const MARK_OUT_TITLES = MARK_OUTS.map((seconds) => `mark-out ${seconds === null ? 'end' : `${seconds} s`}`);
const HEAD = [
  'recording',
  'instance',
  'fills pess. / exp. / opt.',
  'profit pess. / exp. / opt.',
  'headline',
  'spread',
  'inventory',
  'resolution',
  'fees',
  ...MARK_OUT_TITLES,
  'stopped by',
];

const ELSEWHERE = 'they are in --json, and where the output goes to a file';

export const JSON_LINES: EachTable = {
  head: [],
  row: (row) => JSON.stringify(plainRow(row)),
  foot: [],
};

const markdownRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** To be pasted. */
export const MARKDOWN: EachTable = {
  head: [HEAD, HEAD.map(() => '---')].map(markdownRow),
  row: (row) => markdownRow(cellsOf(row)),
  foot: [],
};

/** @param recordings all that there will be, so that columns are known before the first row */
export function terminalTable(
  recordings: readonly string[],
  instances: readonly Pick<BotSettings['instances'][number], 'name'>[],
  width: number,
): EachTable {
  const names = [recordings.map(recordingName), instances.map(({ name }) => name)] as const;
  const { head, left, row } = fittingTable(columnsOf(...names), width);
  return {
    head: ['fills and profit: pessimistic / expected / optimistic', '', head],
    row: (one) => row(cellsOf(one)),
    foot: left.length === 0 ? [] : ['', ...wrapped(`no room for: ${left.join(', ')}; ${ELSEWHERE}`, width)],
  };
}

const longest = (texts: readonly string[]): number => Math.max(0, ...texts.map(widthOf));

/** In the order of {@link HEAD}. */
function columnsOf(recordings: readonly string[], instances: readonly string[]): readonly TableColumn[] {
  const right = (title: string, width: number, rank: number): TableColumn => ({
    title,
    width,
    align: 'right',
    rank,
  });
  return [
    { title: 'recording', width: longest(recordings), align: 'left', rank: 0, least: 16 },
    { title: 'instance', width: longest(instances), align: 'left', rank: 1, least: 10 },
    right('fills', 15, 2),
    right('profit', 23, 0),
    { title: 'headline', width: 11, align: 'left', rank: 5 },
    ...['spread', 'inventory', 'resolution', 'fees'].map((title) => right(title, 8, 4)),
    ...MARK_OUT_TITLES.map((title) => right(title, 8, 6)),
    { title: 'stopped by', width: 14, align: 'left', rank: 3 },
  ];
}

function cellsOf(row: RecordingResult): readonly string[] {
  const { recording, instance, fills, profits, headline, profit, markOuts } = plainRow(row);
  const { spread, inventory, resolution, fees, rebates } = profit;
  return [
    recording,
    instance,
    fills.join(' / '),
    profits.map((value) => value.toFixed(2)).join(' / '),
    headline,
    ...[spread, inventory, resolution, fees - rebates].map((value) => value.toFixed(2)),
    ...MARK_OUTS.map(
      (after) => markOuts.find(({ seconds }) => seconds === after)?.perShare?.toFixed(4) ?? '',
    ),
    stoppedIn(row.result).join(', '),
  ];
}

/** In any scenario. */
const stoppedIn = ({ guarded }: BacktestResult): readonly string[] => [
  ...new Set(guarded.flatMap(({ guards }) => stoppedBy(guards?.stops ?? []))),
];

function plainRow({ recording, instance, strategy, result, analysis }: RecordingResult) {
  const { runId, scenarios, headline, faults, ends, guarded, stage } = result;
  const { profit, markOuts } = analysis.total;
  return {
    recording,
    instance,
    strategy,
    runId,
    fills: scenarios.map(({ fills }) => fills),
    profits: scenarios.map((one) => one.profit),
    headline: headline.scenario,
    profit,
    markOuts,
    faults,
    ends,
    guarded,
    notes: stage.notes,
  };
}
