import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldsOf } from '../../../../src/runs/backtest/index.js';
import type { SweptPiece } from '../../../../src/report/sweep-report.js';

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
