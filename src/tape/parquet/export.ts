import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TapeReader, type TapeReaderOptions } from '../own/tape-reader.js';
import { COLUMNS, type TableName, TABLES, TapeRows } from './rows.js';
import { ParquetTable } from './table.js';

/** Rows by table. */
export type Exported = Readonly<Record<TableName, number>>;

/**
 * Writes a tape as `books.parquet`, `trades.parquet`, `orders.parquet`, `fills.parquet` and `decisions.parquet`.
 * Prices, shares and money are DECIMAL(18,6), times are UTC in microseconds.
 * @param out folder, created when missing; files of these names are overwritten
 * @throws TapeError for a tape that is damaged
 */
export async function exportParquet(
  path: string,
  out: string,
  options: TapeReaderOptions = {},
): Promise<Exported> {
  const reader = new TapeReader(path, options);
  mkdirSync(out, { recursive: true });
  const tables = new Map(TABLES.map((name) => [name, openTable(out, name)]));
  const rows = new TapeRows();
  for await (const batch of reader.batches())
    for (const { line } of batch)
      for (const { table, row } of rows.of(line)) await tables.get(table)!.add(row);
  for (const table of tables.values()) await table.close();
  return Object.fromEntries([...tables].map(([name, { length }]) => [name, length])) as Exported;
}

const openTable = (out: string, name: TableName): ParquetTable =>
  new ParquetTable(join(out, `${name}.parquet`), COLUMNS[name]);
