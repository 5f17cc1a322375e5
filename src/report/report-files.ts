/** A report as files in the folder of its run. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cannotWrite, UsageError } from '../domain/errors.js';
import { replaceFileUnsynced } from '../storage/files/whole-files.js';
import { csvTables, eachTable } from './csv.js';
import type { EachReport } from './each-report.js';
import { eachPage, reportPage } from './html.js';
import { remarksOf, REPORT_VERSION, type RunReport } from './run-report.js';

const JSON_NAME = 'report.json';
const PAGE_NAME = 'report.html';

/** Where the files of a report were written. */
export interface WrittenReport {
  readonly page: string;
  readonly json: string;
  readonly tables: readonly string[];
}

/**
 * Writes `report.html`, `report.json` and the CSV tables; each file whole or not at all. The same report, the same
 * bytes.
 * @param folder one that is there
 * @throws UsageError when it cannot be written
 */
export function writeReport(folder: string, report: RunReport): WrittenReport {
  const tables = csvTables(report).map(({ name, text }) => write(folder, `report-${name}.csv`, text));
  const json = write(folder, JSON_NAME, `${JSON.stringify(report)}\n`);
  return { page: write(folder, PAGE_NAME, reportPage(report)), json, tables };
}

/** As {@link writeReport}, of backtests of each recording. */
export function writeEachReport(folder: string, report: EachReport): string {
  write(folder, JSON_NAME, `${JSON.stringify(report)}\n`);
  const { name, text } = eachTable(report);
  write(folder, `report-${name}.csv`, text);
  return write(folder, PAGE_NAME, eachPage(report));
}

/** Whether there is one, of whatever version. @param folder of a run */
export const hasReport = (folder: string): boolean => existsSync(join(folder, JSON_NAME));

/**
 * Reads the report of a run.
 * @throws UsageError when there is none, or one that this version cannot read
 */
export function readReport(folder: string): RunReport {
  const path = join(folder, JSON_NAME);
  const found = parsed(path);
  if (found.kind !== 'oddsmith-report') throw new UsageError(`${path} is no report of a run`);
  if (found.version !== REPORT_VERSION)
    throw new UsageError(
      `${path} is of version ${String(found.version)}; this program reads version ${REPORT_VERSION}`,
    );
  return withGuards(found as RunReport);
}

/** A report of this version may be older than what it says of guards. */
function withGuards(report: RunReport): RunReport {
  if (report.scenarios.every(({ guards }) => guards !== undefined)) return report;
  const scenarios = report.scenarios.map((run) => ({ ...run, guards: run.guards ?? null }));
  return { ...report, remarks: remarksOf({ facts: report.facts, scenarios }), scenarios };
}

function parsed(path: string): Partial<RunReport> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    throw new UsageError(unreadable(path, error), { cause: error });
  }
  throw new UsageError(`${path} is no report of a run`);
}

function unreadable(path: string, error: unknown): string {
  const reason =
    error instanceof SyntaxError ? 'no JSON' : ((error as NodeJS.ErrnoException).code ?? 'unknown');
  if (reason !== 'ENOENT') return `${path} cannot be read (${reason}); expected the folder of a run`;
  const folder = dirname(path);
  return existsSync(folder)
    ? `${folder} holds no report of a run, and no tape of one to make it from; expected the folder of a run, as oddsmith names it at its end`
    : `${folder}: there is no such folder`;
}

/** A report is made anew from its tape: it need not outlast a power loss. */
function write(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  try {
    replaceFileUnsynced(path, text);
  } catch (error) {
    throw cannotWrite(path, error);
  }
  return path;
}
