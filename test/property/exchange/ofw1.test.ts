import { describe, expect, it } from 'vitest';
import { ASK, BID, MatchingBook } from '../../../src/exchange/matching/index.js';
import type { CommandBook } from '../../support/matching/book-pair.js';
import { listFills } from '../../support/matching/book-pair.js';
import { drawLadder } from '../../support/matching/ladder.js';
import { NaiveBook } from '../../support/matching/naive-book.js';
import type { Ofw1Name, Ofw1Tape } from '../../support/matching/ofw1.js';
import {
  ADD,
  CANCEL,
  MARKET,
  OFW1_CASES,
  OFW1_TOTALS,
  ofw1Book,
  recordOfw1,
} from '../../support/matching/ofw1.js';

/** `OFW1_OPERATIONS=1000000` holds whole workloads against the naive book, `deep` at most 50,000 of them. */
const OPERATIONS = Number(process.env['OFW1_OPERATIONS'] ?? 20_000);
const names = Object.keys(OFW1_CASES) as Ofw1Name[];

/** Sends operation `at` to a book. */
function send(book: CommandBook, tape: Ofw1Tape, at: number): void {
  const kind = tape.kinds[at]!;
  const id = tape.ids[at]!;
  const side = tape.sides[at] === 0 ? BID : ASK;
  if (kind === ADD) book.add(id, side, tape.ticks[at]!, tape.sizes[at]!);
  else if (kind === CANCEL) book.cancel(id);
  else if (kind === MARKET) book.market(side, tape.sizes[at]!);
  else book.replace(id, tape.ticks[at]!, tape.sizes[at]!);
}

describe('the order-flow workload OFW1', () => {
  it.each(names)('%s gives the published totals and tape hash', { timeout: 60_000 }, (name) => {
    expect(recordOfw1(OFW1_CASES[name], 1_000_000).totals).toEqual(OFW1_TOTALS[name]);
  });

  it.each(names)('%s trades alike in the fast and the naive book', { timeout: 1_200_000 }, (name) => {
    const count = name === 'deep' ? Math.min(OPERATIONS, 50_000) : OPERATIONS;
    const tape = recordOfw1(OFW1_CASES[name], count);
    const fast = new MatchingBook({ ...ofw1Book(OFW1_CASES[name]), capacity: 1 });
    const naive = new NaiveBook(fast.minTick, fast.maxTick);
    for (let at = 0; at < count; at++) {
      send(fast, tape, at);
      send(naive, tape, at);
      if (fast.fills.count === 0 && naive.fills.length === 0) continue;
      expect(listFills(fast.fills), `operation ${at}`).toEqual(naive.fills);
    }
    expect(fast.size).toBe(tape.totals.restingOrders);
    expect(drawLadder(fast)).toBe(drawLadder(naive));
  });
});
