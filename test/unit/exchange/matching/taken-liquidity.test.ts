import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../../../src/domain/errors.js';
import type { Ticks } from '../../../../src/domain/units.js';
import { ASK, BID, FOREIGN_ORDER, MatchingBook } from '../../../../src/exchange/matching/index.js';
import {
  type ConsumptionModel,
  returns,
  untilRefreshed,
  untilVanished,
} from '../../../../src/venues/simulated/models/liquidity.js';
import { expectLadder } from '../../../support/matching/ladder.js';
import type { LevelRow } from '../../../support/matching/naive-book.js';
import { OthersScene } from '../../../support/exchange/others-scene.js';
import { recordedSide } from '../../../support/tape/recorded-side.js';

describe('what our orders take from others', () => {
  const taken = (consumption: ConsumptionModel = untilRefreshed): OthersScene => {
    const scene = new OthersScene({ consumption });
    scene.line([], [[54, 100]]);
    expect(scene.orders.take(BID, 54, 60)).toBe(60);
    return scene;
  };

  it('is a fill by others', () => {
    const { book } = taken();
    expect(book.fills.count).toBe(1);
    expect(book.fills.makerId(0)).toBe(FOREIGN_ORDER);
    expect([book.fills.shares(0), book.fills.makerLeft(0), book.fills.tick(0)]).toEqual([60, 40, 54]);
    expect(book.top(ASK, 1)).toEqual([{ tick: 54, shares: 40, foreign: 40 }]);
  });

  it('is named by its price until it is back', () => {
    const scene = taken();
    expect([scene.book.missing(ASK), scene.book.missing(BID)]).toEqual([[54], []]);
    scene.line([], [[54, 101]]);
    expect(scene.book.missing(ASK)).toEqual([]);
  });

  it('leaves levels where only orders of ours stand out of those of others', () => {
    const scene = taken();
    scene.line(
      [],
      [
        [54, 100],
        [56, 20],
      ],
    );
    scene.orders.add(1, ASK, 55, 10);
    expect(scene.book.others(ASK, 2)).toEqual([
      { tick: 54, shares: 40, foreign: 40 },
      { tick: 56, shares: 20, foreign: 20 },
    ]);
  });

  it('comes in queue order with orders of ours', () => {
    const scene = new OthersScene();
    scene.line([], [[54, 100]]);
    scene.orders.add(1, ASK, 54, 10);
    scene.line([], [[54, 130]]);
    scene.orders.market(BID, 120);
    expect(scene.fills).toEqual([
      [0, 100],
      [1, 10],
      [0, 10],
    ]);
    expectLadder(scene.book, 'ask 54 20');
  });

  it('stays missing while the recorded size stays or falls', () => {
    const scene = taken();
    scene.line([], [[54, 100]]);
    expectLadder(scene.book, 'ask 54 40');
    scene.line([], [[54, 80]]);
    expectLadder(scene.book, 'ask 54 20');
    scene.line([], [[54, 50]]);
    expectLadder(scene.book, '');
  });

  it('stays missing while only prints make the recorded size fall', () => {
    const scene = taken();
    scene.print('bid', 54, 10);
    scene.line([], [[54, 90]]);
    expectLadder(scene.book, 'ask 54 30');
  });

  it('is back when the recorded size rises', () => {
    const scene = taken();
    scene.line([], [[54, 101]]);
    expectLadder(scene.book, 'ask 54 101');
  });

  it('is back when the recorded size is larger than prints leave it', () => {
    const scene = taken();
    scene.print('bid', 54, 10);
    scene.line([], [[54, 95]]);
    expectLadder(scene.book, 'ask 54 95');
  });

  it('is forgotten when the level vanishes', () => {
    const scene = taken();
    scene.line([], []);
    scene.line([], [[54, 70]]);
    expectLadder(scene.book, 'ask 54 70');
  });

  it.each([
    ['until the level is refreshed', untilRefreshed, [40, 101, 0, 70]],
    ['until the level vanishes', untilVanished, [40, 41, 0, 70]],
    ['no longer than to the next line', returns, [100, 101, 0, 70]],
  ] as const)('may be missing %s', (_, consumption, shown) => {
    const scene = taken(consumption);
    const sizes = [100, 101, 0, 70].map((size) => {
      scene.line([], size === 0 ? [] : [[54, size]]);
      return scene.book.volumeAt(ASK, 54 as Ticks);
    });
    expect(sizes).toEqual(shown);
  });

  it('stays missing while the level is out of sight', () => {
    const scene = taken();
    const better: LevelRow[] = [
      [51, 1],
      [52, 1],
      [53, 1],
    ];
    scene.line([], better);
    scene.line([], [[54, 100]]);
    expectLadder(scene.book, 'ask 54 40');
  });
});

