/** Which candidate training would have chosen, and what the choice came to where it was not trained. */
import type { SweptFold, SweptRank } from '../../report/sweep-report.js';
import type { Fold } from './splits.js';

/** Profit under each scenario. */
export type Profits = readonly number[];

/** Of one candidate, by place of the piece. */
export type PieceProfits = readonly Profits[];

/** One choice, the candidate with the most profit in training (of equals the first), and its test. */
export type FoldResult = Omit<SweptFold, 'baseProfit'>;

export interface Ranking {
  readonly folds: readonly FoldResult[];
  /** By training: best mean rank first. */
  readonly candidates: readonly Omit<SweptRank, 'stoppedBy'>[];
  /** What the choices of training came to in their tests, together. */
  readonly outOfSample: number;
}

/** The least of the scenarios, each summed over pieces: as a backtest of all of them has its headline. */
export const leastProfit = (pieces: readonly Profits[]): number =>
  pieces.length === 0
    ? 0
    : Math.min(...pieces[0]!.map((_, scenario) => sum(pieces.map((piece) => piece[scenario]!))));

/**
 * Ranks by training, reports by test.
 * @param candidates at least one, each with every piece
 * @param folds      at least one
 * @param isFaulty   whether the candidate's strategy failed on the piece: what it came to there is no profit of it, and one that
 *   failed in training comes last
 */
export function rank(
  candidates: readonly PieceProfits[],
  folds: readonly Fold[],
  isFaulty: (candidate: number, piece: number) => boolean = () => false,
): Ranking {
  const trained = folds.map(({ train }) =>
    candidates.map((pieces, candidate) =>
      train.some((piece) => isFaulty(candidate, piece)) ? -Infinity : leastProfit(at(pieces, train)),
    ),
  );
  const tested = folds.map(({ test }) => candidates.map((pieces) => leastProfit(at(pieces, test))));
  const chosen = trained.map((profits) => profits.indexOf(Math.max(...profits)));
  const testPieces = [...new Set(folds.flatMap(({ test }) => test))];
  return {
    folds: folds.map((fold, place) => ({
      ...fold,
      chosen: chosen[place]!,
      trainProfit: leastProfit(at(candidates[chosen[place]!]!, fold.train)),
      testProfit: tested[place]![chosen[place]!]!,
    })),
    candidates: candidates
      .map((pieces, candidate) => ({
        candidate,
        meanTrainRank: meanRank(trained, candidate),
        meanTestRank: meanRank(tested, candidate),
        timesChosen: chosen.filter((one) => one === candidate).length,
        testProfit: leastProfit(at(pieces, testPieces)),
        allProfit: leastProfit(pieces),
      }))
      .toSorted((a, b) => a.meanTrainRank - b.meanTrainRank || a.candidate - b.candidate),
    outOfSample: leastProfit(folds.flatMap(({ test }, place) => at(candidates[chosen[place]!]!, test))),
  };
}

const at = (pieces: PieceProfits, places: readonly number[]): readonly Profits[] =>
  places.map((place) => pieces[place]!);

/** Equals share the better place. */
const meanRank = (folds: readonly (readonly number[])[], candidate: number): number =>
  sum(folds.map((profits) => 1 + profits.filter((other) => other > profits[candidate]!).length)) /
  folds.length;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
