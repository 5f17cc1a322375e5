import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { AccountId, OrderId } from '../../../src/domain/ids.js';
import type { Shares, Ticks } from '../../../src/domain/units.js';
import type { BookSide } from '../../../src/exchange/matching/index.js';
import { ASK, BID, MatchingBook, opposite } from '../../../src/exchange/matching/index.js';

const FOLDER = join(process.env['MARKET_DATA_DIR'] ?? '../shared/data', 'lobster-aapl-l3');
const NOBODY = 0 as AccountId;

interface Row {
  readonly seq: number;
  /** A add, O open before the start, I inferred; C cancel part, D delete, E execution, H of a hidden order. */
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

/** Replays a recording order by order; an execution is an order against the resting one. */
class Replay {
  readonly book = new MatchingBook({ minTick: 40_000 as Ticks, maxTick: 80_000 as Ticks });
  executions = 0;
  executedInTurn = 0;

  apply(row: Row): void {
    if ('AOI'.includes(row.action)) this.enter(row);
    else if (row.action === 'D') expect(this.book.cancel(row.id), `row ${row.seq}`).toBe(row.shares);
    else if (row.action === 'C') this.book.reduce(row.id, row.shares);
    else if (row.action === 'E') this.execute(row);
  }

  /** Appends an order and sends those with a higher id, which came later, behind it. */
  private enter({ id, side, tick, shares }: Row): void {
    const later = [...this.book.queue(side, tick)].filter((order) => order.id > id);
    expect(this.book.add(id, NOBODY, side, tick, shares)).toBe(shares);
    for (const order of later) this.book.replace(order.id, tick, order.shares);
  }

  private execute({ id, side, tick, shares }: Row): void {
    this.executions++;
    expect(this.book.best(side)).toBe(tick);
    if (this.book.ahead(id) !== 0) {
      this.book.reduce(id, shares);
      return;
    }
    this.executedInTurn++;
    expect(this.book.take(opposite(side), tick, shares)).toBe(shares);
    expect(this.book.fills.makerId(0)).toBe(id);
  }
}

const missing = !existsSync(FOLDER);
const found = missing ? `skipped, there is no folder ${FOLDER}` : 'order by order';

describe.skipIf(missing)(`the LOBSTER recording (${found})`, () => {
  it('gives the recorded best bid and offer after every row', { timeout: 120_000 }, () => {
    const replay = new Replay();
    const recorded = touches();
    let touch: Touch | null = null;
    let compared = 0;
    for (const row of rows()) {
      replay.apply(row);
      touch = recorded.get(row.seq) ?? touch;
      if (touch === null) continue;
      compared++;
      expect(touchOf(replay.book), `row ${row.seq}`).toEqual(touch);
    }
    expect({ states: recorded.size, compared }).toEqual({ states: 15_999, compared: 54_628 });
    expect([replay.executions, replay.executedInTurn]).toEqual([2705, 2698]);
  });
});
