import { type BacktestResult, runBacktest } from '../../runs/backtest/run-backtest.js';
import type { RecordedScope } from '../../runs/backtest/recorded-events.js';
import type { ScenarioTotals } from '../../runs/backtest/scenario-totals.js';
import { basename, join } from 'node:path';
import { EachBooks, type EachReport, type EachRun } from '../../report/each-report.js';
import { writeEachReport } from '../../report/report-files.js';
import { makeFolder } from '../../storage/files/whole-files.js';
import { runsFolder } from '../../ops/state/run-folders.js';
import { readableRecordings } from '../../recordings/index.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { loadKeylessSettings, type BotSettings, type Loaded } from '../../settings/index.js';
import { guardLines, stoppedBy, titlesOf } from '../../report/run-report.js';
import { interruptible } from '../signals.js';
import { durationText, wrapped } from '../screen/format.js';
import { ProgressBar } from '../screen/progress.js';
import { backtestEach, type RecordingResult, recordingName } from '../../runs/backtest/each-recording.js';
import { fittingTable, type TableColumn } from '../screen/fitting-table.js';
import { widthOf } from '../screen/text.js';
import { enterBacktest } from '../../runs/catalogue/rows.js';
import { catalogued } from '../catalogued.js';
import { requireStateDir } from '../context.js';
import { print, printJson, remark } from '../output.js';

export interface BacktestArguments {
  readonly set: readonly string[];
  readonly json: boolean;
  readonly out?: string;
  readonly threads: number;
  readonly each?: EachArguments['each'];
}

/** `oddsmith backtest`: the bot of a configuration file on recordings, under three scenarios. */
export async function backtestConfiguration(file: string, given: BacktestArguments): Promise<ExitCode> {
  if (given.each !== undefined) return backtestEachRecording(file, { ...given, each: given.each });
  const { settings, source } = loadKeylessSettings(file, process.env, given.set);
  const out = folderOf({ settings, source }, given.out);
  const bar = new ProgressBar(process.stderr, 'backtest');
  const result = await interruptible('nothing of this backtest is written', (stop) =>
    runBacktest({
      settings,
      source,
      threads: given.threads,
      ...(out === undefined ? {} : { out }),
      onProgress: (done, all) => bar.show(done, all),
      stop,
    }).finally(() => bar.close()),
  );
  const { runId, scenarios, headline, scope, faults, refusals, ends, guarded, report, setup, analyses } =
    result;
  const { notes } = setup;
  if (report !== null) await catalogued((time) => enterBacktest(file, result, time));
  const told = { scope, scenarios, faults, refusals, ends, guarded, notes, report };
  if (given.json) printJson({ runId, headline: headline.scenario, ...told });
  else
    print(
      headlineOf(result),
      scopeOf(scope),
      '',
      table(scenarios),
      ...apart([...faults, ...guardLines(guarded, titlesOf(analyses)), ...ends, ...refusals, ...notes]),
      ...apart(report === null ? [] : [`report  ${report}`]),
    );
  return faults.length === 0 ? EXIT.clean : EXIT.internal;
}

/** @returns undefined when nothing is to be written */
function folderOf(loaded: Loaded<BotSettings>, out: string | undefined): string | undefined {
  const { report, stateDir } = loaded.settings;
  if (out !== undefined || !report.write) return out;
  requireStateDir(loaded);
  return runsFolder(stateDir);
}

function headlineOf({ runId, headline, faults, guarded }: BacktestResult): string {
  const { profit, scenario } = headline;
  const guards = [...new Set(guarded.flatMap(({ guards: found }) => stoppedBy(found?.stops ?? [])))];
  const reasons = [
    ...(faults.length === 0 ? [] : ['a strategy was stopped']),
    ...(guards.length === 0 ? [] : [`guards stepped in: ${guards.join(', ')}`]),
  ];
  const stopped =
    reasons.length === 0 ? '' : `; not the figure of the strategy alone: ${reasons.join(', and ')}`;
  return `run ${runId}: ${profit.toFixed(2)}, under the ${scenario} scenario${stopped}`;
}

/** What the figures rest on, in a line: it tells a quiet recording from a strategy that does nothing. */
function scopeOf({ seconds, markets, books, trades, currency, quoted: shares }: RecordedScope): string {
  const counts = [many(markets, 'market'), many(books, 'book'), many(trades, 'trade')].join(', ');
  const quoted = shares === null ? '' : quotedText(shares);
  return `${durationText(1_000 * seconds)} of ${counts}${quoted}; figures in ${currency}`;
}

