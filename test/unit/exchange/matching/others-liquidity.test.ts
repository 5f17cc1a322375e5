import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../../../src/domain/errors.js';
import type { Shares, Ticks } from '../../../../src/domain/units.js';
import { ASK, BID, MatchingBook } from '../../../../src/exchange/matching/index.js';
import { front, power } from '../../../../src/venues/simulated/models/queue.js';
import { expectLadder } from '../../../support/matching/ladder.js';
import type { LevelRow } from '../../../support/matching/naive-book.js';
import { OthersScene } from '../../../support/exchange/others-scene.js';
import { recordedSide } from '../../../support/tape/recorded-side.js';

describe('a recorded book line', () => {
  it('sets the absolute volume of others on both sides', () => {
    const scene = new OthersScene();
    scene.line(
      [
        [52, 100],
        [51, 40],
      ],
      [[54, 70]],
    );
    expectLadder(scene.book, 'ask 54 70 \n bid 52 100 \n bid 51 40');
    scene.line([[52, 90]], [[53, 10]]);
    expectLadder(scene.book, 'ask 53 10 \n bid 52 90');
  });

  it('clears what a side with fewer levels than the depth does not name, at any price', () => {
    const scene = new OthersScene();
    scene.line([
      [52, 1],
      [51, 1],
      [50, 1],
    ]);
    scene.line([]);
    expectLadder(scene.book, '');
  });

  it('leaves a level outside the recorded depth frozen, and clears one inside it', () => {
    const scene = new OthersScene();
    scene.line([
      [50, 10],
      [48, 20],
      [47, 30],
    ]);
    scene.line([
      [51, 5],
      [50, 10],
      [49, 5],
    ]);
    expectLadder(scene.book, 'bid 51 5 \n bid 50 10 \n bid 49 5 \n bid 48 20 \n bid 47 30');
    scene.line([
      [51, 5],
      [49, 5],
      [47, 31],
    ]);
    expectLadder(scene.book, 'bid 51 5 \n bid 49 5 \n bid 47 31');
  });

  it('leaves what is behind a side that was cut short frozen, though it states fewer levels than the depth', () => {
    const scene = new OthersScene();
    scene.line([
      [50, 10],
      [48, 20],
    ]);
    scene.book.recordBook({ ...recordedSide([[50, 10]]), isCut: true }, recordedSide([]));
    expectLadder(scene.book, 'bid 50 10 \n bid 48 20');
    scene.line([[50, 10]]);
    expectLadder(scene.book, 'bid 50 10');
  });

  it('takes rows from the middle of longer columns', () => {
    const scene = new OthersScene();
    const columns = { ticks: Int32Array.of(60, 52, 51, 40), shares: Float64Array.of(1, 2, 3, 4) };
    scene.book.recordBook({ ...columns, from: 1, to: 3 }, { ...columns, from: 0, to: 0 });
    expectLadder(scene.book, 'bid 52 2 \n bid 51 3');
  });

  it.each<[string, LevelRow[]]>([
    [
      'that is not best first',
      [
        [50, 1],
        [51, 1],
      ],
    ],
    [
      'that names a level twice',
      [
        [50, 1],
        [50, 1],
      ],
    ],
    ['outside the book', [[100, 1]]],
    ['with an empty level', [[50, 0]]],
  ])('%s is refused', (_, bids) => {
    expect(() => new OthersScene().line(bids)).toThrow(InvariantError);
  });

  it('needs to be known how deep it shows a side', () => {
    for (const depth of [0, -1, 2.5, NaN]) expect(() => new OthersScene({ depth })).toThrow(InvariantError);
  });

  it('is refused by a book made without foreign volume', () => {
    const book = new MatchingBook({ minTick: 1 as Ticks, maxTick: 99 as Ticks });
    expect(() => book.recordBook(recordedSide([]), recordedSide([]))).toThrow(InvariantError);
    expect(() => book.recordPrint(BID, 50 as Ticks, 1 as Shares)).toThrow(InvariantError);
  });
});

