import { reportOfRun } from '../../runs/run-report.js';
import { unlessStopped } from '../../runs/interruption.js';
import type { RunAnalysis } from '../../analytics/analysis.js';
import { compareRuns, type RunComparison, claimOf } from '../../analytics/comparison.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { writeReport } from '../../report/report-files.js';
import { type RunReport, reportOf } from '../../report/run-report.js';
import { makeFolder } from '../../storage/files/whole-files.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { interruptible } from '../signals.js';
import { print, remark } from '../output.js';

export interface ReportArguments {
  readonly against?: string;
  readonly tried: number;
  readonly out?: string;
}

/** Of the bootstrap: the same two runs always give the same interval. */
const SEED = 1;

/** `oddsmith report <run>`: writes the page and the tables anew, and prints what the run came to. */
export async function rewriteReport(
  folder: string,
  { against, tried, out }: ReportArguments,
): Promise<ExitCode> {
  const [report, base] = await interruptible('nothing is written, the report is what it was', (stop) =>
    unlessStopped(bothReports(folder, against, out ?? folder), stop),
  );
  const shown = base === null ? alone(report) : compared(report, base, tried);
  if (out !== undefined) makeFolder(out);
  const { page } = writeReport(out ?? folder, shown);
  print(...headlines(shown), page);
  return EXIT.clean;
}

async function bothReports(
  folder: string,
  against: string | undefined,
  into: string,
): Promise<readonly [RunReport, RunReport | null]> {
  const report = await reportOfRun(folder, remark, into);
  return [report, against === undefined ? null : await reportOfRun(against, remark)];
}

/** Without what an earlier call compared it with. */
const alone = ({ comparison: _comparison, ...report }: RunReport): RunReport => reportOf(report);

/** In every scenario that both have: whichever of the two is asked for, no more is claimed than all of them show. */
function compared(report: RunReport, base: RunReport, tried: number): RunReport {
  const shared = report.scenarios.flatMap((ours) => {
    const theirs = base.scenarios.find(({ scenario }) => scenario === ours.scenario);
    return theirs === undefined ? [] : [{ ours, theirs }];
  });
  const [first] = shared;
  if (first === undefined)
    throw new UsageError(`only one of the two runs has the scenario ${report.headline.scenario}`);
  const [ours, theirs] = [first.ours.currency, first.theirs.currency];
  if (ours !== theirs) throw new UsageError(`the runs trade ${ours} and ${theirs}, which cannot be compared`);
  const comparison = claimOf(
    shared.map((runs) => ({
      scenario: runs.ours.scenario,
      comparison: comparisonOf(runs.theirs, runs.ours, tried),
    })),
  );
  if (comparison.pairs.length === 0)
    throw new UsageError(
      `the two runs have no event in common: they are paired by number, day, underlying and recording, and have to overlap in time; ${comparison.notes.join('; ')}`,
    );
  return reportOf({ ...report, comparison });
}

const comparisonOf = (theirs: RunAnalysis, ours: RunAnalysis, tried: number): RunComparison =>
  compareRuns(theirs, ours, { random: seededRandom(SEED), tried: Math.max(2, Math.round(tried)) });

function headlines({ headline, remarks, scenarios, comparison }: RunReport): readonly string[] {
  const lines = scenarios.map(
    ({ scenario, currency, total }) =>
      `${scenario.padEnd(12)} profit ${total.profit.executable.toFixed(2)} ${currency}, ${total.fills.count} fills of ${total.fills.shares.toFixed(2)} shares`,
  );
  const over = `headline: ${headline.profit.toFixed(2)} (${headline.scenario}), open inventory at executable depth`;
  return [...lines, over, ...remarks, ...(comparison === null ? [] : comparisonLines(comparison))];
}

/** The run that was asked for is the other one of the comparison, the one it is held against its base. */
function comparisonLines({ base, other, currency, pairs, notes, text }: RunComparison): readonly string[] {
  const [theirs, ours] = [pairs.map((pair) => pair.base), pairs.map((pair) => pair.other)].map(sumOf);
  const count = pairs.length === 1 ? 'the event' : `the ${pairs.length} events`;
  return [
    `on ${count} of both: ${other} ${ours!.toFixed(2)}, base ${base} ${theirs!.toFixed(2)}, difference ${(ours! - theirs!).toFixed(2)} ${currency}`,
    text,
    ...notes,
  ];
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
