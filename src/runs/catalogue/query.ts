/** Asks the catalogue in SQL, where DuckDB is installed. */
import { existsSync } from 'node:fs';
import type * as duckdb from '@duckdb/node-api';
import { UsageError } from '../../domain/errors.js';
import { catalogueFiles } from './catalogue.js';

export interface Answer {
  readonly columns: readonly string[];
  /** Cells as JSON has them; decimals and times are texts. */
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Runs a statement on the table `runs`, which is the whole catalogue.
 * @throws UsageError without DuckDB, with an empty catalogue, and for a statement that DuckDB refuses
 */
export async function queryCatalogue(stateDir: string, statement: string): Promise<Answer> {
  const { DuckDBInstance } = await loadDuckDb();
  const files = catalogueFiles(stateDir);
  if (files.length === 0) throw new UsageError(emptyText(stateDir));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    const list = files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ');
    await connection.run(`CREATE VIEW runs AS SELECT * FROM read_parquet([${list}], union_by_name = true)`);
    const found = await connection.runAndReadAll(statement);
    return { columns: found.columnNames(), rows: found.getRowsJson() };
  } catch (error) {
    throw new UsageError(`DuckDB refuses the query: ${(error as Error).message}`, { cause: error });
  } finally {
    connection.closeSync();
  }
}

/** What is said of an empty catalogue. */
export const emptyText = (stateDir: string): string =>
  `no run is in the catalogue of ${stateDir}${existsSync(stateDir) ? '' : ', a folder that is not there,'} yet: backtests, sweeps, screens and bots enter it when they end`;

/** @throws UsageError when it is not installed */
async function loadDuckDb(): Promise<typeof duckdb> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      'a query needs the package @duckdb/node-api, which is optional and not installed here: npm install @duckdb/node-api@1.5.5-r.5; oddsmith runs list and compare need nothing',
      { cause: error },
    );
  }
}
