import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../../../src/domain/errors.js';
import type { OrderId } from '../../../../src/exchange/contract/ids.js';
import type { Money, Shares, Ticks } from '../../../../src/domain/units.js';
import type { AmountOrder, BookSide } from '../../../../src/exchange/matching/index.js';
import { ASK, BID, Fills, MatchingBook } from '../../../../src/exchange/matching/index.js';
import type { CommandBook } from '../../../support/matching/book-pair.js';
import { listFills } from '../../../support/matching/book-pair.js';
import { expectLadder } from '../../../support/matching/ladder.js';

const newBook = (options: { capacity?: number; fills?: Fills } = {}): MatchingBook =>
  new MatchingBook({ minTick: 1 as Ticks, maxTick: 99 as Ticks, ...options });

/** A book with two asks at 54, one at 55, and a bid at 52. */
function quoted(): MatchingBook {
  const book = newBook();
  const orders: CommandBook = book;
  orders.add(1, ASK, 54, 30);
  orders.add(2, ASK, 54, 20);
  orders.add(3, ASK, 55, 40);
  orders.add(4, BID, 52, 10);
  expectLadder(book, 'ask 55 3:40 \n ask 54 1:30 2:20 \n bid 52 4:10');
  return book;
}

const commands = (book: MatchingBook): CommandBook => book;
const rows = (book: MatchingBook) =>
  listFills(book.fills).map((fill) => [fill.makerId, fill.tick, fill.shares, fill.makerLeft]);

describe('a limit order', () => {
  it('rests whole when nothing crosses it, and trades nothing', () => {
    const book = quoted();
    expect(commands(book).add(5, BID, 53, 15)).toBe(15);
    expect(book.fills.count).toBe(0);
    expectLadder(book, 'ask 55 3:40 \n ask 54 1:30 2:20 \n bid 53 5:15 \n bid 52 4:10');
  });

  it('trades best price first, then first in time, at the resting price, and rests with what is left', () => {
    const book = quoted();
    expect(commands(book).add(5, BID, 55, 100)).toBe(10);
    expect(rows(book)).toEqual([
      [1, 54, 30, 0],
      [2, 54, 20, 0],
      [3, 55, 40, 0],
    ]);
    expectLadder(book, 'bid 55 5:10 \n bid 52 4:10');
  });

  it('leaves a maker it does not finish at the front of its level', () => {
    const book = quoted();
    expect(commands(book).add(5, BID, 54, 35)).toBe(0);
    expect(rows(book)).toEqual([
      [1, 54, 30, 0],
      [2, 54, 5, 15],
    ]);
    expectLadder(book, 'ask 55 3:40 \n ask 54 2:15 \n bid 52 4:10');
  });

  it('of an id that rests is refused before anything changes, crossing or not', () => {
    const book = quoted();
    expect(() => commands(book).add(4, BID, 55, 100)).toThrow(InvariantError);
    expect(() => commands(book).add(4, BID, 50, 100)).toThrow(InvariantError);
    expectLadder(book, 'ask 55 3:40 \n ask 54 1:30 2:20 \n bid 52 4:10');
    expect(commands(book).add(5, BID, 50, 10)).toBe(10);
  });

  it.each([
    ['price below the book', 1, 0, 10],
    ['price above the book', 1, 100, 10],
    ['price between ticks', 1, 50.5, 10],
    ['no price', 1, NaN, 10],
    ['no shares', 1, 50, 0],
    ['negative shares', 1, 50, -1],
    ['a fraction of a share unit', 1, 50, 1.5],
    ['endless shares', 1, 50, Infinity],
    ['more shares than a record holds', 1, 50, 2 ** 31],
    ['an id of 33 bits', 2 ** 32, 50, 10],
    ['the id that stands for others', 0, 50, 10],
  ])('with %s is refused', (_, id, tick, shares) => {
    expect(() => commands(newBook()).add(id, BID, tick, shares)).toThrow(InvariantError);
  });

  it('may use any 32-bit id but 0, and shares that add up beyond 32 bits', () => {
    const book = newBook();
    const most = 2 ** 31 - 1;
    for (const id of [1, -1, 2 ** 31 - 1, -(2 ** 31)]) commands(book).add(id, BID, 50, most);
    expect(book.depth(BID, 50 as Ticks)).toBe(4 * most);
    expect(commands(book).cancel(1)).toBe(most);
    expectLadder(book, 'bid 50 -1:2147483647 2147483647:2147483647 -2147483648:2147483647');
    expect(commands(book).take(ASK, 1, 2 ** 40)).toBe(3 * most);
    expect(book.depth(BID, 50 as Ticks)).toBe(0);
  });
});

describe('immediate or cancel', () => {
  it('stops at its limit and never rests', () => {
    const book = quoted();
    expect(commands(book).take(BID, 54, 100)).toBe(50);
    expectLadder(book, 'ask 55 3:40 \n bid 52 4:10');
  });

  it('as a market order takes whatever rests', () => {
    const book = quoted();
    expect(commands(book).market(BID, 60)).toBe(60);
    expect(commands(book).market(ASK, 60)).toBe(10);
    expectLadder(book, 'ask 55 3:30');
  });
});

