import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Shares } from '../../../../../src/domain/units.js';
import {
  LIFE_EVENTS,
  type LifeEvent,
  ORDER_STATES,
  nextDoubt,
  nextState,
} from '../../../../../src/core/execution/orders/order-life.js';
import { ENDINGS, OWNERSHIPS, STAGES } from '../../../../../src/core/execution/orders/own-order.js';
import { momentOf } from '../../../../../src/core/execution/orders/moment.js';
import {
  courseOfUpdate,
  type SharedCourse,
  TrackedOrder,
} from '../../../../../src/core/execution/orders/tracked-order.js';
import { limitOrder } from '../../../../support/orders/order-scenario.js';
import { ms } from '../../../../support/orders/own-order-reports.js';

type Written = Partial<{ -readonly [Member in keyof TrackedOrder]: TrackedOrder[Member] }>;

/** Few different times, so that some are equal, before and far after the order's first one. */
const time = fc.constantFrom(0, 5, 10, 11, 5_000_000).map(ms);
const shares = fc.constantFrom(0, 10, 250, 1_000) as fc.Arbitrary<number & Shares>;
const count = fc.nat({ max: 3 });

const written: fc.Arbitrary<Written> = fc.oneof(
  fc.record({ state: fc.constantFrom(...ORDER_STATES) }),
  fc.record({ stage: fc.constantFrom(...STAGES) }),
  fc.record({ ending: fc.constantFrom(null, ...ENDINGS) }),
  fc.record({ ownership: fc.constantFrom(...OWNERSHIPS) }),
  fc.record({ countsFills: fc.boolean() }),
  fc.record({ bornAt: time }),
  fc.record({ namedAt: time }),
  fc.record({ heardAt: time }),
  fc.record({ activeAt: time }),
  fc.record({ shownSince: time }),
  fc.record({ askedAt: time }),
  fc.record({ requestedAt: time }),
  fc.record({ endedAt: fc.option(time) }),
  fc.record({ remaining: shares }),
  fc.record({ filled: shares }),
  fc.record({ shownBefore: shares }),
  fc.record({ absences: count }),
  fc.record({ failedCancels: count }),
  fc.record({ successor: fc.constant(null) }),
);

/** What is written of an order, happens in its life, or an update that is to replace it. */
type Change = Written | LifeEvent | 'gives-way';
const change: fc.Arbitrary<Change> = fc.oneof(written, fc.constantFrom(...LIFE_EVENTS, 'gives-way' as const));

const ORDER = limitOrder(48, 10, { position: 'short' });
const BORN = ms(10);
/** What an order says of itself before anything has happened to it. */
const NEW: Written = {
  price: ORDER.price,
  longPrice: 5_200 as TrackedOrder['longPrice'],
  side: 'bid',
  position: 'short',
  bookSide: 'ask',
  currency: 'OOM',
  ownership: 'ours',
  countsFills: true,
  state: 'creating',
  doubt: null,
  stage: 'unseen',
  ending: null,
  bornAt: BORN,
  namedAt: null,
  heardAt: null,
  activeAt: BORN,
  shownSince: BORN,
  askedAt: BORN,
  requestedAt: BORN,
  endedAt: null,
  remaining: ORDER.shares,
  filled: 0 as Shares,
  shownBefore: 0 as Shares,
  absences: 0,
  failedCancels: 0,
  successor: null,
};
const UPDATED = ms(11);
const MEMBERS = Object.keys(NEW) as (keyof TrackedOrder)[];

const told = (order: TrackedOrder): Written =>
  Object.fromEntries(MEMBERS.map((member) => [member, order[member]]));

const newOrder = (): TrackedOrder => new TrackedOrder(ORDER, ORDER, 1, momentOf(BORN));

/** Orders of which all are to be replaced by one update, if they are at all. */
class Orders {
  readonly all: readonly TrackedOrder[];
  readonly #successors: readonly TrackedOrder[];
  readonly #course: SharedCourse;

  constructor(count: number) {
    this.all = Array.from({ length: count }, newOrder);
    this.#successors = this.all.map(newOrder);
    this.#course = courseOfUpdate({ at: UPDATED, replaced: this.all, successors: this.#successors });
  }

  happen(index: number, what: Change): void {
    const order = this.all[index]!;
    if (what === 'gives-way') order.giveWay(this.#successors[index]!, this.#course);
    else if (typeof what === 'string') order.live(what);
    else Object.assign(order, what);
  }

  expected(index: number, before: Written, what: Change): Written {
    if (typeof what !== 'string') return { ...before, ...what };
    const life = { state: before.state!, doubt: before.doubt! };
    const event = what === 'gives-way' ? 'update-sent' : what;
    const state = nextState(life, event);
    const lived = { ...before, state, doubt: nextDoubt(life, event, state) };
    if (what !== 'gives-way') return lived;
    const successor = this.#successors[index]!;
    return { ...lived, askedAt: UPDATED, requestedAt: UPDATED, activeAt: UPDATED, successor };
  }
}

describe('an own order', () => {
  it('says of each member what was written last or its life made of it, whatever else was written, and beside orders of other lives', () => {
    const lives = fc.array(fc.array(change, { maxLength: 30 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(lives, (stories) => {
        const orders = new Orders(stories.length);
        stories.forEach((story, index) => story.forEach((what) => orders.happen(index, what)));
        stories.forEach((story, index) => {
          const wanted = story.reduce<Written>((before, what) => orders.expected(index, before, what), {
            ...NEW,
          });
          const said = told(orders.all[index]!);
          expect(said.successor).toBe(wanted.successor);
          expect({ ...said, successor: null }).toEqual({ ...wanted, successor: null });
        });
      }),
    );
  });
});
