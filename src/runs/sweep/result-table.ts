/** A sweep as Parquet: a row for each configuration, piece and scenario. */
import { renameSync, rmSync } from 'node:fs';
import { type Column, ParquetTable, type Row } from '../../storage/index.js';
import { SCENARIOS } from '../backtest/scenario-names.js';
import type { SweepReport } from '../../report/sweep-report.js';

const COLUMNS: readonly Column[] = [
  { name: 'candidate', kind: 'integer' },
  { name: 'piece', kind: 'integer' },
  { name: 'event', kind: 'text' },
  { name: 'cluster', kind: 'text' },
  { name: 'from', kind: 'time' },
  { name: 'to', kind: 'time' },
  { name: 'scenario', kind: 'text' },
  { name: 'profit', kind: 'decimal' },
  { name: 'fills', kind: 'integer' },
  { name: 'stopped_by', kind: 'text' },
  { name: 'faults', kind: 'text' },
  { name: 'chosen', kind: 'integer' },
];
const MICRO = 1_000_000;

/**
 * Puts the table in place, whole; each parameter is a column of text, named by its path. `chosen` is 1 in the rows of the piece
 * that tests a choice of the configuration, 0 in those of others, and empty on pieces that test none.
 * @throws an error of the file system; nothing is left beside it then
 */
export async function writeResultTable(path: string, result: SweepReport): Promise<void> {
  const whole = `${path}.new`;
  try {
    await writeRows(whole, result);
    renameSync(whole, path);
  } catch (error) {
    rmSync(whole, { force: true });
    throw error;
  }
}

async function writeRows(path: string, result: SweepReport): Promise<void> {
  const parameters = result.parameters.map((name): Column => ({ name, kind: 'text' }));
  const table = new ParquetTable(path, [...COLUMNS, ...parameters]);
  for (const row of rowsOf(result)) await table.add(row);
  await table.close();
}

function* rowsOf({ candidates, pieces, parameters, folds }: SweepReport): Generator<Row> {
  for (const [candidate, { values, profits, fills, stops, faults }] of candidates.entries()) {
    const stated = Object.fromEntries(parameters.map((name, at) => [name, textOf(values[at])]));
    for (const [piece, about] of pieces.entries()) {
      const chosen = choiceOn(piece, candidate, folds);
      for (const [place, scenario] of SCENARIOS.entries()) {
        const profit = BigInt(Math.round(profits[piece]![place]! * MICRO));
        const stopped_by = stops[piece]![place]!.join(', ');
        const told = { stopped_by, faults: faults[piece]![place]!.join('; ') };
        const found = { profit, fills: fills[piece]![place]!, ...told, chosen };
        yield { candidate, piece, ...about, scenario, ...found, ...stated };
      }
    }
  }
}

/** Each piece is tested once at most. */
function choiceOn(piece: number, candidate: number, folds: SweepReport['folds']): number | null {
  const fold = folds.find(({ test }) => test.includes(piece));
  if (fold === undefined) return null;
  return fold.chosen === candidate ? 1 : 0;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
