import * as ids from '../../../../src/domain/ids.js';
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listOrders } from '../../../../src/venues/futuur/rest/listings.js';
import { OrderShelves, SHELVES } from '../../../support/wire/order-shelves.js';

const MOST = 400;
const shelf = constantFrom(...SHELVES);
const someOrder = integer({ min: 1, max: MOST });

/** Runs of neighbours, so that whole pages move at once now and then. */
const move = record({ from: someOrder, count: integer({ min: 1, max: 45 }), to: shelf });

const scenario = record({
  /** Orders that stand when the pass begins, each known; several pages of one shelf as well as a few of each. */
  standing: array(
    record({
      from: someOrder,
      count: integer({ min: 1, max: 250 }),
      to: constantFrom('processing' as const, 'open' as const, 'partial_filled' as const),
    }),
    { maxLength: 5 },
  ),
  /** What happens between two pages: orders advance, others come. */
  moments: array(record({ moves: array(move, { maxLength: 4 }), coming: integer({ min: 0, max: 30 }) }), {
    maxLength: 14,
  }),
});

const idsIn = ({ from, count }: { readonly from: number; readonly count: number }): number[] =>
  Array.from({ length: count }, (_, nth) => from + nth).filter((id) => id <= MOST);

describe('one pass over the orders', () => {
  it('meets every known order, whatever advances between any two of its pages, or is a failure', async () => {
    await assert(
      asyncProperty(scenario, async ({ standing, moments }) => {
        const shelves = new OrderShelves((pages) => {
          const { moves = [], coming = 0 } = moments[pages - 1] ?? {};
          for (const run of moves) for (const id of idsIn(run)) shelves.advance(id, run.to);
          for (let extra = 0; extra < coming; extra += 1)
            shelves.put(MOST + 100 * pages + extra, SHELVES[extra % SHELVES.length]!);
        });
        // What ended before belongs to the history of the account, among which known orders are found.
        for (let id = 1; id <= MOST; id += 1) shelves.put(id, id % 2 === 0 ? 'canceled' : 'filled');
        for (const run of standing) for (const id of idsIn(run)) shelves.put(id, run.to);
        const known = [...new Set(standing.flatMap(idsIn))].map((id) => ids.orderId(id));
        const places = new Map(known.map((id) => [id, null]));
        const outcome = await listOrders(shelves.caller, { places, pages: 100 });
        if (!outcome.ok || outcome.value.ended === 'unread') return;
        const { working, ended } = outcome.value;
        const met = new Set([...working, ...ended].map(({ orderId }) => orderId));
        expect(known.filter((id) => !met.has(id))).toEqual([]);
        expect(ended.filter(({ orderId }) => !known.includes(orderId))).toEqual([]);
        expect(ended.filter(({ status }) => status !== 'filled' && status !== 'canceled')).toEqual([]);
      }),
    );
  });
});
