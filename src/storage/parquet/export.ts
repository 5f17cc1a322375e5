import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cannotWrite } from '../../domain/errors.js';
import { makeFolder } from '../files/whole-files.js';
import { endingNote, TapeReader, type TapeReaderOptions } from '../tape/tape-reader.js';
import { COLUMNS, type TableName, TABLES, TapeRows } from './rows.js';
import { ParquetTable } from './table.js';

export interface Exported {
  /** By table. */
  readonly rows: Readonly<Record<TableName, number>>;
  /** What is strange of the tape, in sentences for people. */
  readonly notes: readonly string[];
}

/**
 * Writes a tape as `books.parquet`, `trades.parquet`, `orders.parquet`, `fills.parquet` and `decisions.parquet`.
 * Prices, shares and money are DECIMAL(18,6), times are UTC in microseconds.
 * @param out folder, created when missing; files of these names are overwritten, once all of them are whole
 * @throws TapeError for a tape that is damaged, or whose inputs are out of order; UsageError when the folder cannot be written
 */
export async function exportParquet(
  path: string,
  out: string,
  options: TapeReaderOptions = {},
): Promise<Exported> {
  const files = TABLES.map((name) => join(out, `${name}.parquet`));
  const reader = new TapeReader(path, { ...options, inputs: 'in order' });
  makeFolder(out);
  try {
    const rows = await writeTables(reader, files.map(unfinished));
    for (const file of files) renameSync(unfinished(file), file);
    const note = endingNote(reader.ending);
    return { rows, notes: note === null ? [] : [note] };
  } catch (error) {
    for (const file of files) rmSync(unfinished(file), { force: true });
    throw cannotWrite(out, error);
  }
}

const unfinished = (file: string): string => `${file}.new`;

/** @param files in the order of {@link TABLES} */
async function writeTables(reader: TapeReader, files: readonly string[]): Promise<Exported['rows']> {
  const tables = new Map(TABLES.map((name, at) => [name, new ParquetTable(files[at]!, COLUMNS[name])]));
  const rows = new TapeRows();
  for await (const batch of reader.batches())
    for (const { line } of batch)
      for (const { table, row } of rows.of(line)) await tables.get(table)!.add(row);
  for (const table of tables.values()) await table.close();
  return Object.fromEntries([...tables].map(([name, { length }]) => [name, length])) as Exported['rows'];
}
