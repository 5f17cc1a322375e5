/** Fills as files for other programs: the same columns as CSV and as Parquet. */
import { renameSync, rmSync } from 'node:fs';
import { cannotWrite } from '../domain/errors.js';
import { PRICE_ONE } from '../domain/units.js';
import { type Column, ParquetTable } from '../storage/files/parquet-table.js';
import { UNFINISHED, writeWhole } from '../storage/files/whole-files.js';
import { csvLine, isoTime } from './csv.js';
import type { FillRow } from './fill-rows.js';

/** A fill with what the run knows of it besides. */
export interface KnownFill extends FillRow {
  /** The strategy instance; null: no instance quotes the market. */
  readonly instance: string | null;
  readonly currency: string;
}

/** A column, and its cell; decimals as counts of 0.000001. */
export interface FillColumn<Row> extends Column {
  readonly of: (row: Row) => string | number | null;
}

export const fillColumn = <Row>(
  name: string,
  kind: Column['kind'],
  of: FillColumn<Row>['of'],
): FillColumn<Row> => ({ name, kind, of });

/** Of the position, on average; counts of 0.000001. */
export const priceOf = ({ amount, shares }: Pick<FillRow, 'amount' | 'shares'>): number | null =>
  shares === 0 ? null : Math.round((amount / shares / PRICE_ONE) * 1e6);

export const FILL_COLUMNS: readonly FillColumn<KnownFill>[] = [
  /** Of the run, in the order in which it learned of them. */
  fillColumn('fill', 'integer', ({ id }) => id),
  /** No message told of it: the venue's holdings show it. Its order and price are the likeliest ones. */
  fillColumn('inferred', 'text', ({ isInferred }) => (isInferred ? 'yes' : 'no')),
  /** By the clock of the bot, when it heard of the fill, or saw before that holdings differ. */
  fillColumn('bot_time', 'time', ({ at }) => at),
  fillColumn('instance', 'text', ({ instance }) => instance),
  fillColumn('event', 'text', ({ eventId }) => eventId),
  fillColumn('market', 'text', ({ marketId }) => marketId),
  fillColumn('order', 'text', ({ orderId }) => orderId),
  fillColumn('side', 'text', ({ side }) => side),
  fillColumn('position', 'text', ({ position }) => position),
  fillColumn('price', 'decimal', priceOf),
  fillColumn('shares', 'decimal', ({ shares }) => shares * 10_000),
  fillColumn('amount', 'decimal', ({ amount }) => amount),
  fillColumn('fee', 'decimal', ({ fee }) => fee),
  fillColumn('currency', 'text', ({ currency }) => currency),
  /** maker, taker or unknown. */
  fillColumn('liquidity', 'text', ({ liquidity }) => liquidity),
];

/** Text is written once there is so much of it. */
const PIECE = 65_536;

/**
 * Writes a file of fills, whole or not at all; memory does not grow with the rows.
 * @param path ends in `.csv` or `.parquet`
 * @throws UsageError when it cannot be written
 */
export async function writeFillFile<Row>(
  path: string,
  columns: readonly FillColumn<Row>[],
  rows: Iterable<Row>,
): Promise<void> {
  try {
    if (path.endsWith('.csv')) writeWhole(path, csvPieces(columns, rows), 'nothing');
    else await writeParquet(path, columns, rows);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

async function writeParquet<Row>(
  path: string,
  columns: readonly FillColumn<Row>[],
  rows: Iterable<Row>,
): Promise<void> {
  try {
    const table = await ParquetTable.open(path + UNFINISHED, columns);
    for (const row of rows)
      await table.add(Object.fromEntries(columns.map(({ name, of }) => [name, of(row)])));
    await table.close();
    renameSync(path + UNFINISHED, path);
  } catch (error) {
    rmSync(path + UNFINISHED, { force: true });
    throw error;
  }
}

function* csvPieces<Row>(columns: readonly FillColumn<Row>[], rows: Iterable<Row>): Generator<string> {
  let text = `${columns.map(({ name }) => name).join(',')}\n`;
  for (const row of rows) {
    text += csvLine(columns.map(({ kind, of }) => cellOf(kind, of(row))));
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield text;
}

function cellOf(kind: Column['kind'], cell: string | number | null): string | number | null {
  if (typeof cell !== 'number' || kind === 'integer') return cell;
  return kind === 'time' ? isoTime(cell) : cell / 1e6;
}
