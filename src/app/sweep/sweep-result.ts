import { judgePairs, type PairedJudgement } from '../../analytics/comparison.js';
import {
  type Candidate,
  type CandidateRank,
  type FoldResult,
  leastProfit,
  type PieceProfits,
  rank,
} from '../../backtest/index.js';
import { seededRandom } from '../../runtime/seeded-random.js';
import type { FinishedJob, SweepJob } from './job.js';
import type { SweepPlan } from './sweep-plan.js';

/** What a sweep came to, as plain JSON. Profits in currency, the least of the three scenarios; times in microseconds. */
export interface SweepResult {
  readonly format: 1;
  readonly id: string;
  readonly method: string;
  readonly splits: string;
  readonly seed: number;
  readonly currency: string;
  /** Configurations tried; the file as it is comes on top. */
  readonly tried: number;
  readonly parameters: readonly string[];
  readonly pieces: readonly {
    readonly event: string;
    readonly cluster: string;
    readonly from: number;
    readonly to: number;
  }[];
  /** By place, as folds and ranks name them: the values of the parameters, and on each piece three profits and counts of fills. */
  readonly candidates: readonly {
    readonly values: Candidate;
    readonly profits: PieceProfits;
    readonly fills: readonly (readonly number[])[];
  }[];
  readonly ranking: readonly CandidateRank[];
  readonly folds: readonly (FoldResult & { readonly baseProfit: number })[];
  readonly outOfSample: {
    /** What training chose, in the tests. */
    readonly profit: number;
    /** The file as it is, in the same tests. */
    readonly base: number;
    /** Chosen against the file as it is, by event. */
    readonly judgement: PairedJudgement;
  };
}

/** @param finished every job of the plan */
export function resultOf(plan: SweepPlan, finished: (job: SweepJob) => FinishedJob): SweepResult {
  const { sweep, axes, pieces } = plan;
  const profitsOf = (jobs: readonly SweepJob[]) => jobs.map((job) => finished(job).profits);
  const base = profitsOf(plan.baseJobs);
  const candidates = plan.jobs.map(profitsOf);
  const { folds, candidates: ranking, outOfSample } = rank(candidates, plan.folds);
  const onBase = (places: readonly number[]) => leastProfit(places.map((place) => base[place]!));
  return {
    format: 1,
    id: plan.id,
    method: sweep.method,
    splits: sweep.splits,
    seed: sweep.seed,
    currency: plan.currency,
    tried: candidates.length,
    parameters: axes.map(({ path }) => path),
    pieces: pieces.map(({ event, cluster, from, to }) => ({ event, cluster, from, to })),
    candidates: candidates.map((profits, place) => ({
      values: plan.candidates[place]!,
      profits,
      fills: plan.jobs[place]!.map((job) => finished(job).fills),
    })),
    ranking,
    folds: folds.map((fold) => ({ ...fold, baseProfit: onBase(fold.test) })),
    outOfSample: {
      profit: outOfSample,
      base: onBase(folds.flatMap(({ test }) => test)),
      judgement: judgementOf(plan, folds, candidates, base),
    },
  };
}

/** The choices are made without the tests, so that they count as one configuration against one other. */
function judgementOf(
  { pieces, sweep }: SweepPlan,
  folds: readonly FoldResult[],
  candidates: readonly PieceProfits[],
  base: PieceProfits,
): PairedJudgement {
  const events = new Map<string, { cluster: string; chosen: number[][]; base: number[][] }>();
  for (const { test, chosen } of folds)
    for (const place of test) {
      const { event, cluster } = pieces[place]!;
      const pair = events.get(event) ?? { cluster, chosen: [], base: [] };
      events.set(event, pair);
      pair.chosen.push([...candidates[chosen]![place]!]);
      pair.base.push([...base[place]!]);
    }
  const pairs = [...events.values()].map((pair) => ({
    cluster: pair.cluster,
    base: leastProfit(pair.base),
    other: leastProfit(pair.chosen),
  }));
  const random = seededRandom(sweep.seed).fork('bootstrap');
  return judgePairs(pairs, { random, tried: candidates.length, chosenBlindly: true });
}
