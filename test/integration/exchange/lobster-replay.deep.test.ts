import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/exchange/contract/ids.js';
import type { Shares, Ticks } from '../../../src/domain/units.js';
import type { BookSide } from '../../../src/exchange/matching/index.js';
import { ASK, BID, MatchingBook, opposite } from '../../../src/exchange/matching/index.js';

const FOLDER = join(process.env['MARKET_DATA_DIR'] ?? '../shared/data', 'lobster-aapl-l3');

interface Row {
  readonly seq: number;
  /** A add, O open before the start, I inferred; C cancel part, D delete, E execution, H that of a hidden order. */
  readonly action: string;
  readonly id: OrderId;
  readonly side: BookSide;
  readonly tick: Ticks;
  readonly shares: Shares;
}

/** Best ask, its shares, best bid, its shares. */
type Touch = readonly [number, number, number, number];

const lines = (file: string): string[][] => {
  const text = gunzipSync(readFileSync(join(FOLDER, file))).toString('utf8');
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
};

const rows = (): Row[] =>
  lines('orders.csv.gz').map(([seq, , action, id, side, price, size]) => ({
    seq: Number(seq),
    action: action!,
    id: Number(id) as OrderId,
    side: side === 'B' ? BID : ASK,
    tick: Number(price) as Ticks,
    shares: Number(size) as Shares,
  }));

/** LOBSTER's own best bid and offer, by the row after which it holds. */
const touches = (): Map<number, Touch> =>
  new Map(
    lines('bbo.csv.gz').map(([seq, , ...touch]) => [Number(seq), touch.map(Number) as unknown as Touch]),
  );

const touchOf = (book: MatchingBook): Touch => {
  const [ask, bid] = [book.best(ASK), book.best(BID)];
  return [ask, book.volumeAt(ASK, ask), bid, book.volumeAt(BID, bid)];
};

/** Applies a row to a book. @returns whether an order was executed in its turn */
type Action = (book: MatchingBook, row: Row) => boolean;

/** Appends an order and sends those with a higher id, which came later, behind it. */
const enter: Action = (book, { id, side, tick, shares }) => {
  const later = [...book.queue(side, tick)].filter((order) => order.id > id);
  expect(book.add(id, side, tick, shares)).toBe(shares);
  for (const order of later) book.replace(order.id, tick, order.shares);
  return false;
};

const cancelPart: Action = (book, { seq, id, shares }) => {
  expect(book.reduce(id, shares), `row ${seq}`).toBe(shares);
  return false;
};

const cancelWhole: Action = (book, { seq, id, shares }) => {
  expect(book.cancel(id), `row ${seq}`).toBe(shares);
  return false;
};

/** Sends an order against the resting one whose turn it is. */
const execute: Action = (book, { id, side, tick, shares }) => {
  expect(book.take(opposite(side), tick, shares)).toBe(shares);
  expect(book.fills.makerId(0)).toBe(id);
  return true;
};

const ACTIONS: Record<string, Action> = {
  A: enter,
  O: enter,
  I: enter,
  C: cancelPart,
  D: cancelWhole,
  E: (book, row) => (book.ahead(row.id) === 0 ? execute : cancelPart)(book, row),
  H: () => false,
};

const missing = !existsSync(FOLDER);
const found = missing ? `skipped, there is no folder ${FOLDER}` : 'order by order';

describe.skipIf(missing)(`the LOBSTER recording (${found})`, () => {
  it('gives the recorded best bid and offer after every row', { timeout: 120_000 }, () => {
    const book = new MatchingBook({ minTick: 40_000 as Ticks, maxTick: 80_000 as Ticks });
    const recorded = touches();
    let touch: Touch | undefined;
    let compared = 0;
    let executedInTurn = 0;
    for (const row of rows()) {
      if (ACTIONS[row.action]!(book, row)) executedInTurn++;
      touch = recorded.get(row.seq) ?? touch;
      if (touch === undefined) continue;
      compared++;
      expect(touchOf(book), `row ${row.seq}`).toEqual(touch);
    }
    expect({ states: recorded.size, compared, executedInTurn }).toEqual({
      states: 15_999,
      compared: 54_628,
      executedInTurn: 2698,
    });
  });
});
