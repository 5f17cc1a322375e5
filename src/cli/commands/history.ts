/** `oddsmith history <config.yaml>`: what the account of a file traded and earned, over all its runs. */
import { renameSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { cannotWrite, EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { currencyUnits, type Money, PRICE_ONE, type Shares, wholeShares } from '../../domain/units.js';
import { statePlaces } from '../../ops/state/account-folder.js';
import { readBooks } from '../../ops/state/fills-file.js';
import { csvLine, isoTime } from '../../report/csv.js';
import {
  bookedFills,
  type BookedFill,
  type BookLine,
  type Grouping,
  historyOf,
  type HistoryRow,
  type Span,
  within,
} from '../../report/history.js';
import { loadKeylessSettings } from '../../settings/index.js';
import type { Instant } from '../../settings/scalars.js';
import { UNFINISHED } from '../../storage/files/whole-files.js';
import { type Column, ParquetTable } from '../../storage/parquet/export.js';
import { paperOverrides } from '../option-values.js';
import { print, printJson, remark } from '../output.js';

export interface HistoryArguments {
  readonly by: Grouping;
  readonly from?: Instant;
  readonly to?: Instant;
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
        `${account}: ${wholeShares(unbooked as Shares)} shares were sold that these books never bought; they earn nothing here, for fills by hand or while no bot ran are not in the books`,
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
  else for (const { account, rows } of told) print(account, ...table(given.by, rows, settings.currency));
  return EXIT.clean;
}

const fillsIn = (lines: readonly BookLine[], span: Span): readonly BookedFill[] =>
  bookedFills(lines).filter(({ at }) => within(at, span));

/** A duration counts from the first fill. */
function spanOf(lines: readonly BookLine[], { from, to }: HistoryArguments): Span {
  const [first] = bookedFills(lines);
  const timeOf = (instant: Instant | undefined): number | null => {
    if (instant === undefined) return null;
    return 'at' in instant ? instant.at : (first?.at ?? 0) + instant.afterMs * 1_000;
  };
  return { from: timeOf(from), to: timeOf(to) };
}

const MONEY_COLUMNS = ['bought', 'sold', 'fees', 'profit', 'held'] as const;

/** Money in currency units, shares whole. */
const inUnits = (row: HistoryRow): Readonly<Record<string, string | number>> => ({
  ...row,
  shares: wholeShares(row.shares as Shares),
  unbooked: wholeShares(row.unbooked as Shares),
  ...Object.fromEntries(MONEY_COLUMNS.map((name) => [name, currencyUnits(row[name] as Money)])),
});

const COLUMNS = ['fills', 'inferred', 'shares', ...MONEY_COLUMNS] as const;

type Told = readonly { readonly account: string; readonly rows: readonly HistoryRow[] }[];

function printCsv(by: Grouping, told: Told): void {
  const rows = told.flatMap(({ account, rows: found }) => found.map((row) => ({ account, ...inUnits(row) })));
  const lines = rows.map((row: Readonly<Record<string, string | number>>) =>
    csvLine([row['account']!, row['group']!, ...COLUMNS.map((name) => row[name]!)]).trimEnd(),
  );
  print(['account', by, ...COLUMNS].join(','), ...lines);
}

function table(by: Grouping, rows: readonly HistoryRow[], currency: string): readonly string[] {
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
  const shown = lines.map((line) =>
    line.map((text, at) => (at === 0 ? text.padEnd(widths[at]!) : text.padStart(widths[at]!))).join('  '),
  );
  return [...shown, `money in ${currency}; held: what shares cost that are still held`];
}

/** A column of the file of fills, and its cell; decimals as counts of 0.000001. */
interface FillColumn extends Column {
  readonly of: (fill: BookedFill) => string | number | null;
}

const column = (name: string, kind: Column['kind'], of: FillColumn['of']): FillColumn => ({ name, kind, of });

const FILL_COLUMNS: readonly FillColumn[] = [
  column('run', 'text', ({ runId }) => runId),
  column('fill', 'integer', ({ id }) => id),
  column('inferred', 'text', ({ isInferred }) => (isInferred ? 'yes' : 'no')),
  column('bot_time', 'time', ({ at }) => at),
  column('instance', 'text', ({ instance }) => instance),
  column('event', 'text', ({ eventId }) => eventId),
  column('market', 'text', ({ marketId }) => marketId),
  column('order', 'text', ({ orderId }) => orderId),
  column('side', 'text', ({ side }) => side),
  column('position', 'text', ({ position }) => position),
  column('price', 'decimal', ({ amount, shares }) =>
    shares === 0 ? null : Math.round((amount / shares / PRICE_ONE) * 1e6),
  ),
  column('shares', 'decimal', ({ shares }) => shares * 10_000),
  column('amount', 'decimal', ({ amount }) => amount),
  column('fee', 'decimal', ({ fee }) => fee),
  column('currency', 'text', ({ currency }) => currency),
  column('liquidity', 'text', ({ liquidity }) => liquidity),
];

/** @throws UsageError when it cannot be written, or its name says no form */
async function writeFills(path: string, fills: readonly BookedFill[]): Promise<void> {
  const form = ['.csv', '.parquet'].find((ending) => path.endsWith(ending));
  if (form === undefined)
    throw new UsageError(
      `--out ${path}: expected a name that ends in .csv or .parquet, such as fills.parquet`,
    );
  try {
    if (form === '.csv') writeFileSync(path + UNFINISHED, csvOf(fills), { mode: 0o600 });
    else await writeParquet(path + UNFINISHED, fills);
    renameSync(path + UNFINISHED, path);
  } catch (error) {
    throw cannotWrite(path, error);
  }
  remark(`${fills.length} fills written to ${basename(path)}`);
}

const csvOf = (fills: readonly BookedFill[]): string =>
  [
    `${FILL_COLUMNS.map(({ name }) => name).join(',')}\n`,
    ...fills.map((fill) => csvLine(FILL_COLUMNS.map(({ kind, of }) => shown(kind, of(fill))))),
  ].join('');

function shown(kind: Column['kind'], cell: string | number | null): string | number | null {
  if (typeof cell !== 'number' || kind === 'integer') return cell;
  return kind === 'time' ? isoTime(cell) : cell / 1e6;
}

async function writeParquet(path: string, fills: readonly BookedFill[]): Promise<void> {
  const rows = await ParquetTable.open(path, FILL_COLUMNS);
  for (const fill of fills)
    await rows.add(Object.fromEntries(FILL_COLUMNS.map(({ name, of }) => [name, of(fill)])));
  await rows.close();
}
