/** What a choice is made on, and what it is tested on. */
import type { SweptPiece } from '../../report/sweep-report.js';

/** Places of pieces. No piece is in both. */
export interface Fold {
  readonly train: readonly number[];
  readonly test: readonly number[];
}

export type SplitMethod = 'walk-forward' | 'leave-one-event-out';

/** Folds in which both sides have something; none when the pieces do not allow any. */
export const foldsOf = (method: SplitMethod, pieces: readonly SweptPiece[]): readonly Fold[] =>
  (method === 'walk-forward' ? walkForward(pieces) : leaveOneEventOut(pieces)).filter(
    ({ train }) => train.length > 0,
  );

/** Every piece is tested with what was over when it began. */
const walkForward = (pieces: readonly SweptPiece[]): readonly Fold[] =>
  places(pieces)
    .toSorted((a, b) => pieces[a]!.from - pieces[b]!.from || a - b)
    .map((test) => ({
      test: [test],
      train: places(pieces).filter((other) => pieces[other]!.to <= pieces[test]!.from),
    }));

/** Every event is tested with all others. */
const leaveOneEventOut = (pieces: readonly SweptPiece[]): readonly Fold[] =>
  [...new Set(pieces.map(({ event }) => event))].map((event) => ({
    test: places(pieces).filter((place) => pieces[place]!.event === event),
    train: places(pieces).filter((place) => pieces[place]!.event !== event),
  }));

const places = (pieces: readonly SweptPiece[]): readonly number[] => pieces.map((_, place) => place);
