/** What a sweep ranks by, and how much of the best is luck. */
import { deviationOf, meanOf } from '../../analytics/statistics.js';
import { FEWEST_INDEPENDENT_EVENTS } from '../../analytics/comparison.js';
import type { Random } from '../../core/ports/random.js';
import type { SweptBest } from '../../report/sweep-report.js';
import type { SweepSettings } from '../../settings/index.js';
import type { PieceProfits } from './ranking.js';

export type Objective = Pick<SweepSettings, 'objective' | 'gamma' | 'k'>;

/** Score of a configuration from its profits, one for each piece. More is better. @param profits at least {@link fewestPieces} */
export function scoreOf(objective: Objective, profits: PieceProfits): number {
  const everywhere = profits.map((_, place) => place);
  return scoreOn(scorerOf(objective, profits, LEAST_DEVIATION), everywhere);
}

/** Pieces without which there is no score. */
export const fewestPieces = ({ objective }: Objective): number =>
  objective === 'sharpe' || objective === 'profit-less-errors' ? 2 : 1;

/** The smallest amount of money stands for no deviation at all. */
const LEAST_DEVIATION = 1e-6;

/** A score is a function of two sums over pieces. */
interface Scorer {
  readonly terms: readonly number[];
  readonly score: (sumOfTerms: number, sumOfSquares: number) => number;
}

/** @param least deviation that is taken at least */
function scorerOf({ objective, gamma, k }: Objective, profits: PieceProfits, least: number): Scorer {
  const count = profits.length;
  const deviation = (total: number, squares: number): number =>
    Math.max(least, Math.sqrt(Math.max(0, squares - total ** 2 / count) / (count - 1)));
  if (objective === 'certainty-equivalent') {
    const lowest = Math.min(...profits);
    const terms = profits.map((profit) => Math.exp(-gamma! * (profit - lowest)));
    return { terms, score: (total) => lowest - Math.log(total / count) / gamma! };
  }
  if (objective === 'sharpe')
    return { terms: profits, score: (total, squares) => total / count / deviation(total, squares) };
  if (objective === 'profit') return { terms: profits, score: (total) => total };
  const errors = k * Math.sqrt(count);
  return { terms: profits, score: (total, squares) => total - errors * deviation(total, squares) };
}

function scoreOn({ terms, score }: Scorer, places: readonly number[]): number {
  let [total, squares] = [0, 0];
  for (const place of places) {
    const term = terms[place]!;
    total += term;
    squares += term * term;
  }
  return score(total, squares);
}

/** What the objective is called. */
export function objectiveText({ objective, gamma, k }: Objective): string {
  if (objective === 'certainty-equivalent') return `certainty equivalent of a piece (gamma ${gamma})`;
  if (objective === 'sharpe') return 'Sharpe ratio of a piece';
  return objective === 'profit' ? 'profit' : `profit less ${k} standard errors`;
}

const DRAWS = 2_000;
/** A chance below this is no luck. */
const LUCK = 0.05;

export interface Luck {
  /** Mean score of the best of as many configurations without any edge. */
  readonly expectedMaximum: number;
  /** The score less the expected maximum. */
  readonly deflated: number;
  /** Part of the draws without any edge in which the best reaches the score. */
  readonly chance: number;
}

/** A draw of few pieces may take one of them again and again. Its deviation counts as this part of that of all at least. */
const LEAST_PART = 0.5;

/**
 * Deflates the best score for the number of configurations tried (White 2000, A Reality Check for Data Snooping). Each
 * draw takes as many pieces as there are, with replacement and the same for all configurations, from profits less their
 * mean. So configurations that are alike count as one.
 * @param candidates all that were tried, with every piece
 */
export function luckOf(
  score: number,
  candidates: readonly PieceProfits[],
  objective: Objective,
  random: Random,
  draws = DRAWS,
): Luck {
  const scorers = candidates.map((profits) => edgelessScorer(objective, profits));
  const pieces = candidates[0]!.length;
  const maxima = Array.from({ length: draws }, () => {
    const drawn = Array.from({ length: pieces }, () => random.below(pieces));
    return scorers.reduce((most, scorer) => Math.max(most, scoreOn(scorer, drawn)), -Infinity);
  });
  const expectedMaximum = meanOf(maxima)!;
  const chance = maxima.filter((maximum) => maximum >= score).length / draws;
  return { expectedMaximum, deflated: score - expectedMaximum, chance };
}

function edgelessScorer(objective: Objective, profits: PieceProfits): Scorer {
  const mean = meanOf(profits)!;
  const least = Math.max(LEAST_DEVIATION, LEAST_PART * (deviationOf(profits) ?? 0));
  return scorerOf(
    objective,
    profits.map((profit) => profit - mean),
    least,
  );
}

/**
 * The best score on everything, with its luck.
 * @param scores of the configurations that may be the best; -Infinity: it failed, or is not known
 * @param tried profits of all that were tried
 * @param about `independentEvents` are days and underlyings
 * @returns null where none may be the best
 */
export function bestOf(
  scores: readonly number[],
  tried: readonly PieceProfits[],
  objective: Objective,
  { independentEvents, random }: { readonly independentEvents: number; readonly random: Random },
): SweptBest | null {
  const candidate = scores.reduce((best, score, at) => (score > scores[best]! ? at : best), 0);
  const score = scores[candidate]!;
  if (score === -Infinity) return null;
  const luck = luckOf(score, tried, objective, random);
  return { candidate, score, ...luck, verdict: verdictOf(luck, independentEvents) };
}

const verdictOf = ({ chance }: Luck, independentEvents: number): SweptBest['verdict'] =>
  independentEvents < FEWEST_INDEPENDENT_EVENTS
    ? 'no conclusion'
    : chance < LUCK
      ? 'better than luck'
      : 'no better than luck';
