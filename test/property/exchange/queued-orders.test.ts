/** Exact queue positions against an array that everybody stands in. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/exchange/contract/ids.js';
import type { Shares, Ticks } from '../../../src/domain/units.js';
import { BID, MatchingBook } from '../../../src/exchange/matching/index.js';

const TICK = 50 as Ticks;

interface Place {
  /** Order of ours; null: others. */
  readonly ours: OrderId | null;
  shares: number;
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('join' as const), shares: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant('leave' as const), pick: fc.nat(), shares: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant('ours' as const), shares: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant('withdraw' as const), pick: fc.nat() }),
);

/** Shares of others before a place. */
const othersBefore = (queue: readonly Place[], end: number): number =>
  queue.slice(0, end).reduce((sum, { ours, shares }) => (ours === null ? sum + shares : sum), 0);

const allBefore = (queue: readonly Place[], end: number): number =>
  queue.slice(0, end).reduce((sum, { shares }) => sum + shares, 0);

describe('queue positions in a recording that tells each order', () => {
  it('are exact', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const book = new MatchingBook({
          minTick: 1 as Ticks,
          maxTick: 99 as Ticks,
          foreign: { depth: 1 },
        });
        const empty = { ticks: new Int32Array(0), shares: new Float64Array(0), from: 0, to: 0 };
        book.recordBook(empty, empty);
        const queue: Place[] = [];
        let id = 0;
        for (const one of steps) {
          const tick = TICK;
          if (one.kind === 'join') {
            const ahead = othersBefore(queue, queue.length);
            book.recordOrder(BID, { change: 'join', tick, shares: one.shares, ahead });
            queue.push({ ours: null, shares: one.shares });
          } else if (one.kind === 'ours') {
            id += 1;
            book.add(id as OrderId, BID, TICK, one.shares as Shares);
            queue.push({ ours: id as OrderId, shares: one.shares });
          } else {
            const wanted = one.kind === 'leave';
            const places = queue.filter(({ ours }) => (ours === null) === wanted);
            const place = places[one.pick % Math.max(1, places.length)];
            if (place === undefined) continue;
            const at = queue.indexOf(place);
            if (one.kind === 'leave') {
              const shares = Math.min(one.shares, place.shares);
              book.recordOrder(BID, { change: 'leave', tick, shares, ahead: othersBefore(queue, at) });
              place.shares -= shares;
            } else book.cancel(place.ours!);
            if (one.kind === 'withdraw' || place.shares === 0) queue.splice(at, 1);
          }
          const ours = queue.flatMap((place, at) => (place.ours === null ? [] : [{ id: place.ours, at }]));
          expect(ours.map((order) => book.ahead(order.id))).toEqual(
            ours.map(({ at }) => allBefore(queue, at)),
          );
          expect(book.volumeAt(BID, TICK)).toBe(allBefore(queue, queue.length));
        }
      }),
      { numRuns: 500 },
    );
  });
});