describe('the queue', () => {
  it('has others ahead of an order that joins, and behind it what comes later', () => {
    const scene = new OthersScene();
    scene.line([[52, 100]]);
    scene.orders.add(1, BID, 52, 10);
    scene.line([[52, 140]]);
    expectLadder(scene.book, 'bid 52 100 1:10 40');
  });

  it('keeps between two of our orders what came between them', () => {
    const scene = new OthersScene();
    scene.line([[52, 100]]);
    scene.orders.add(1, BID, 52, 10);
    scene.line([[52, 130]]);
    scene.orders.add(2, BID, 52, 20);
    scene.line([[52, 150]]);
    expectLadder(scene.book, 'bid 52 100 1:10 30 2:20 20');
    scene.orders.cancel(1);
    expectLadder(scene.book, 'bid 52 130 2:20 20');
    scene.orders.cancel(2);
    expectLadder(scene.book, 'bid 52 150');
  });

  it('sends a replaced order to the end, others included', () => {
    const scene = new OthersScene();
    scene.line([[52, 100]]);
    scene.orders.add(1, BID, 52, 10);
    scene.line([[52, 130]]);
    scene.orders.replace(1, 52, 10);
    expectLadder(scene.book, 'bid 52 130 1:10');
    scene.orders.reduce(1, 4);
    expectLadder(scene.book, 'bid 52 130 1:6');
  });

  it('follows the published walk of the risk-averse model', () => {
    const scene = new OthersScene();
    scene.line([[52, 100]]);
    scene.orders.add(1, BID, 52, 1000);
    const ahead: number[] = [];
    const step = (move: () => void): void => {
      move();
      ahead.push(scene.ahead(1));
    };
    for (const level of [140, 110]) step(() => scene.line([[52, level]]));
    step(() => scene.print('ask', 52, 20));
    for (const level of [80, 50]) step(() => scene.line([[52, level]]));
    step(() => scene.print('ask', 52, 30));
    step(() => scene.line([[52, 15]]));
    expect(ahead).toEqual([100, 100, 80, 80, 50, 20, 15]);
  });

  it('splits a decrease by the model, rounded against the order', () => {
    const scene = new OthersScene({ queue: power(1) });
    scene.line([[52, 100]]);
    scene.orders.add(1, BID, 52, 10);
    scene.line([[52, 140]]);
    scene.line([[52, 110]]);
    expectLadder(scene.book, 'bid 52 79 1:10 31');
  });

  it('lets no order overtake the one before it, whatever the model says', () => {
    const scene = new OthersScene({ queue: power(3) });
    scene.line([[52, 30]]);
    scene.orders.add(1, BID, 52, 10);
    scene.line([[52, 60]]);
    scene.orders.add(2, BID, 52, 10);
    scene.line([[52, 90]]);
    // Alone, the first would have 24 ahead and the second 7.
    scene.line([[52, 30]]);
    expectLadder(scene.book, 'bid 52 24 1:10 2:10 6');
  });

  it('is empty ahead of an order that joins under the front model', () => {
    const scene = new OthersScene({ queue: front });
    scene.line([[52, 100]]);
    scene.orders.add(1, BID, 52, 10);
    scene.orders.add(2, BID, 52, 10);
    scene.line([[52, 50]]);
    expectLadder(scene.book, 'bid 52 1:10 2:10 50');
  });

  it('has an increase ahead of orders that joined the level out of sight', () => {
    const scene = new OthersScene();
    scene.orders.add(1, BID, 48, 10);
    scene.line([
      [52, 1],
      [51, 1],
      [50, 1],
    ]);
    scene.orders.add(2, BID, 48, 10);
    scene.line([[48, 60]]);
    expectLadder(scene.book, 'bid 48 60 1:10 2:10');
    scene.line([[48, 70]]);
    expectLadder(scene.book, 'bid 48 60 1:10 2:10 10');
  });

  it('has an increase behind orders whose empty level came into sight before', () => {
    const scene = new OthersScene();
    scene.orders.add(1, BID, 48, 10);
    scene.line([]);
    scene.line([[48, 60]]);
    expectLadder(scene.book, 'bid 48 1:10 60');
  });

  it('keeps a frozen level ahead of an order that joins it', () => {
    const scene = new OthersScene();
    scene.line([[48, 60]]);
    scene.line([
      [52, 1],
      [51, 1],
      [50, 1],
    ]);
    scene.orders.add(1, BID, 48, 10);
    expectLadder(scene.book, 'bid 52 1 \n bid 51 1 \n bid 50 1 \n bid 48 60 1:10');
  });
});

describe('a recorded print', () => {
  it('meets everyone at its price in queue order', () => {
    const scene = new OthersScene();
    scene.line([[52, 100]]);
    scene.orders.add(1, BID, 52, 10);
    scene.line([[52, 120]]);
    scene.print('ask', 52, 105);
    expectLadder(scene.book, 'bid 52 1:5 20');
    expect(scene.fills).toEqual([[1, 5]]);
    scene.print('ask', 52, 15);
    expectLadder(scene.book, 'bid 52 10');
    expect(scene.fills).toEqual([[1, 5]]);
  });

  it('fills our better-priced orders first and leaves others there alone', () => {
    const scene = new OthersScene();
    scene.line([
      [52, 100],
      [51, 40],
    ]);
    scene.orders.add(1, BID, 53, 5);
    scene.orders.add(2, BID, 52, 5);
    scene.print('ask', 51, 30);
    expectLadder(scene.book, 'bid 52 100 \n bid 51 20');
    expect(scene.fills).toEqual([
      [1, 5],
      [2, 5],
    ]);
  });

  it('buys from the asks when the aggressor is a bid, and drops what finds nothing', () => {
    const scene = new OthersScene();
    scene.line([], [[54, 10]]);
    scene.orders.add(1, ASK, 55, 5);
    scene.print('bid', 55, 50);
    expectLadder(scene.book, 'ask 54 10');
    expect(scene.fills).toEqual([[1, 5]]);
  });

  it('is not counted again by the next book line', () => {
    const scene = new OthersScene({ queue: power(1) });
    scene.line([[52, 100]]);
    scene.orders.add(1, BID, 52, 10);
    scene.line([[52, 200]]);
    scene.print('ask', 52, 60);
    scene.line([[52, 140]]);
    expectLadder(scene.book, 'bid 52 40 1:10 100');
  });

  it('is counted against one line only', () => {
    const scene = new OthersScene({ queue: power(1) });
    scene.line([[52, 100]]);
    scene.orders.add(1, BID, 52, 10);
    scene.print('ask', 52, 20);
    scene.line([[52, 80]]);
    scene.line([[52, 60]]);
    expectLadder(scene.book, 'bid 52 60 1:10');
  });

  it('that filled ours instead of others leaves a surplus, which the next line takes from behind', () => {
    const scene = new OthersScene();
    scene.line([[52, 100]]);
    scene.orders.add(1, BID, 53, 30);
    scene.orders.add(2, BID, 52, 10);
    scene.line([[52, 150]]);
    scene.print('ask', 52, 30);
    expectLadder(scene.book, 'bid 52 100 2:10 50');
    scene.line([[52, 120]]);
    expectLadder(scene.book, 'bid 52 100 2:10 20');
  });
});
