import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Levels } from '../../../../src/domain/levels.js';
import { type Micros, priceUnits, shares } from '../../../../src/domain/units.js';
import { type ForeignLevels, UNSEEN_BOOK, ownInBook } from '../../../../src/core/engine/quoting/book-view.js';
import { MARKET as LOOKED_AT, MirrorDriver } from '../../../support/mirror/mirror-driver.js';
import {
  type Fate,
  limitOrder,
  MARKET,
  OrderScenario,
  type Step,
} from '../../../support/orders/order-scenario.js';

const GRACE_MS = 1_000;
/** What others have in the book, never moving: cents and whole shares, best first. */
const FOREIGN = [
  [44, 3],
  [43, 30],
  [42, 4],
  [40, 500],
] as const;

const cents = fc.integer({ min: 40, max: 44 });
type Played = Step | { readonly kind: 'opens' };

const stepOf = (fate: fc.Arbitrary<Fate>): fc.Arbitrary<Played> =>
  fc.oneof(
    fc.constant({ kind: 'opens' as const }),
    fc.record({
      kind: fc.constant('create' as const),
      orders: fc.array(
        cents.map((price) => limitOrder(price, 5)),
        { minLength: 1, maxLength: 3 },
      ),
      fate,
    }),
    fc.record({ kind: fc.constant('replace' as const), pick: fc.nat(9), cents, fate }),
    fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat(9), fate }),
    fc.record({ kind: fc.constant('cancel-scope' as const), fate }),
  );

/**
 * A frame that comes after a later one is news where the answer is lost: late frames and lost answers are two worlds. In a
 * third one frames and books come a step later than answers, in the order in which they left the venue.
 */
const world = fc.oneof(
  fc.record({
    steps: fc.array(fc.tuple(stepOf(fc.constantFrom('answered', 'lost-before')), fc.boolean()), {
      maxLength: 25,
    }),
    deliveries: fc.array(fc.record({ delay: fc.nat(3), copies: fc.nat(2) }), { maxLength: 6 }),
    isSlow: fc.boolean(),
    isLate: fc.constant(false),
  }),
  fc.record({
    steps: fc.array(fc.tuple(stepOf(fc.constantFrom('answered', 'lost-before')), fc.boolean()), {
      maxLength: 25,
    }),
    deliveries: fc.constant([{ delay: 2, copies: 1 }]),
    isSlow: fc.boolean(),
    isLate: fc.constant(true),
  }),
  fc.record({
    steps: fc.array(
      fc.tuple(stepOf(fc.constantFrom('answered', 'lost-before', 'lost-after')), fc.boolean()),
      { maxLength: 25 },
    ),
    deliveries: fc.constant([]),
    isSlow: fc.boolean(),
    isLate: fc.constant(false),
  }),
);

/** A market in which nobody else moves, looked at as a quoter looks. */
class Looking {
  readonly #driver = new MirrorDriver({ depth: 10 }).goLive();
  #seen: ForeignLevels = UNSEEN_BOOK;
  #bookAt = 0 as Micros;
  /** Books after each step, and what the first one came after. */
  readonly #after: Levels[] = [];

  constructor(
    private readonly scenario: OrderScenario,
    private readonly isLate: boolean,
  ) {
    this.stepped();
    this.stepped();
  }

  stepped(): void {
    this.#after.push(this.#shown());
  }

  /** The book as it is now comes in; in a late world as it was a step ago. */
  book(): void {
    this.#driver.now = (this.#driver.now + 1_000) as Micros;
    this.#driver.update({ bids: this.isLate ? this.#after.at(-2)! : this.#shown(), topN: 10 });
    this.#bookAt = this.scenario.now;
  }

  look(): readonly [number, number][] {
    const { scenario } = this;
    const { mirror, now } = this.#driver;
    const own = ownInBook(scenario.orders.own(MARKET), {
      bookAt: this.#bookAt,
      graceMs: GRACE_MS,
      now: scenario.now,
      seen: this.#seen,
    });
    this.#seen = mirror.view(LOOKED_AT, own, now);
    return this.#seen.bids.map(({ price, shares: units }) => [price / 100, units / 100]);
  }

  #shown(): Levels {
    const whole = new Map<number, number>(FOREIGN.map(([price, foreign]) => [price, foreign]));
    for (const { price, requested, status } of this.scenario.venue.everyOrder())
      if (status === 'open' && price !== null)
        whole.set(price / 100, (whole.get(price / 100) ?? 0) + requested / 100);
    const prices = [...whole.keys()].toSorted((a, b) => b - a);
    return {
      prices: prices.map((price) => priceUnits(price * 100)),
      shares: prices.map((price) => shares(whole.get(price)! * 100)),
    };
  }
}

it('while nobody else moves, the book without our orders stands still, in whatever order answers, frames and books come', () => {
  fc.assert(
    fc.property(world, ({ steps, deliveries, isSlow, isLate }) => {
      const scenario = new OrderScenario(deliveries);
      scenario.venue.isSlow = isSlow;
      scenario.isInOrder = isLate;
      const looking = new Looking(scenario, isLate);
      looking.book();
      expect(looking.look()).toEqual(FOREIGN);
      for (const [step, isBookFast] of steps) {
        scenario.underWay = () => {
          if (isBookFast) looking.book();
          expect(looking.look()).toEqual(FOREIGN);
        };
        if (step.kind === 'opens') scenario.venue.open();
        else scenario.play(step);
        expect(looking.look()).toEqual(FOREIGN);
        scenario.pass(1);
        looking.stepped();
        looking.book();
        expect(looking.look()).toEqual(FOREIGN);
      }
    }),
    { numRuns: 300 },
  );
});
