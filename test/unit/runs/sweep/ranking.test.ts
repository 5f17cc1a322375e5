import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { rank, foldsOf } from '../../../../src/runs/sweep/ranking.js';
import type { SweptPiece } from '../../../../src/report/sweep-report.js';

const FOLDS = [
  { train: [0], test: [1] },
  { train: [0, 1], test: [2] },
];
const plain = (...profits: readonly number[]): readonly number[] => profits;

describe('the ranking of a sweep', () => {
  it('chooses in training and reports from the test', () => {
    const { folds, outOfSample } = rank([plain(10, -7, 1), plain(2, 4, 8)], FOLDS);
    expect(folds).toEqual([
      { train: [0], test: [1], chosen: 0, trainProfit: 10, testProfit: -7 },
      { train: [0, 1], test: [2], chosen: 1, trainProfit: 6, testProfit: 8 },
    ]);
    expect(outOfSample).toBe(1);
  });

  it('does not let a test change what is chosen', () => {
    const chosen = (test: number) =>
      rank([plain(5, 0, test), plain(1, 0, -test)], FOLDS).folds.map((fold) => fold.chosen);
    expect(chosen(1_000)).toEqual(chosen(-1_000));
  });

  it('puts last what failed in training, whatever it came to, and does not choose it', () => {
    const failed = (candidate: number, piece: number): boolean => candidate === 0 && piece === 0;
    const { folds, candidates } = rank([plain(10, 0, 0), plain(-5, 0, 0), plain(-6, 0, 0)], FOLDS, failed);
    expect(folds.map(({ chosen, trainProfit }) => [chosen, trainProfit])).toEqual([
      [1, -5],
      [1, -5],
    ]);
    expect(candidates.map(({ candidate }) => candidate)).toEqual([1, 2, 0]);
    expect(candidates.at(-1)).toMatchObject({ meanTrainRank: 3, timesChosen: 0, allProfit: 10 });
  });

  it('chooses nothing where all failed in training, ranks nothing there, and has no figure of it', () => {
    const all = (_candidate: number, piece: number): boolean => piece === 0;
    const none = rank([plain(10, 1, 2), plain(-5, 0, 0)], FOLDS, all);
    expect(none.folds).toEqual(
      FOLDS.map((fold) => ({ ...fold, chosen: null, trainProfit: null, testProfit: null })),
    );
    expect(none.outOfSample).toBeNull();
    expect(none.candidates.map(({ meanTrainRank, timesChosen }) => [meanTrainRank, timesChosen])).toEqual([
      [null, 0],
      [null, 0],
    ]);
    const folds = [FOLDS[0]!, { train: [1], test: [2] }];
    const some = rank([plain(10, 1, 2), plain(-5, 4, 7)], folds, all);
    expect(some.folds.map(({ chosen }) => chosen)).toEqual([null, 1]);
    expect(some.outOfSample).toBe(7);
    expect(some.candidates.map(({ candidate, meanTrainRank }) => [candidate, meanTrainRank])).toEqual([
      [1, 1],
      [0, 2],
    ]);
  });

  it('orders by training, of equals the first, and counts how often each was chosen', () => {
    const { candidates } = rank([plain(1, 1, 9), plain(3, 0, 0), plain(1, 1, 5)], FOLDS);
    expect(candidates).toEqual([
      { candidate: 1, meanTrainRank: 1, meanTestRank: 3, timesChosen: 2, testProfit: 0, allProfit: 3 },
      { candidate: 0, meanTrainRank: 2, meanTestRank: 1, timesChosen: 0, testProfit: 10, allProfit: 11 },
      { candidate: 2, meanTrainRank: 2, meanTestRank: 1.5, timesChosen: 0, testProfit: 6, allProfit: 7 },
    ]);
  });
});

const piece = (event: string, from: number, to: number): SweptPiece => ({ event, cluster: event, from, to });

const anyPieces = fc.array(
  fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(20), fc.integer({ min: 1, max: 10 }))
    .map(([event, from, length]) => piece(event, from, from + length)),
  { maxLength: 8 },
);

describe('splits of a sweep', () => {
  it('walk forward: a piece is tested with what was over when it began', () => {
    const pieces = [piece('a', 10, 20), piece('a', 20, 30), piece('b', 0, 15), piece('b', 15, 30)];
    expect(foldsOf('walk-forward', pieces)).toEqual([
      { test: [3], train: [2] },
      { test: [1], train: [0, 2] },
    ]);
  });

  it('leave one event out: with all its windows', () => {
    const pieces = [piece('a', 0, 1), piece('b', 0, 1), piece('a', 1, 2)];
    expect(foldsOf('leave-one-event-out', pieces)).toEqual([
      { test: [0, 2], train: [1] },
      { test: [1], train: [0, 2] },
    ]);
  });

  it('are none where nothing can be held back', () => {
    expect(foldsOf('walk-forward', [piece('a', 0, 5), piece('b', 4, 9)])).toEqual([]);
    expect(foldsOf('leave-one-event-out', [piece('a', 0, 1), piece('a', 1, 2)])).toEqual([]);
    expect(foldsOf('walk-forward', [])).toEqual([]);
  });

  it('never train on the future of a test, nor on its event when it is left out', () => {
    fc.assert(
      fc.property(anyPieces, (pieces) => {
        for (const { train, test } of foldsOf('walk-forward', pieces)) {
          const starts = test.map((place) => pieces[place]!.from);
          for (const place of train) expect(pieces[place]!.to).toBeLessThanOrEqual(Math.min(...starts));
        }
        for (const { train, test } of foldsOf('leave-one-event-out', pieces)) {
          const events = new Set(test.map((place) => pieces[place]!.event));
          expect(train.filter((place) => events.has(pieces[place]!.event))).toEqual([]);
          expect(train.length + test.length).toBe(pieces.length);
        }
      }),
    );
  });
});