describe('a recorded level that crosses our orders', () => {
  const crossed = (crossing: 'fill' | 'ignore'): OthersScene => {
    const scene = new OthersScene({ crossing });
    scene.orders.add(1, ASK, 54, 10);
    scene.orders.add(2, ASK, 55, 50);
    scene.orders.add(3, ASK, 57, 50);
    scene.line([
      [55, 40],
      [53, 20],
    ]);
    return scene;
  };

  it('fills them at their price, best first, up to its size', () => {
    const scene = crossed('fill');
    expect(scene.fills).toEqual([
      [1, 10],
      [2, 30],
    ]);
    expect(scene.book.fills.tick(1)).toBe(55);
    expectLadder(scene.book, 'ask 57 3:50 \n ask 55 2:20 \n bid 53 20');
  });

  it('brings what our orders leave of it into the book', () => {
    const scene = new OthersScene();
    scene.orders.add(1, BID, 52, 10);
    scene.line([], [[51, 25]]);
    expectLadder(scene.book, 'ask 51 15');
  });

  it('does not fill again while it stays, and only with what it grew when it grows', () => {
    const scene = crossed('fill');
    scene.line([
      [55, 40],
      [53, 20],
    ]);
    expect(scene.fills).toEqual([]);
    scene.line([
      [55, 45],
      [53, 20],
    ]);
    expect(scene.fills).toEqual([[2, 5]]);
    scene.line([[55, 30]]);
    scene.line([[55, 45]]);
    expect(scene.fills).toEqual([]);
  });

  it('fills again up to its size once it had vanished', () => {
    const scene = crossed('fill');
    scene.line([[53, 20]]);
    scene.line([[55, 40]]);
    expect(scene.fills).toEqual([[2, 20]]);
    expectLadder(scene.book, 'ask 57 3:50 \n bid 55 20');
  });

  it('is ignored by option: both stand there', () => {
    const scene = crossed('ignore');
    expect(scene.fills).toEqual([]);
    expectLadder(scene.book, 'ask 57 3:50 \n ask 55 2:50 \n ask 54 1:10 \n bid 55 40 \n bid 53 20');
  });

  it('when ignored, still trades with an order of ours that arrives', () => {
    const scene = crossed('ignore');
    expect(scene.orders.add(4, ASK, 55, 15)).toBe(0);
    expect(scene.fills).toEqual([[0, 15]]);
  });
});

describe('a snapshot', () => {
  it('restores ours, others, what is missing and what is unseen', () => {
    const scene = new OthersScene();
    scene.line(
      [
        [52, 100],
        [51, 40],
        [50, 5],
      ],
      [[54, 70]],
    );
    scene.orders.add(1, BID, 52, 10);
    scene.orders.add(2, BID, 40, 10);
    scene.orders.take(BID, 54, 30);
    const restored = MatchingBook.restore(scene.book.snapshot(), { foreign: { depth: 3 } });
    expectLadder(restored, 'ask 54 40 \n bid 52 100 1:10 \n bid 51 40 \n bid 50 5 \n bid 40 2:10');
    restored.recordBook(recordedSide([[40, 8]]), recordedSide([[54, 70]]));
    expectLadder(restored, 'ask 54 40 \n bid 52 1:10 \n bid 40 8 2:10');
  });

  it('and the options must agree about foreign volume', () => {
    const plain = new MatchingBook({ minTick: 1 as Ticks, maxTick: 9 as Ticks });
    expect(() => MatchingBook.restore(plain.snapshot(), { foreign: { depth: 1 } })).toThrow(InvariantError);
    expect(() => MatchingBook.restore(new OthersScene().book.snapshot())).toThrow(InvariantError);
  });
});
