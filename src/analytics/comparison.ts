import type { Random } from '../core/ports/random.js';
import type { EventFigures, RunAnalysis } from './analysis.js';
import { clusterBootstrap, clusterStudent, type Interval } from './statistics.js';
import { UNSAID } from './observer.js';

/** Fewer independent events say nothing. */
export const FEWEST_INDEPENDENT_EVENTS = 30;
const LEVEL = 0.95;
const RESAMPLES = 10_000;

/** What pairs of profits show. */
export interface PairedJudgement {
  /** Days and underlyings: events that share both are one piece of evidence. */
  readonly independentEvents: number;
  /** Mean over events of other - base. */
  readonly meanDifference: number;
  readonly interval: { readonly level: number; readonly low: number; readonly high: number } | null;
  /** Configurations tried until these two were chosen; the level is raised accordingly (Bonferroni). */
  readonly tried: number;
  readonly verdict: 'no conclusion' | 'no difference shown' | 'other is better' | 'other is worse';
  /** The verdict in a sentence. */
  readonly text: string;
}

/** Two runs over the same events, event by event. Profits in currency units, open inventory at executable depth. */
export interface RunComparison extends PairedJudgement {
  readonly base: string;
  readonly other: string;
  readonly currency: string;
  readonly pairs: readonly {
    readonly eventId: string;
    readonly title: string;
    readonly cluster: string;
    readonly base: number;
    readonly other: number;
  }[];
  /** What is left out and why, and what else the two runs do not have in common, a sentence each. */
  readonly notes: readonly string[];
}

export interface ComparisonOptions {
  readonly random: Random;
  /** Configurations that were tried, these two included; at least 2. */
  readonly tried: number;
  /** Whether the choice among them was made on other events than these: the level need not be raised then. */
  readonly chosenBlindly?: boolean;
}

/**
 * Compares two runs, paired by event, with a bootstrap interval that draws whole days and underlyings. Left out are
 * events of only one of the runs, those that it met on another day, at another time or in another recording: a number
 * alone does not make them the same. So are those of which neither run saw a price. What else is not alike is noted.
 */
export function compareRuns(
  base: RunAnalysis,
  other: RunAnalysis,
  options: ComparisonOptions,
): RunComparison {
  const { pairs: common, strangers } = pairsOf(base, other);
  const pairs = common.filter(({ isUnseen }) => !isUnseen).map(({ isUnseen: _unseen, ...pair }) => pair);
  const judgement = judgePairs(pairs, options);
  const unseen = common.length - pairs.length;
  return {
    base: base.runId,
    other: other.runId,
    currency: base.currency,
    pairs,
    notes: [...strangerNotes(strangers), ...unlikeNotes(base, other)],
    ...judgement,
    text: unseen === 0 ? judgement.text : `${judgement.text}; ${unseenText(unseen)}`,
  };
}

/** Judges pairs of profits, one for each event; events of one cluster are drawn together. */
export function judgePairs(
  pairs: readonly { readonly cluster: string; readonly base: number; readonly other: number }[],
  { random, tried, chosenBlindly = false }: ComparisonOptions,
): PairedJudgement {
  const clusters = clustersOf(pairs);
  const level = chosenBlindly ? LEVEL : 1 - (1 - LEVEL) / Math.max(1, tried - 1);
  const isEnough = clusters.length >= FEWEST_INDEPENDENT_EVENTS;
  const bounds = clusters.length < 2 ? null : boundsOf(clusters, level, random);
  const differences = clusters.flat();
  const meanDifference =
    differences.length === 0 ? 0 : differences.reduce((sum, value) => sum + value, 0) / differences.length;
  const verdict = !isEnough || bounds === null ? 'no conclusion' : verdictOf(bounds);
  return {
    independentEvents: clusters.length,
    meanDifference,
    interval: bounds === null ? null : { level, ...bounds },
    tried,
    verdict,
    text: sentenceOf(verdict, clusters.length, tried),
  };
}

/**
 * What resamples show, and no narrower than Student's interval: few clusters have longer tails than their resamples, and so many
 * resamples tell nothing of a level that many configurations raise beyond them.
 */
function boundsOf(clusters: readonly (readonly number[])[], level: number, random: Random): Interval {
  const drawn = clusterBootstrap(clusters, { random, level, resamples: RESAMPLES });
  const student = clusterStudent(clusters, level);
  return { low: Math.min(drawn.low, student.low), high: Math.max(drawn.high, student.high) };
}

const unseenText = (events: number): string =>
  `left out: ${events === 1 ? 'an event' : `${events} events`} of which neither run saw a price`;

type EventPair = RunComparison['pairs'][number] & { readonly isUnseen: boolean };

function pairsOf(
  base: RunAnalysis,
  other: RunAnalysis,
): { readonly pairs: readonly EventPair[]; readonly strangers: readonly Stranger[] } {
  const isAtOnce = base.startedAt < other.endedAt && other.startedAt < base.endedAt;
  const others = new Map(other.events.map((event) => [event.id, event]));
  const pairs: EventPair[] = [];
  const strangers: Stranger[] = other.events
    .filter(({ id }) => base.events.every((event) => event.id !== id))
    .map(({ id }) => ({ id, reason: `in ${other.runId} alone` }));
  for (const event of base.events) {
    const counterpart = others.get(event.id);
    const reason =
      counterpart === undefined ? `in ${base.runId} alone` : reasonAgainst(event, counterpart, isAtOnce);
    if (reason !== null) strangers.push({ id: event.id, reason });
    else if (counterpart !== undefined) pairs.push(pairOf(event, counterpart));
  }
  return { pairs, strangers };
}

