import type { RunComparison } from './comparison.js';

/** Two runs as one fill scenario shows them. */
export interface ScenarioComparison {
  readonly scenario: string;
  readonly comparison: RunComparison;
}

type Verdict = RunComparison['verdict'];

/** The weakest first. */
const CLAIMS: Readonly<Record<Verdict, number>> = {
  'no conclusion': 0,
  'no difference shown': 1,
  'other is better': 2,
  'other is worse': 2,
};

/**
 * What scenarios show together: the weakest of their verdicts, and no conclusion where one shows the other run better and
 * another worse, for no scenario is truer than the rest. The figures are those of a scenario that says no more than
 * that, of several the one in which the runs are nearest; of runs that change places the verdict is the opposite one.
 * Scenarios in which the runs share no event say nothing, and are named.
 * @param comparisons of the same two runs, in the same order whichever of them is the base; at least one
 * @returns without pairs where no scenario has any
 */
export function claimOf(comparisons: readonly ScenarioComparison[]): RunComparison {
  const shared = comparisons.filter(({ comparison }) => comparison.pairs.length > 0);
  if (shared.length === 0) return comparisons[0]!.comparison;
  const claim = isContradicted(shared) ? contradicted(shared) : weakest(shared);
  return { ...claim, notes: [...claim.notes, ...silentNotes(comparisons)] };
}

const isContradicted = (shared: readonly ScenarioComparison[]): boolean =>
  scenariosThatSay('other is better', shared).length > 0 &&
  scenariosThatSay('other is worse', shared).length > 0;

/** No interval is claimed: each scenario has one that excludes what another shows. */
function contradicted(shared: readonly ScenarioComparison[]): RunComparison {
  const { scenario, comparison } = nearestOf(shared);
  const basis = `${comparison.independentEvents} independent events (days and underlyings), ${comparison.tried} configurations tried`;
  return {
    ...comparison,
    interval: null,
    verdict: 'no conclusion',
    text: `no conclusion: the scenarios contradict each other, ${verdictsOf(shared)}; ${basis}`,
    notes: [`the figures are of the ${scenario} scenario, where the two are nearest`, ...comparison.notes],
  };
}

function weakest(shared: readonly ScenarioComparison[]): RunComparison {
  const least = Math.min(...shared.map(({ comparison }) => CLAIMS[comparison.verdict]));
  const candidates = shared.filter(({ comparison }) => CLAIMS[comparison.verdict] === least);
  const { scenario, comparison } = nearestOf(candidates);
  if (scenario === 'live') return comparison;
  const reason =
    candidates.length === shared.length
      ? 'where the two are nearest'
      : `which claims the least: ${verdictsOf(shared)}`;
  return {
    ...comparison,
    notes: [`compared in the ${scenario} scenario, ${reason}`, ...comparison.notes],
  };
}

/** The first one of equal gaps. */
const nearestOf = (shared: readonly ScenarioComparison[]): ScenarioComparison =>
  shared.reduce((near, one) => (gapOf(one) < gapOf(near) ? one : near));

const gapOf = ({ comparison }: ScenarioComparison): number => Math.abs(comparison.meanDifference);

const scenariosThatSay = (verdict: Verdict, shared: readonly ScenarioComparison[]): readonly string[] =>
  shared.filter(({ comparison }) => comparison.verdict === verdict).map(({ scenario }) => scenario);

/** Such as "other is better in pessimistic, expected; no difference shown in optimistic". */
const verdictsOf = (shared: readonly ScenarioComparison[]): string =>
  [...new Set(shared.map(({ comparison }) => comparison.verdict))]
    .map((verdict) => `${verdict} in ${scenariosThatSay(verdict, shared).join(', ')}`)
    .join('; ');

const silentNotes = (comparisons: readonly ScenarioComparison[]): readonly string[] =>
  comparisons
    .filter(({ comparison }) => comparison.pairs.length === 0)
    .map(({ scenario }) => `the two share no event in the ${scenario} scenario`);
