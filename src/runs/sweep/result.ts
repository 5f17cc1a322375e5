import { renameSync, rmSync } from 'node:fs';
import { judgePairs, type PairedJudgement } from '../../analytics/comparison.js';
import { bestOf, objectiveText, scoreOf } from './objective.js';
import { type FoldResult, type PieceProfits, rank, sum } from './ranking.js';
import type { SweepReport, SweptEvent, SweptObjective, SweptStop } from '../../report/sweep-report.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { SCENARIOS } from '../../settings/index.js';
import type { FinishedJob, SweepJob } from './job.js';
import type { SweepPlan } from './plan.js';
import { type Column, ParquetTable, type Row } from '../../storage/index.js';

/** @param finished every job of the plan */
export function resultOf(plan: SweepPlan, finished: (job: SweepJob) => FinishedJob): SweepReport {
  const { sweep, axes, pieces } = plan;
  const { headline } = plan;
  const scenario = SCENARIOS.indexOf(headline);
  const profitsOf = (jobs: readonly SweepJob[]) => jobs.map((job) => finished(job).profits[scenario]!);
  const base = profitsOf(plan.baseJobs);
  const candidates = plan.jobs.map(profitsOf);
  const isFaulty = (candidate: number, piece: number): boolean =>
    finished(plan.jobs[candidate]![piece]!).faults.flat().length > 0;
  const score = (profits: PieceProfits): number => scoreOf(sweep, profits);
  const { folds, candidates: ranking, outOfSample } = rank(candidates, plan.folds, isFaulty, score);
  const scores = candidates.map((profits, candidate) =>
    pieces.some((_, piece) => isFaulty(candidate, piece)) ? -Infinity : score(profits),
  );
  const best = bestOf(scores, candidates, sweep, {
    independentEvents: new Set(pieces.map(({ cluster }) => cluster)).size,
    random: seededRandom(sweep.seed).fork('luck'),
  });
  const onBase = (places: readonly number[]) => sum(places.map((place) => base[place]!));
  const choices = folds.flatMap(({ test, chosen }) => (chosen === null ? [] : [{ test, chosen }]));
  const events = eventsOf(pieces, choices, candidates, base);
  return {
    format: 4,
    id: plan.id,
    title: plan.title,
    overrides: plan.overrides,
    method: sweep.method,
    splits: sweep.splits,
    seed: sweep.seed,
    currency: plan.currency,
    tried: candidates.length,
    parameters: axes.map(({ path }) => path),
    scenarios: SCENARIOS,
    headline,
    objective: objectiveOf(plan),
    best,
    pieces: pieces.map(({ event, cluster, from, to }) => ({ event, cluster, from, to })),
    candidates: candidates.map((_, place) => ({
      values: plan.candidates[place]!,
      profits: plan.jobs[place]!.map((job) => finished(job).profits),
      fills: plan.jobs[place]!.map((job) => finished(job).fills),
      stops: plan.jobs[place]!.map((job) => finished(job).stops),
      faults: plan.jobs[place]!.map((job) => finished(job).faults),
    })),
    ranking: ranking.map((row) => ({
      ...row,
      score: score(candidates[row.candidate]!),
      stoppedBy: stopsOf(plan.jobs[row.candidate]!.map(finished)),
    })),
    folds: folds.map((fold) => ({ ...fold, baseProfit: onBase(fold.test) })),
    remarks: [...unchosenRemarks(folds), ...failedRemarks(folds, isFaulty)],
    faults: faultsOf([...plan.baseJobs, ...plan.jobs.flat()].map(finished)),
    outOfSample: {
      profit: outOfSample,
      base: choices.length === 0 ? null : onBase(choices.flatMap(({ test }) => test)),
      baseStoppedBy: stopsOf(plan.baseJobs.map(finished)),
      events,
      judgement: judgementOf(events, plan.sweep.seed, candidates.length),
    },
  };
}

