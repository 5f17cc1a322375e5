/** Chooses candidates by training and reports their profit in tests. */
import type { SweptFold, SweptRank, SweptPiece } from '../../report/sweep-report.js';

/** Profits of one candidate under the scenario of the headline, by place of the piece. */
export type PieceProfits = readonly number[];

/** A choice and its test. Chosen is the first candidate with the best score in training; none when all failed. */
export type FoldResult = Omit<SweptFold, 'baseProfit'>;

export interface Ranking {
  readonly folds: readonly FoldResult[];
  /** By training: best mean rank first. */
  readonly candidates: readonly Omit<SweptRank, 'stoppedBy' | 'score'>[];
  /** Profit of all choices in their tests; null when nothing was chosen. */
  readonly outOfSample: number | null;
}

/**
 * Ranks by training, reports by test.
 * @param candidates at least one, each with every piece
 * @param folds      at least one
 * @param isFaulty   whether the candidate failed on the piece: a candidate that failed in training comes last and is not
 *   chosen
 * @param score      what training goes by; more is better. Tests go by profit
 */
export function rank(
  candidates: readonly PieceProfits[],
  folds: readonly Fold[],
  isFaulty: (candidate: number, piece: number) => boolean = () => false,
  score: (profits: PieceProfits) => number = sum,
): Ranking {
  const trained = folds.map(({ train }) =>
    candidates.map((pieces, candidate) =>
      train.some((piece) => isFaulty(candidate, piece)) ? FAILED : score(at(pieces, train)),
    ),
  );
  const tested = folds.map(({ test }) => candidates.map((pieces) => sum(at(pieces, test))));
  const chosen = trained.map(choiceOf);
  const choices = folds.flatMap(({ test }, place) => {
    const choice = chosen[place]!;
    return choice === null ? [] : at(candidates[choice]!, test);
  });
  const testPieces = [...new Set(folds.flatMap(({ test }) => test))];
  return {
    folds: folds.map((fold, place) => resultOf(fold, chosen[place]!, candidates)),
    candidates: candidates
      .map((pieces, candidate) => ({
        candidate,
        meanTrainRank: meanRank(
          trained.filter((_, place) => chosen[place] !== null),
          candidate,
        ),
        meanTestRank: meanRank(tested, candidate)!,
        timesChosen: chosen.filter((one) => one === candidate).length,
        testProfit: sum(at(pieces, testPieces)),
        allProfit: sum(pieces),
      }))
      .toSorted((a, b) => a.meanTrainRank! - b.meanTrainRank! || a.candidate - b.candidate),
    outOfSample: choices.length === 0 ? null : sum(choices),
  };
}

/** Less than any score. */
const FAILED = -Infinity;

/** @param trained of each candidate @returns null when all failed */
function choiceOf(trained: readonly number[]): number | null {
  const best = Math.max(...trained);
  return best === FAILED ? null : trained.indexOf(best);
}

function resultOf(fold: Fold, chosen: number | null, candidates: readonly PieceProfits[]): FoldResult {
  if (chosen === null) return { ...fold, chosen, trainProfit: null, testProfit: null };
  const [trainProfit, testProfit] = [fold.train, fold.test].map((places) =>
    sum(at(candidates[chosen]!, places)),
  );
  return { ...fold, chosen, trainProfit: trainProfit!, testProfit: testProfit! };
}

const at = (pieces: PieceProfits, places: readonly number[]): readonly number[] =>
  places.map((place) => pieces[place]!);

/** Equals share the better place. @returns null of no folds */
const meanRank = (folds: readonly (readonly number[])[], candidate: number): number | null =>
  folds.length === 0
    ? null
    : sum(folds.map((profits) => 1 + profits.filter((other) => other > profits[candidate]!).length)) /
      folds.length;

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Places of pieces for training and for the test. No piece is in both. */
export interface Fold {
  readonly train: readonly number[];
  readonly test: readonly number[];
}

export type SplitMethod = 'walk-forward' | 'leave-one-event-out';

/** Folds with pieces on both sides; empty when the pieces allow none. */
export const foldsOf = (method: SplitMethod, pieces: readonly SweptPiece[]): readonly Fold[] =>
  (method === 'walk-forward' ? walkForward(pieces) : leaveOneEventOut(pieces)).filter(
    ({ train }) => train.length > 0,
  );

/** Tests every piece after training on earlier pieces. */
const walkForward = (pieces: readonly SweptPiece[]): readonly Fold[] =>
  places(pieces)
    .toSorted((a, b) => pieces[a]!.from - pieces[b]!.from || a - b)
    .map((test) => ({
      test: [test],
      train: places(pieces).filter((other) => pieces[other]!.to <= pieces[test]!.from),
    }));

/** Tests every event after training on all others. */
const leaveOneEventOut = (pieces: readonly SweptPiece[]): readonly Fold[] =>
  [...new Set(pieces.map(({ event }) => event))].map((event) => ({
    test: places(pieces).filter((place) => pieces[place]!.event === event),
    train: places(pieces).filter((place) => pieces[place]!.event !== event),
  }));

const places = (pieces: readonly SweptPiece[]): readonly number[] => pieces.map((_, place) => place);