const pairOf = (event: EventFigures, counterpart: EventFigures): EventPair => ({
  eventId: event.id,
  title: event.title,
  cluster: clusterOf(event.underlying === UNSAID ? counterpart : event),
  isUnseen: event.isUnseen && counterpart.isUnseen,
  base: event.profit.executable,
  other: counterpart.profit.executable,
});

const reasonAgainst = (event: EventFigures, counterpart: EventFigures, isAtOnce: boolean): string | null =>
  isAtOnce ? differenceOf(event, counterpart) : 'the runs do not overlap in time';

/** Why two events of one number are not the same; null when they are, as far as anybody knows. */
function differenceOf(one: EventFigures, other: EventFigures): string | null {
  if (one.day !== other.day || !mayBeAboutOne(one, other)) return 'another day or underlying';
  const [ours = null, theirs = null] = [one, other].map(({ recordings }) => recordings?.join() ?? null);
  if (ours === null || theirs === null) return null;
  if (ours !== theirs) return 'the recordings differ';
  const [noted, notedThere] = [one, other].map(({ notes }) => JSON.stringify(notes));
  return noted === notedThere ? null : 'what markets.json says of the recordings differs';
}

/** A live run may not say what its events are about, where a backtest of its tape does. */
const mayBeAboutOne = ({ underlying: one }: EventFigures, { underlying: other }: EventFigures): boolean =>
  one === other || one === UNSAID || other === UNSAID;

const clusterOf = ({ day, underlying }: EventFigures): string => `${day} ${underlying}`;

/** The differences of each day and underlying, in order of appearance. */
function clustersOf(
  pairs: readonly { readonly cluster: string; readonly base: number; readonly other: number }[],
): readonly (readonly number[])[] {
  const clusters = new Map<string, number[]>();
  for (const { cluster, base, other } of pairs) {
    const differences = clusters.get(cluster) ?? [];
    differences.push(other - base);
    clusters.set(cluster, differences);
  }
  return [...clusters.values()];
}

function verdictOf({ low, high }: Interval): RunComparison['verdict'] {
  if (low > 0) return 'other is better';
  return high < 0 ? 'other is worse' : 'no difference shown';
}

function sentenceOf(verdict: RunComparison['verdict'], independent: number, tried: number): string {
  const basis = `${independent} independent events (days and underlyings), ${tried} configurations tried`;
  if (verdict !== 'no conclusion') return `${verdict}: ${basis}`;
  return `no conclusion: ${basis}; fewer than ${FEWEST_INDEPENDENT_EVENTS} independent events show nothing`;
}

/** What makes a comparison of two runs less than fair, in sentences for people. */

/** An event that is not compared. */
export interface Stranger {
  readonly id: string;
  readonly reason: string;
}

/** Numbers that are named; there may be thousands. */
const NAMED = 10;

/** A sentence for each reason. */
function strangerNotes(strangers: readonly Stranger[]): readonly string[] {
  const reasons = [...new Set(strangers.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const ids = strangers.filter((one) => one.reason === reason).map(({ id }) => id);
    const named = ids.slice(0, NAMED).join(', ');
    const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '';
    return `left out: ${ids.length === 1 ? 'event' : 'events'} ${named}${more}: ${reason}`;
  });
}

/** What the runs took for granted, when it was not the same; guards, or a fault of a strategy, that stopped one of them. */
function unlikeNotes(base: RunAnalysis, other: RunAnalysis): readonly string[] {
  const [live, tested] = [base, other].map(isLive);
  if (live !== tested)
    return ['not alike: one is a live run, the other a backtest', ...stopNotes(base, other)];
  const only = (one: RunAnalysis, than: RunAnalysis): readonly string[] =>
    one.assumptions
      .filter((text) => !than.assumptions.includes(text))
      .map((text) => `${one.runId} has ${text}`);
  return [
    ...[...only(base, other), ...only(other, base)].map((text) => `not alike: ${text}`),
    ...stopNotes(base, other),
  ];
}

const isLive = ({ scenario }: RunAnalysis): boolean => scenario === 'live' || scenario === 'paper';

const stopNotes = (...runs: readonly RunAnalysis[]): readonly string[] =>
  runs.flatMap(({ runId, guards }) => {
    const failed = (guards?.held ?? []).filter(({ reason }) => reason === 'strategy-fault');
    const rules = new Set([
      ...(guards?.stops ?? []).map(({ rule }) => rule),
      ...failed.map(({ reason }) => reason),
    ]);
    return rules.size === 0 ? [] : [`${runId} was stopped by ${[...rules].join(', ')}`];
  });

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
  if (scenario === 'live' || scenario === 'paper') return comparison;
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

/** The one number that stands over a report. */
export interface Headline {
  readonly scenario: string;
  /** Currency units, open inventory at what the book at the end would pay. */
  readonly profit: number;
  /** How many scenarios there are. */
  readonly scenarios: number;
}

/**
 * The profit under the scenario that the configuration names. The least of several would be the least of noisy draws.
 * @param analyses one run under one scenario each; at least one. A live run has one, whatever its name
 */
export function headlineOf(analyses: readonly RunAnalysis[], wanted: string): Headline {
  const { scenario, total } = analyses.find((one) => one.scenario === wanted) ?? analyses[0]!;
  return { scenario, profit: total.profit.executable, scenarios: analyses.length };
}