/** The rule of narrow quotes is that of the report: a bid and an ask within 5 cents, at least one share each. */
function quotedText({ bothSides, anySide, uptime }: NonNullable<RecordedScope['quoted']>): string {
  const percent = (share: number | null): string => `${(100 * (share ?? 0)).toFixed(0)} %`;
  return `; quotes stood on both sides ${percent(bothSides)} of the time (within 5 cents ${percent(uptime)}), on any side ${percent(anySide)}`;
}

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Lines with an empty one before them, if there are any. */
const apart = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', ...lines]);

function table(scenarios: readonly ScenarioTotals[]): string {
  const rows = scenarios.map(({ scenario, profit, fills, shares, fees }) =>
    [
      scenario.padEnd(12),
      profit.toFixed(2).padStart(12),
      String(fills).padStart(8),
      shares.toFixed(2).padStart(14),
      fees.toFixed(2).padStart(10),
    ].join(''),
  );
  const head = `${'scenario'.padEnd(12)}${'profit'.padStart(12)}${'fills'.padStart(8)}${'shares'.padStart(14)}${'fees'.padStart(10)}`;
  return [head, ...rows].join('\n');
}

export interface EachArguments {
  readonly set: readonly string[];
  readonly json: boolean;
  /** Of the pages of all runs; left out: only the page of the whole is written, in the state folder. */
  readonly out?: string;
  /** Recordings and folders of them, each to be traded on by itself. */
  readonly each: readonly string[];
}

/** For a terminal that does not tell. */
const COLUMNS = 80;

/**
 * `oddsmith backtest --each`: a table of every instance on every recording, each row as soon as it is known: Markdown, or
 * aligned and no wider than a terminal where it goes to one. What there is to say of a row comes below it on standard error,
 * and below the table where both are one terminal.
 */
async function backtestEachRecording(
  file: string,
  { set, json, each, out }: EachArguments,
): Promise<ExitCode> {
  const loaded = loadKeylessSettings(file, process.env, set);
  const folder = folderOf(loaded, out);
  const books = new EachBooks(basename(file));
  const recordings = await readableRecordings(each, loaded.settings.stateDir);
  const isSeen = process.stdout.isTTY && !json;
  const columns = process.stdout.columns > 0 ? process.stdout.columns : COLUMNS;
  const onTerminal = (): typeof MARKDOWN => terminalTable(recordings, loaded.settings.instances, columns);
  const table = json ? JSON_LINES : isSeen ? onTerminal() : MARKDOWN;
  const held: string[] = [];
  const tell: typeof remark = (...lines) => (isSeen ? void held.push(...lines) : remark(...lines));
  let code: ExitCode = EXIT.clean;
  print(...table.head);
  try {
    await interruptible(
      'the rows above are whole, the others are missing; no page is written',
      async (stop) => {
        for await (const row of backtestEach(loaded, recordings, stop, out, tell)) {
          print(table.row(row));
          books.add(runOf(row));
          tell(...remarksOf(row));
          if (folder !== undefined) await catalogued((time) => enterBacktest(file, row.result, time));
          if (row.result.faults.length > 0) code = EXIT.internal;
        }
      },
    );
  } finally {
    print(...table.foot);
    if (held.length > 0) remark('', ...held);
  }
  if (folder !== undefined) writePage(folder, books.report(), isSeen ? print : remark);
  return code;
}

/** @param tell standard error where rows are read by a program, or pasted */
function writePage(folder: string, report: EachReport | null, tell: typeof print): void {
  if (report === null) return;
  const below = join(folder, report.id);
  makeFolder(below);
  tell('', `report  ${writeEachReport(below, report)}`);
}

function runOf(row: RecordingResult): EachRun {
  const { recording, day, instance, strategy, result } = row;
  const { runId, analyses, scenarios, headline, faults, report } = result;
  const page = report === null ? null : `../${runId}/${basename(report)}`;
  const place = scenarios.indexOf(headline);
  const remarks = remarksOf(row, '');
  return { recording, day, instance, strategy, runId, analyses, headline: place, faults, remarks, page };
}

/** What a single backtest has below its table. */
function remarksOf(
  { recording, instance, result }: RecordingResult,
  before = `${recording}, ${instance}: `,
): readonly string[] {
  const { faults, guarded, ends, refusals, setup, analyses } = result;
  return [...faults, ...guardLines(guarded, titlesOf(analyses)), ...ends, ...refusals, ...setup.notes].map(
    (text) => `${before}${text}`,
  );
}

/** Every instance on every recording as the rows of a table, in Markdown, on a terminal, or as JSON. */

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

const JSON_LINES: EachTable = {
  head: [],
  row: (row) => JSON.stringify(plainRow(row)),
  foot: [],
};

const markdownRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** To be pasted. */
const MARKDOWN: EachTable = {
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
  const { runId, scenarios, headline, faults, ends, guarded, setup } = result;
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
    notes: setup.notes,
  };
}
