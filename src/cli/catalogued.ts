import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../domain/errors.js';
import type { Micros } from '../domain/units.js';
import { readReport } from '../report/report-files.js';
import { enterRun } from '../runs/catalogue/rows.js';
import { remark } from './output.js';

/** Enters what a command made into the catalogue. What stands in the way is a remark: the result itself is written. */
export async function catalogued(enter: (time: Micros) => Promise<void>): Promise<void> {
  try {
    await enter((Date.now() * 1_000) as Micros);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    remark(`not entered into the catalogue of runs: ${error.message}`);
  }
}

/** Enters a bot that has ended. A bot without a tape has no description of its run, and is left out. @param page of its report */
export async function cataloguedBot(page: string): Promise<void> {
  const folder = dirname(page);
  if (!existsSync(join(folder, 'run.json'))) return;
  await catalogued((time) => enterRun(dirname(dirname(folder)), folder, readReport(folder), time));
}