export const objectiveOf = ({ sweep, currency }: Pick<SweepPlan, 'sweep' | 'currency'>): SweptObjective => ({
  name: sweep.objective,
  text: objectiveText(sweep),
  unit: sweep.objective === 'sharpe' ? '' : currency,
});

/** A test without a choice has no figure. */
function unchosenRemarks(folds: readonly FoldResult[]): readonly string[] {
  const without = folds.filter(({ chosen }) => chosen === null).length;
  if (without === 0) return [];
  const where =
    without === folds.length
      ? 'in any test'
      : `in ${without} of ${folds.length} tests, and the figures out of sample are of the others`;
  return [`nothing was chosen ${where}: every configuration failed in training`];
}

/** The profit of a failed test is not one that anybody would have made. */
function failedRemarks(
  folds: readonly FoldResult[],
  isFaulty: (candidate: number, piece: number) => boolean,
): readonly string[] {
  const choices = folds.filter(({ chosen }) => chosen !== null);
  const failed = choices.filter(({ test, chosen }) => test.some((piece) => isFaulty(chosen!, piece))).length;
  if (failed === 0) return [];
  return [`what training chose failed in ${failed} of its ${choices.length} tests`];
}

/** Rules in order of their first appearance. */
function stopsOf(jobs: readonly FinishedJob[]): readonly SweptStop[] {
  const rulesOf = (job: FinishedJob): ReadonlySet<string> => new Set(job.stops.flat());
  const rules = new Set(jobs.flatMap((job) => [...rulesOf(job)]));
  return [...rules].map((rule) => ({ rule, pieces: jobs.filter((job) => rulesOf(job).has(rule)).length }));
}

/** Each once, most frequent first. */
function faultsOf(jobs: readonly FinishedJob[]): SweepReport['faults'] {
  const counts = new Map<string, number>();
  for (const { faults } of jobs)
    for (const text of new Set(faults.flat())) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, backtests]) => ({ text, backtests }))
    .toSorted((one, other) => other.backtests - one.backtests);
}

/** Profits of the choices and of the unchanged file in the tests of each event. */
function eventsOf(
  pieces: SweepPlan['pieces'],
  choices: readonly { readonly test: readonly number[]; readonly chosen: number }[],
  candidates: readonly PieceProfits[],
  base: PieceProfits,
): readonly SweptEvent[] {
  const tests = choices.flatMap(({ test, chosen }) => test.map((place) => ({ place, chosen })));
  const events = [...new Set(tests.map(({ place }) => pieces[place]!.event))];
  return events.map((event) => {
    const tested = tests.filter(({ place }) => pieces[place]!.event === event);
    return {
      event,
      cluster: pieces[tested[0]!.place]!.cluster,
      base: sum(tested.map(({ place }) => base[place]!)),
      chosen: sum(tested.map(({ place, chosen }) => candidates[chosen]![place]!)),
    };
  });
}

/** Choices are made without the tests, so they count as one configuration against another. */
function judgementOf(events: readonly SweptEvent[], seed: number, tried: number): PairedJudgement {
  const pairs = events.map(({ cluster, base, chosen }) => ({ cluster, base, other: chosen }));
  const random = seededRandom(seed).fork('bootstrap');
  return judgePairs(pairs, { random, tried, chosenBlindly: true });
}

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
 * Writes a sweep as Parquet: a row for each configuration, piece and scenario. Each parameter is a column of text, named by
 * its path. `chosen` is 1 when the piece tests this configuration, 0 when the piece tests another, and empty otherwise.
 * @throws an error of the file system; no partial file is left
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
  const table = await ParquetTable.open(path, [...COLUMNS, ...parameters]);
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

/** A piece is tested at most once. */
function choiceOn(piece: number, candidate: number, folds: SweepReport['folds']): number | null {
  const fold = folds.find(({ test }) => test.includes(piece));
  if (fold === undefined) return null;
  return fold.chosen === candidate ? 1 : 0;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
