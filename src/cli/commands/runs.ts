/** `oddsmith runs`: what runs, sweeps and screens of a state folder came to. */
import { basename } from 'node:path';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { type CatalogueRow, readCatalogue } from '../../runs/catalogue/catalogue.js';
import { emptyText, queryCatalogue } from '../../runs/catalogue/query.js';
import { print, printJson, remark } from '../output.js';
import { aligned } from '../screen/text.js';

export interface RunsArguments {
  readonly stateDir: string;
  readonly json: boolean;
}

export interface RunsListArguments extends RunsArguments {
  readonly last: number;
}

/** @param run of which every row is shown; left out: one line for each run and sweep, the last ones first */
export async function listRuns(run: string | undefined, given: RunsListArguments): Promise<ExitCode> {
  const all = await rowsIn(given.stateDir);
  const rows = run === undefined ? all : ofRun(all, run);
  if (given.json) printJson(rows);
  else if (rows.length === 0) print(emptyText(given.stateDir));
  else {
    const shown = (run === undefined ? bestOfEach(rows) : rows).filter(({ headline }) => headline === 1);
    print(...aligned([LIST_HEAD, ...shown.slice(0, given.last).map(listLine)], ...LIST_TEXTS));
    if (shown.length > given.last)
      print(`and ${shown.length - given.last} more, with --last ${shown.length}`);
  }
  return EXIT.clean;
}

/** @throws UsageError where one of them is not in the catalogue, or is a whole sweep */
export async function compareCatalogued(run: string, other: string, given: RunsArguments): Promise<ExitCode> {
  const rows = await rowsIn(given.stateDir);
  const [ours, theirs] = [oneRun(rows, run), oneRun(rows, other)];
  const differ = differences(ours[0]!, theirs[0]!);
  const scenarios = ours.flatMap((row) => {
    const counterpart = theirs.find(({ scenario }) => scenario === row.scenario);
    return counterpart === undefined ? [] : [{ scenario: row.scenario, run: row, other: counterpart }];
  });
  if (given.json) {
    printJson({ run: ours[0]!.run, other: theirs[0]!.run, differ, scenarios });
    return EXIT.clean;
  }
  const names = [ours[0]!.run, theirs[0]!.run];
  print(
    ...aligned(
      [['', ...names], ...Object.entries(differ).map(([path, values]) => [path, ...values.map(valueText)])],
      0,
    ),
  );
  if (Object.keys(differ).length === 0)
    print('no parameter of the instances differs; run.json beside each report has the whole configuration');
  for (const { scenario, ...pair } of scenarios)
    print('', ...aligned([[scenario, ...names], ...figureLines(pair)], 0));
  if (scenarios.length === 0) print('', 'the two have no scenario in common');
  return EXIT.clean;
}

/** @throws UsageError without DuckDB, and for a statement that it refuses */
export async function queryRuns(statement: string, { stateDir, json }: RunsArguments): Promise<ExitCode> {
  const { columns, rows } = await queryCatalogue(stateDir, statement);
  if (json)
    printJson(rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null]))));
  else print(...aligned([columns, ...rows.map((row) => row.map(valueText))]));
  return EXIT.clean;
}

/** The last ones first. */
async function rowsIn(stateDir: string): Promise<readonly CatalogueRow[]> {
  const { rows, unread } = await readCatalogue(stateDir);
  if (unread.length > 0) remark(...unread);
  return rows.toReversed();
}

/** `sw-1/3` is a configuration of `sw-1`. */
const sweepOf = ({ run }: CatalogueRow): string => run.split('/')[0]!;

const ofRun = (rows: readonly CatalogueRow[], run: string): readonly CatalogueRow[] => {
  const found = rows.filter((row) => row.run === run || sweepOf(row) === run);
  if (found.length === 0)
    throw new UsageError(`no run ${run} is in the catalogue; oddsmith runs list names them`);
  return found.toReversed();
};

