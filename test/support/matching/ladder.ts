import { expect } from 'vitest';
import type { BookSide } from '../../../src/exchange/matching/index.js';
import { ASK, BID } from '../../../src/exchange/matching/index.js';

/** What it takes to draw a book; the fast one and the naive one both have it. */
export interface Drawable<Id, Tick> {
  levels(side: BookSide): Iterable<{ readonly tick: Tick; readonly shares: number }>;
  queue(side: BookSide, tick: Tick): Iterable<{ readonly id: Id; readonly shares: number }>;
  ahead(id: Id): number;
}

/**
 * A book as text: a line per level, asks above bids, best prices in the middle; on each line the queue, first in time
 * first, our orders as `id:shares` and others' shares as bare numbers.
 * ```
 * ask 55  40
 * ask 54  100 1:20 50
 * bid 52  2:10 3:5
 * ```
 */
export function drawLadder<Id, Tick>(book: Drawable<Id, Tick>): string {
  const asks = [...book.levels(ASK)].map((level) => drawLevel(book, ASK, level));
  const bids = [...book.levels(BID)].map((level) => drawLevel(book, BID, level));
  return [...asks.reverse(), ...bids].join('\n');
}

/** Expects a book to look as drawn; the spaces between words do not matter. */
export function expectLadder<Id, Tick>(book: Drawable<Id, Tick>, drawing: string): void {
  const lines = drawing.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));
  const wanted = lines.filter((line) => line !== '').join('\n');
  expect(drawLadder(book)).toBe(wanted);
}

function drawLevel<Id, Tick>(
  book: Drawable<Id, Tick>,
  side: BookSide,
  { tick, shares }: { readonly tick: Tick; readonly shares: number },
): string {
  const words = [side === ASK ? 'ask' : 'bid', String(tick)];
  let drawn = 0;
  for (const order of book.queue(side, tick)) {
    const gap = book.ahead(order.id) - drawn;
    if (gap !== 0) words.push(String(gap));
    words.push(`${String(order.id)}:${order.shares}`);
    drawn += gap + order.shares;
  }
  if (shares !== drawn) words.push(String(shares - drawn));
  return words.join(' ');
}
