/** The catalogue of a state folder: what runs, sweeps and screens came to, one small Parquet file for each. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cannotWrite } from '../../domain/errors.js';
import { catalogueFolder } from '../../ops/state/run-folders.js';
import { makeFolder } from '../../storage/files/whole-files.js';
import { type Column, ParquetTable, type Row } from '../../storage/files/parquet-table.js';
import { readParquet } from '../../storage/parquet/read.js';

/** A run, or a configuration of a sweep or a screen, under one scenario. Money in currency units; null: not known. */
export interface CatalogueRow {
  /** Id of the run; of a sweep with the place of the configuration, as `sw-0123456789abcdef/3`. */
  readonly run: string;
  /** When it was written; microseconds. */
  readonly time: number;
  readonly kind: 'live' | 'paper' | 'backtest' | 'sweep' | 'screen' | 'confirmed';
  /** Path of the configuration file, and a hash of its text. */
  readonly file: string;
  readonly file_hash: string | null;
  /** Version of the program with a hash of its code. */
  readonly program: string;
  readonly strategy: string;
  readonly instance: string;
  /** JSON: parameters of the instances and what a sweep tried, by path of the configuration. */
  readonly params: string;
  readonly recordings: string;
  readonly scenario: string;
  /** 1 in the scenario that the configuration goes by. */
  readonly headline: number;
  readonly currency: string;
  readonly profit: number;
  readonly fills: number;
  /** Shares filled. */
  readonly volume: number | null;
  readonly fees: number | null;
  readonly drawdown: number | null;
  /** Of a sweep: what ranks, the score by it, the score less the luck of the best, and the chance of the best. No score: its strategy failed. */
  readonly objective: string | null;
  readonly score: number | null;
  readonly deflated: number | null;
  readonly chance: number | null;
  /** Configurations tried together. */
  readonly tried: number | null;
  /** What stopped quoting, of guards, faults and ends. */
  readonly stopped_by: string;
}

type ColumnName = keyof CatalogueRow;

const KINDS: Readonly<Record<ColumnName, Column['kind']>> = {
  run: 'text',
  time: 'time',
  kind: 'text',
  file: 'text',
  file_hash: 'text',
  program: 'text',
  strategy: 'text',
  instance: 'text',
  params: 'text',
  recordings: 'text',
  scenario: 'text',
  headline: 'integer',
  currency: 'text',
  profit: 'decimal',
  fills: 'integer',
  volume: 'decimal',
  fees: 'decimal',
  drawdown: 'decimal',
  objective: 'text',
  score: 'decimal',
  deflated: 'decimal',
  chance: 'decimal',
  tried: 'integer',
  stopped_by: 'text',
};
const COLUMNS = Object.entries(KINDS).map(([name, kind]): Column => ({ name, kind }));
const MICRO = 1_000_000;
const ENDING = '.parquet';

/** Paths of the files of a catalogue, by name. */
export function catalogueFiles(stateDir: string): readonly string[] {
  const folder = catalogueFolder(stateDir);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(ENDING));
  return names.toSorted().map((name) => join(folder, name));
}

/**
 * Adds a run, or all rows of a sweep, as a file of its own that appears whole. The same run by the same program replaces
 * its file. So a kill leaves no partial file, and processes at one time do not meet.
 * @param id of the run or the sweep
 * @throws UsageError when it cannot be written
 */
export async function addToCatalogue(
  stateDir: string,
  id: string,
  rows: readonly CatalogueRow[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const folder = catalogueFolder(stateDir);
  makeFolder(folder);
  const path = join(folder, `${id}-${first.program.split('+').at(-1)}${ENDING}`);
  const unfinished = `${path}.${process.pid}.new`;
  try {
    const table = await ParquetTable.open(unfinished, COLUMNS);
    for (const row of rows) await table.add(storedRow(row));
    await table.close();
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw cannotWrite(path, error);
  }
}

const storedRow = (row: CatalogueRow): Row =>
  Object.fromEntries(
    COLUMNS.map(({ name, kind }) => {
      const value = row[name as ColumnName];
      return [name, kind === 'decimal' && value !== null ? BigInt(Math.round(Number(value) * MICRO)) : value];
    }),
  );

export interface Catalogue {
  /** By time of writing. */
  readonly rows: readonly CatalogueRow[];
  /** Files that could not be read, with the reason. */
  readonly unread: readonly string[];
}

/** Reads everything. A file that cannot be read, such as one of another program, is named and left out. */
export async function readCatalogue(stateDir: string): Promise<Catalogue> {
  const rows: CatalogueRow[] = [];
  const unread: string[] = [];
  for (const path of catalogueFiles(stateDir)) {
    try {
      for (const row of await readParquet(path)) rows.push(rowOf(row));
    } catch (error) {
      unread.push(`${path} cannot be read and is left out: ${(error as Error).message}`);
    }
  }
  return { rows: rows.toSorted((one, other) => one.time - other.time), unread };
}

/** Columns that a file lacks are null. */
const rowOf = (stored: Record<string, unknown>): CatalogueRow =>
  Object.fromEntries(
    COLUMNS.map(({ name, kind }) => [name, valueOf(stored[name] ?? null, kind)]),
  ) as unknown as CatalogueRow;

function valueOf(value: unknown, kind: Column['kind']): unknown {
  if (value === null || kind === 'text') return value;
  return kind === 'time' ? (value as Date).getTime() * 1_000 : Number(value);
}
