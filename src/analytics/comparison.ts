import type { Random } from '../core/ports/random.js';
import type { EventFigures, RunAnalysis } from './analysis.js';
import { clusterBootstrap, clusterStudent, type Interval } from './bootstrap.js';
import { type Stranger, strangerNotes, unlikeNotes } from './comparison-notes.js';
import { UNSAID } from './run-description.js';

/** Fewer independent events say nothing. */
const FEWEST_INDEPENDENT_EVENTS = 30;
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
    const twin = others.get(event.id);
    const reason = twin === undefined ? `in ${base.runId} alone` : reasonAgainst(event, twin, isAtOnce);
    if (reason !== null) strangers.push({ id: event.id, reason });
    else if (twin !== undefined) pairs.push(pairOf(event, twin));
  }
  return { pairs, strangers };
}

const pairOf = (event: EventFigures, twin: EventFigures): EventPair => ({
  eventId: event.id,
  title: event.title,
  cluster: clusterOf(event.underlying === UNSAID ? twin : event),
  isUnseen: event.isUnseen && twin.isUnseen,
  base: event.profit.executable,
  other: twin.profit.executable,
});

const reasonAgainst = (event: EventFigures, twin: EventFigures, isAtOnce: boolean): string | null =>
  isAtOnce ? differenceOf(event, twin) : 'the runs do not overlap in time';

/** Why two events of one number are not the same; null when they are, as far as anybody knows. */
function differenceOf(one: EventFigures, other: EventFigures): string | null {
  if (one.day !== other.day || !mayBeAboutOne(one, other)) return 'another day or underlying';
  const [ours, theirs] = [one, other].map(recordingsOf);
  if (ours === null || theirs === null) return null;
  if (ours !== theirs) return 'the recordings differ';
  const isNotedAlike = one.notes === undefined || other.notes === undefined || sameNotes(one, other);
  return isNotedAlike ? null : 'what markets.json says of the recordings differs';
}

/** A live run may not say what its events are about, where a backtest of its tape does. */
const mayBeAboutOne = ({ underlying: one }: EventFigures, { underlying: other }: EventFigures): boolean =>
  one === other || one === UNSAID || other === UNSAID;

const sameNotes = (one: EventFigures, other: EventFigures): boolean =>
  JSON.stringify(one.notes) === JSON.stringify(other.notes);

/** null where it is not known. Reports of earlier versions do not say. */
const recordingsOf = ({ recordings }: EventFigures): string | null =>
  (recordings as EventFigures['recordings'] | undefined)?.join() ?? null;

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