describe('an order by amount', () => {
  interface Terms {
    readonly side?: BookSide;
    readonly limit?: number;
    readonly amount: number;
    readonly maxShares?: number;
    readonly base?: number;
    readonly perTick?: number;
  }
  const order = ({
    side = BID,
    limit = 99,
    amount,
    maxShares = 1000,
    base = 0,
    perTick = 1,
  }: Terms): AmountOrder => {
    return {
      side,
      limit: limit as Ticks,
      amount: amount as Money,
      maxShares: maxShares as Shares,
      base,
      perTick,
    };
  };

  it('buys at each level what the rest of the amount pays for, rounded down', () => {
    const book = quoted();
    // 50 at 54 cost 2700; of the remaining 300, five at 55 cost 275.
    expect(book.takeAmount(order({ amount: 3000 }))).toBe(55);
    expectLadder(book, 'ask 55 3:35 \n bid 52 4:10');
  });

  it('counts a fee per share', () => {
    expect(quoted().takeAmount(order({ amount: 3000, base: 6 }))).toBe(50);
  });

  it('of short pays one minus the long price', () => {
    const book = quoted();
    expect(book.takeAmount(order({ side: ASK, limit: 1, amount: 470, base: 100, perTick: -1 }))).toBe(9);
    expectLadder(book, 'ask 55 3:40 \n ask 54 1:30 2:20 \n bid 52 4:1');
  });

  it('keeps to its limit and to its shares', () => {
    expect(quoted().takeAmount(order({ amount: 1e9, limit: 54 }))).toBe(50);
    expect(quoted().takeAmount(order({ amount: 1e9, maxShares: 20 }))).toBe(20);
  });

  it('that does not pay for one share unit trades nothing', () => {
    expect(quoted().takeAmount(order({ amount: 53 }))).toBe(0);
  });
});

describe('cancel, reduce and replace', () => {
  it('cancel takes the order out wherever it stands in the queue', () => {
    const book = quoted();
    commands(book).add(5, ASK, 54, 5);
    expect(commands(book).cancel(2)).toBe(20);
    expectLadder(book, 'ask 55 3:40 \n ask 54 1:30 5:5 \n bid 52 4:10');
    expect(commands(book).cancel(2)).toBe(0);
  });

  it('reduce keeps the place in the queue', () => {
    const book = quoted();
    expect(commands(book).reduce(1, 25)).toBe(25);
    expectLadder(book, 'ask 55 3:40 \n ask 54 1:5 2:20 \n bid 52 4:10');
  });

  it('reduce to nothing takes the order out', () => {
    const book = quoted();
    expect(commands(book).reduce(1, 31)).toBe(30);
    expect(commands(book).reduce(1, 1)).toBe(0);
    expectLadder(book, 'ask 55 3:40 \n ask 54 2:20 \n bid 52 4:10');
    expect(() => commands(book).reduce(2, 0)).toThrow(InvariantError);
  });

  it('replace is last in time, even at the same price', () => {
    const book = quoted();
    expect(commands(book).replace(1, 54, 25)).toBe(25);
    expectLadder(book, 'ask 55 3:40 \n ask 54 2:20 1:25 \n bid 52 4:10');
  });

  it('replace may trade, and what it has left rests under the same id', () => {
    const book = quoted();
    expect(commands(book).replace(3, 52, 15)).toBe(5);
    expectLadder(book, 'ask 54 1:30 2:20 \n ask 52 3:5');
    expect(book.order(3 as OrderId)).toEqual({ id: 3, side: ASK, tick: 52, shares: 5 });
    expect(commands(book).replace(3, 60, 8)).toBe(8);
    expect(commands(book).replace(2, 54, 8)).toBe(8);
  });

  it('replace that trades whole is gone', () => {
    const book = quoted();
    expect(commands(book).replace(4, 54, 7)).toBe(0);
    expect(book.has(4 as OrderId)).toBe(false);
  });

  it('replace of an absent order, or out of range, is refused before anything changes', () => {
    const book = quoted();
    expect(() => commands(book).replace(5, 54, 7)).toThrow(InvariantError);
    expect(() => commands(book).replace(4, 100, 7)).toThrow(InvariantError);
    expectLadder(book, 'ask 55 3:40 \n ask 54 1:30 2:20 \n bid 52 4:10');
  });

  it('an id is free again once its order is gone', () => {
    const book = quoted();
    commands(book).cancel(1);
    expect(commands(book).add(1, BID, 51, 3)).toBe(3);
  });
});