/** All scenarios of the last time that it ran. */
function oneRun(rows: readonly CatalogueRow[], run: string): readonly CatalogueRow[] {
  const found = ofRun(rows, run);
  const ids = [...new Set(found.map((row) => row.run))];
  if (ids.length > 1)
    throw new UsageError(`${run} has ${ids.length} configurations: name one of them, such as ${ids[0]}`);
  const last = Math.max(...found.map(({ time }) => time));
  return found.filter(({ time }) => time === last);
}

/** What the engine confirmed of a screen comes before what it did not; a configuration that failed has no score and comes last. */
const classOf = ({ kind, score }: CatalogueRow): number => (score === null ? 0 : kind === 'screen' ? 1 : 2);

const isBetter = (row: CatalogueRow, known: CatalogueRow): boolean =>
  (classOf(row) - classOf(known) || (row.score ?? 0) - (known.score ?? 0)) >= 0;

/** The file as it is, behind the configurations of a screen. */
const isBase = ({ run, tried }: CatalogueRow): boolean => tried !== null && run.endsWith(`/${tried}`);

/** Of a sweep the row with the best score, the first of equals: rows come the last ones first. */
function bestOfEach(rows: readonly CatalogueRow[]): readonly CatalogueRow[] {
  const best = new Map<string, CatalogueRow>();
  for (const row of rows) {
    if (row.headline !== 1 || isBase(row)) continue;
    const key = `${sweepOf(row)} ${row.program}`;
    const known = best.get(key);
    if (known === undefined || isBetter(row, known)) best.set(key, row);
  }
  return [...best.values()];
}

const LIST_HEAD = [
  'run',
  'written',
  'kind',
  'file',
  'scenario',
  'profit',
  'fills',
  'tried',
  'score',
  'deflated',
];
/** Columns of words. */
const LIST_TEXTS = [0, 1, 2, 3, 4];

const listLine = (row: CatalogueRow): readonly string[] => [
  row.run,
  new Date(row.time / 1_000).toISOString().slice(0, 16).replace('T', ' '),
  row.kind,
  basename(row.file),
  row.scenario,
  row.profit.toFixed(2),
  String(row.fills),
  row.tried === null ? '' : String(row.tried),
  row.score?.toFixed(2) ?? '',
  row.deflated?.toFixed(2) ?? '',
];

/** Compared beside the parameters: runs that differ there are not alike. */
const SURROUNDINGS = ['kind', 'file', 'file_hash', 'program', 'strategy', 'instance', 'recordings'] as const;

function differences(one: CatalogueRow, other: CatalogueRow): Readonly<Record<string, readonly unknown[]>> {
  const [ours, theirs] = [one, other].map((row): Readonly<Record<string, unknown>> => ({
    ...Object.fromEntries(SURROUNDINGS.map((name) => [name, row[name]])),
    ...(JSON.parse(row.params) as Readonly<Record<string, unknown>>),
  }));
  const names = [...new Set([...Object.keys(ours!), ...Object.keys(theirs!)])];
  return Object.fromEntries(
    names
      .map((name) => [name, [ours![name] ?? null, theirs![name] ?? null]] as const)
      .filter(([, [value, counterpart]]) => valueText(value) !== valueText(counterpart)),
  );
}

const FIGURES = ['profit', 'fills', 'volume', 'fees', 'drawdown', 'score', 'deflated', 'stopped_by'] as const;

const figureLines = ({ run, other }: Readonly<Record<'run' | 'other', CatalogueRow>>): string[][] =>
  FIGURES.filter((name) => (run[name] ?? '') !== '' || (other[name] ?? '') !== '').map((name) => [
    name,
    ...[run, other].map((row) => figureText(row[name], name)),
  ]);

const figureText = (value: string | number | null, name: string): string =>
  typeof value === 'number' && name !== 'fills' ? value.toFixed(2) : valueText(value);

/** `'0.02'` and `0.02` are the same parameter. */
const valueText = (value: unknown): string =>
  value === null || value === undefined ? '-' : typeof value === 'string' ? value : JSON.stringify(value);
