import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Micros } from '../../../../src/domain/units.js';
import { UNSEEN_BOOK } from '../../../../src/core/engine/quoting/book-view.js';
import { ShownOrders } from '../../../../src/core/engine/quoting/shown-orders.js';
import { KeptViews, workingQuotesOf } from '../../../../src/core/engine/quoting/strategy-views.js';
import { rowsOf } from '../../../support/mirror/own-levels.js';
import { limitOrder, MARKET, OrderScenario, type Step } from '../../../support/orders/order-scenario.js';

const TICK_UNITS = 100;
const GRACE_MS = 20;

const fate = fc.constantFrom('answered' as const, 'answered' as const, 'lost-before' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    orders: fc.array(
      fc.integer({ min: 40, max: 44 }).map((cents) => limitOrder(cents, 2)),
      { minLength: 1, maxLength: 3 },
    ),
    fate,
  }),
  fc.record({
    kind: fc.constant('replace' as const),
    pick: fc.nat(9),
    cents: fc.integer({ min: 40, max: 44 }),
    fate,
  }),
  fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat(9), fate }),
  fc.record({
    kind: fc.constant('fill' as const),
    pick: fc.nat(9),
    whole: fc.constant(1),
    better: fc.constant(0),
  }),
  fc.record({ kind: fc.constant('end' as const), pick: fc.nat(9), how: fc.constant('expired' as const) }),
);

/** After each step some books come, each so many milliseconds old. */
const looks = fc.array(fc.nat(30), { minLength: 1, maxLength: 3 });

it('what is kept of own orders between two books is what would be made anew', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, looks), { maxLength: 20 }), (script) => {
      const scenario = new OrderScenario([{ delay: 1, copies: 1 }]);
      const shown = new ShownOrders(GRACE_MS);
      const views = new KeptViews();
      for (const [played, ages] of script) {
        scenario.play(played);
        for (const age of ages) {
          scenario.pass(1);
          const own = scenario.orders.own(MARKET);
          const bookAt = (scenario.now - age * 1_000) as Micros;
          const made = new ShownOrders(GRACE_MS).in(own, TICK_UNITS, bookAt, scenario.now, UNSEEN_BOOK);
          const kept = shown.in(own, TICK_UNITS, bookAt, scenario.now, UNSEEN_BOOK);
          expect(rowsOf(kept.bids)).toEqual(rowsOf(made.bids));
          expect(rowsOf(kept.asks)).toEqual(rowsOf(made.asks));
          expect(views.working(own)).toEqual(workingQuotesOf(own.working));
        }
      }
    }),
    { numRuns: 300 },
  );
});