describe('reading a book', () => {
  it('best is beyond the book on an empty side, so that comparisons hold', () => {
    const book = newBook();
    expect([book.best(BID), book.best(ASK)]).toEqual([0, 100]);
    expect([quoted().best(BID), quoted().best(ASK)]).toEqual([52, 54]);
  });

  it('wouldMatch tells a price that trades at once', () => {
    const book = quoted();
    expect([53, 54].map((tick) => book.wouldMatch(BID, tick as Ticks))).toEqual([false, true]);
    expect([53, 52].map((tick) => book.wouldMatch(ASK, tick as Ticks))).toEqual([false, true]);
  });

  it('volumes, depth and top levels add up', () => {
    const book = quoted();
    expect(book.volumeAt(ASK, 54 as Ticks)).toBe(50);
    expect(book.volumeAt(BID, 54 as Ticks)).toBe(0);
    expect([53, 54, 55, 99].map((tick) => book.depth(ASK, tick as Ticks))).toEqual([0, 50, 90, 90]);
    expect(book.top(ASK, 1)).toEqual([{ tick: 54, shares: 50, foreign: 0 }]);
    expect(book.top(ASK, 5).map(({ tick }) => tick)).toEqual([54, 55]);
    expect(book.size).toBe(4);
  });

  it('tells the place of an order in its queue', () => {
    const book = quoted();
    expect([1, 2, 3, 6].map((id) => book.ahead(id as OrderId))).toEqual([0, 30, 0, 0]);
    expect(book.order(2 as OrderId)?.shares).toBe(20);
    expect(book.order(6 as OrderId)).toBeNull();
  });

  it('a book may share its buffer of fills with others', () => {
    const fills = new Fills();
    const [first, second] = [newBook({ fills }), newBook({ fills })];
    first.add(1 as OrderId, ASK, 50 as Ticks, 10 as Shares);
    second.add(1 as OrderId, BID, 50 as Ticks, 10 as Shares);
    expect(fills.count).toBe(0);
    first.market(BID, 4 as Shares);
    expect(rows(second)).toEqual([[1, 50, 4, 6]]);
  });
});

describe('a book of more levels than a record can tell apart', () => {
  it('is refused', () => {
    const upTo = (maxTick: number) => new MatchingBook({ minTick: 1 as Ticks, maxTick: maxTick as Ticks });
    expect(upTo(2 ** 19).maxTick).toBe(2 ** 19);
    expect(() => upTo(2 ** 19 + 1)).toThrow(/at most 1048576 levels/);
  });
});

describe('a book that cannot grow any more', () => {
  it('refuses an order before it trades, and goes on with those it has', { timeout: 60_000 }, () => {
    const book = newBook();
    const orders = commands(book);
    const most = Math.floor(2 ** 21 * 0.8);
    for (let id = 1; id <= most; id++) orders.add(id, BID, 1 + (id % 50), 1);
    expect(() => orders.add(most + 1, ASK, 1, 10)).toThrow(/at most 4194304 levels and places of orders/);
    expect(() => orders.add(most + 1, BID, 1, 10)).toThrow(/at most 4194304 levels and places of orders/);
    expect(book.size).toBe(most);
    expect(book.depth(BID, 1 as Ticks)).toBe(most);
    expect(orders.cancel(7)).toBe(1);
    expect(orders.add(most + 1, BID, 60, 10)).toBe(10);
  });
});

describe('a snapshot of an order that no record holds', () => {
  it('is refused', () => {
    const book = quoted();
    const { levels, ...rest } = book.snapshot();
    const larger = levels.map((level) => ({
      ...level,
      orders: level.orders.map((order) => ({ ...order, shares: (2 ** 31) as Shares })),
    }));
    expect(() => MatchingBook.restore({ ...rest, levels: larger })).toThrow(/shares are out of range/);
  });
});

describe('growth', () => {
  it('keeps every order when the book outgrows its capacity', () => {
    const book = newBook({ capacity: 1 });
    for (let id = 1; id <= 5000; id++) commands(book).add(id, BID, 1 + (id % 99), id);
    expect(book.size).toBe(5000);
    for (let id = 1; id <= 5000; id++) expect(commands(book).cancel(id)).toBe(id);
    expect(book.size).toBe(0);
    expectLadder(book, '');
  });

  it('lists every fill of a long sweep', () => {
    const book = newBook();
    for (let id = 1; id <= 1000; id++) commands(book).add(id, ASK, 1 + (id % 99), 2);
    expect(commands(book).market(BID, 2000)).toBe(2000);
    expect(book.fills.count).toBe(1000);
    expect(listFills(book.fills).every(({ shares, makerLeft }) => shares === 2 && makerLeft === 0)).toBe(
      true,
    );
  });

  it('works at any width, down to a single tick', () => {
    for (const width of [1, 31, 32, 33, 1024, 1025, 70_000]) {
      const book = new MatchingBook({ minTick: 10 as Ticks, maxTick: (9 + width) as Ticks });
      commands(book).add(1, BID, 10, 5);
      commands(book).add(2, ASK, 9 + width, 5);
      const touch = [...book.levels(BID), ...book.levels(ASK)].map(({ tick }) => tick);
      expect(touch).toEqual(width === 1 ? [] : [10, 9 + width]);
    }
    expect(() => new MatchingBook({ minTick: 2 as Ticks, maxTick: 1 as Ticks })).toThrow(InvariantError);
  });
});
