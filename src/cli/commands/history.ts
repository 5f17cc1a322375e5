/** `oddsmith history <config.yaml>`: what the account of a file traded and earned, over all its runs. */
import { basename } from 'node:path';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { currencyUnits, type Money, type Shares, wholeShares } from '../../domain/units.js';
import { statePlaces } from '../../ops/state/account-folder.js';
import { readBooks } from '../../ops/state/fills-file.js';
import { csvLine } from '../../report/csv.js';
import { FILL_COLUMNS, fillColumn, type FillColumn, writeFillFile } from '../../report/fill-files.js';
import { bookedFills, type BookedFill, type BookLine } from '../../report/books.js';
import { type Grouping, historyOf, type HistoryRow, type Span, within } from '../../report/history.js';
import { loadKeylessSettings } from '../../settings/index.js';
import type { Instant } from '../../settings/scalars.js';
import { paperOverrides } from '../option-values.js';
import { print, printJson, remark } from '../output.js';

export interface HistoryArguments {
  readonly by: Grouping;
  readonly from?: Instant;
  readonly to?: Instant;
  readonly run?: string;
  readonly out?: string;
  readonly csv: boolean;
  readonly json: boolean;
  readonly paper: boolean;
}

/** @throws UsageError when a file cannot be written; SettingsError */
export async function showHistory(file: string, given: HistoryArguments): Promise<ExitCode> {
  const { settings } = loadKeylessSettings(file, process.env, paperOverrides(given));
  const places = await Promise.all(
    statePlaces(settings).map(async ({ fills: path, name }) => ({ path, name, ...(await readBooks(path)) })),
  );
  for (const { path, unread } of places)
    if (unread > 0) remark(`${path}: ${unread} lines cannot be read and are left out`);
  const told = places
    .filter(({ lines }) => lines.length > 0)
    .map(({ name, lines }) => {
      const span = spanOf(lines, given);
      return { account: name, rows: historyOf(lines, given.by, span), fills: fillsIn(lines, span) };
    });
  for (const { account, rows } of told) {
    const unbooked = rows.reduce((sum, row) => sum + row.unbooked, 0);
    if (unbooked > 0)
      remark(
        `${account}: ${wholeShares(unbooked as Shares)} shares were sold that these books never bought; they earn nothing here, for they came before the books began`,
      );
    const outside = rows.reduce((sum, row) => sum + row.outside, 0);
    if (outside > 0)
      remark(
        `${account}: ${wholeShares(outside as Shares)} shares came or went by other hands, or while no bot ran, as the venue's holdings show; they are counted in held at cost, and earn nothing until they are sold`,
      );
  }
  if (given.out !== undefined)
    await writeFills(
      given.out,
      told.flatMap(({ fills }) => fills),
    );
  if (given.json) printJson(told.map(({ account, rows }) => ({ account, rows: rows.map(inUnits) })));
  else if (given.csv) printCsv(given.by, told);
  else if (told.length === 0)
    print('no run of this account has filled an order, as far as its books are here');
  else for (const { account, rows } of told) print(account, ...tables(given.by, rows));
  return EXIT.clean;
}

const fillsIn = (lines: readonly BookLine[], span: Span): readonly BookedFill[] =>
  bookedFills(lines).filter((fill) => within(fill.at, fill, span));

/** A duration counts from the first fill. */
function spanOf(lines: readonly BookLine[], { from, to, run }: HistoryArguments): Span {
  const [first] = bookedFills(lines);
  const timeOf = (instant: Instant | undefined): number | null => {
    if (instant === undefined) return null;
    return 'at' in instant ? instant.at : (first?.at ?? 0) + instant.afterMs * 1_000;
  };
  return { from: timeOf(from), to: timeOf(to), ...(run !== undefined && { run }) };
}

const MONEY_COLUMNS = ['bought', 'sold', 'fees', 'profit', 'held'] as const;

/** Money in currency units, shares whole. */
const inUnits = (row: HistoryRow): Readonly<Record<string, string | number>> => ({
  ...row,
  shares: wholeShares(row.shares as Shares),
  unbooked: wholeShares(row.unbooked as Shares),
  outside: wholeShares(row.outside as Shares),
  ...Object.fromEntries(MONEY_COLUMNS.map((name) => [name, currencyUnits(row[name] as Money)])),
});

const COLUMNS = ['fills', 'inferred', 'shares', ...MONEY_COLUMNS] as const;

type Told = readonly { readonly account: string; readonly rows: readonly HistoryRow[] }[];

function printCsv(by: Grouping, told: Told): void {
  const rows = told.flatMap(({ account, rows: found }) => found.map((row) => ({ account, ...inUnits(row) })));
  const lines = rows.map((row: Readonly<Record<string, string | number>>) =>
    csvLine([
      row['account']!,
      row['group']!,
      row['currency']!,
      ...COLUMNS.map((name) => row[name]!),
    ]).trimEnd(),
  );
  print(['account', by, 'currency', ...COLUMNS].join(','), ...lines);
}

/** A table for each currency: money of two is never added up. */
function tables(by: Grouping, rows: readonly HistoryRow[]): readonly string[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  return currencies.flatMap((currency) => [
    ...table(
      by,
      rows.filter((row) => row.currency === currency),
    ),
    `money in ${currency}; held: what shares cost that are still held`,
  ]);
}

function table(by: Grouping, rows: readonly HistoryRow[]): readonly string[] {
  const total = { ...rows[0]!, group: 'all' };
  for (const name of COLUMNS) total[name] = rows.reduce((sum, row) => sum + row[name], 0);
  const texts = [...rows, ...(rows.length > 1 ? [total] : [])].map((row) => {
    const units = inUnits(row);
    return [
      row.group,
      ...COLUMNS.map((name) => {
        const value = Number(units[name]);
        return name === 'fills' || name === 'inferred' ? String(value) : value.toFixed(2);
      }),
    ];
  });
  const lines = [[by, ...COLUMNS], ...texts];
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  return lines.map((line) =>
    line.map((text, at) => (at === 0 ? text.padEnd(widths[at]!) : text.padStart(widths[at]!))).join('  '),
  );
}

const COLUMNS_OF_RUNS: readonly FillColumn<BookedFill>[] = [
  fillColumn('run', 'text', ({ runId }) => runId),
  ...FILL_COLUMNS,
];

/** @throws UsageError when it cannot be written, or its name says no form */
async function writeFills(path: string, fills: readonly BookedFill[]): Promise<void> {
  if (!path.endsWith('.csv') && !path.endsWith('.parquet'))
    throw new UsageError(
      `--out ${path}: expected a name that ends in .csv or .parquet, such as fills.parquet`,
    );
  await writeFillFile(path, COLUMNS_OF_RUNS, fills);
  remark(`${fills.length} fills written to ${basename(path)}`);
}
