import { judgePairs, type PairedJudgement } from '../../analytics/comparison.js';
import { type FoldResult, leastProfit, type PieceProfits, rank } from '../backtest/index.js';
import type { SweepReport, SweptEvent, SweptStop } from '../../report/sweep-report.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { SCENARIOS } from '../backtest/scenario-names.js';
import type { FinishedJob, SweepJob } from './job.js';
import type { SweepPlan } from './sweep-plan.js';

/** @param finished every job of the plan */
export function resultOf(plan: SweepPlan, finished: (job: SweepJob) => FinishedJob): SweepReport {
  const { sweep, axes, pieces } = plan;
  const profitsOf = (jobs: readonly SweepJob[]) => jobs.map((job) => finished(job).profits);
  const base = profitsOf(plan.baseJobs);
  const candidates = plan.jobs.map(profitsOf);
  const isFaulty = (candidate: number, piece: number): boolean =>
    finished(plan.jobs[candidate]![piece]!).faults.flat().length > 0;
  const { folds, candidates: ranking, outOfSample } = rank(candidates, plan.folds, isFaulty);
  const onBase = (places: readonly number[]) => leastProfit(places.map((place) => base[place]!));
  const choices = folds.flatMap(({ test, chosen }) => (chosen === null ? [] : [{ test, chosen }]));
  const events = eventsOf(pieces, choices, candidates, base);
  return {
    format: 2,
    id: plan.id,
    title: plan.title,
    method: sweep.method,
    splits: sweep.splits,
    seed: sweep.seed,
    currency: plan.currency,
    tried: candidates.length,
    parameters: axes.map(({ path }) => path),
    scenarios: SCENARIOS,
    pieces: pieces.map(({ event, cluster, from, to }) => ({ event, cluster, from, to })),
    candidates: candidates.map((profits, place) => ({
      values: plan.candidates[place]!,
      profits,
      fills: plan.jobs[place]!.map((job) => finished(job).fills),
      stops: plan.jobs[place]!.map((job) => finished(job).stops),
      faults: plan.jobs[place]!.map((job) => finished(job).faults),
    })),
    ranking: ranking.map((row) => ({ ...row, stoppedBy: stopsOf(plan.jobs[row.candidate]!.map(finished)) })),
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

/** A test without a choice has no figure: that of whichever came first would be taken for a choice of training. */
function unchosenRemarks(folds: readonly FoldResult[]): readonly string[] {
  const without = folds.filter(({ chosen }) => chosen === null).length;
  if (without === 0) return [];
  const where =
    without === folds.length
      ? 'in any test'
      : `in ${without} of ${folds.length} tests, and the figures out of sample are of the others`;
  return [`nothing was chosen ${where}: every configuration failed in training`];
}

/** What failed in its test came to something there, and to nothing that one would have had. */
function failedRemarks(
  folds: readonly FoldResult[],
  isFaulty: (candidate: number, piece: number) => boolean,
): readonly string[] {
  const choices = folds.filter(({ chosen }) => chosen !== null);
  const failed = choices.filter(({ test, chosen }) => test.some((piece) => isFaulty(chosen!, piece))).length;
  if (failed === 0) return [];
  return [`what training chose failed in ${failed} of its ${choices.length} tests`];
}

/** In the order in which the pieces first tell of them. */
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

/** What was chosen and the file as it is, in the tests of each event. */
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
      base: leastProfit(tested.map(({ place }) => base[place]!)),
      chosen: leastProfit(tested.map(({ place, chosen }) => candidates[chosen]![place]!)),
    };
  });
}

/** The choices are made without the tests, so that they count as one configuration against one other. */
function judgementOf(events: readonly SweptEvent[], seed: number, tried: number): PairedJudgement {
  const pairs = events.map(({ cluster, base, chosen }) => ({ cluster, base, other: chosen }));
  const random = seededRandom(seed).fork('bootstrap');
  return judgePairs(pairs, { random, tried, chosenBlindly: true });
}
