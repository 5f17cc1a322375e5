import * as fc from 'fast-check';
import { inventoryOf, marketOf } from 'oddsmith/sdk/testing';
import { expect, it } from 'vitest';
import { eventId } from '../../../../src/domain/ids.js';
import type { Micros } from '../../../../src/domain/units.js';
import { BookPane } from '../../../../src/core/engine/quoting/book-view.js';
import { EventPane } from '../../../../src/core/engine/quoting/strategy-views.js';
import type { EngineParts } from '../../../../src/core/engine/parts.js';
import type { ForeignBook } from '../../../../src/core/mirror/books/foreign-book.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { Glance } from '../../../../src/core/strategy/glance.js';
import type { FairValue } from '../../../../src/core/strategy/contract.js';
import type { ContextWithoutInstance } from '../../../../src/core/strategy/instance.js';
import { quoteAt } from '../../../../src/core/strategy/sdk.js';
import { contextOf, instanceOf, MARKET } from '../../../support/bot/strategy-context.js';

/** Whatever a strategy may look at, as numbers. */
const PARTS: Readonly<Record<string, (context: ContextWithoutInstance) => readonly number[]>> = {
  touch: ({ book }) => [book.bid ?? -1, book.ask ?? -1, book.mid ?? -1, book.weightedMid ?? -1],
  levels: ({ book }) => book.bids.map(({ shares }) => shares),
  depth: ({ book }) => [book.asks.length, book.asks.at(-1)?.price ?? 0],
  hidden: ({ book }) => [Number(book.hidden.bids), Number(book.hidden.asks)],
  age: ({ book }) => [book.ageMs],
  copy: (context) => [{ ...context }.nowMs, { ...context.book }.bids.length],
  time: ({ nowMs }) => [nowMs],
  close: ({ event }) => [event.msToClose ?? -1],
  event: ({ event }) => [Number(event.isLive), event.title.length],
  siblings: ({ event }) => event.markets.map(({ inventory }) => inventory),
  inventory: ({ inventory }) => [inventory.net],
  fair: ({ fair }) => [fair?.p ?? -1, fair?.ageMs ?? -1, fair?.confidence ?? -1],
  market: ({ market }) => [market.tick],
};
type Part = keyof typeof PARTS;

interface Moment {
  readonly bids: Side;
  readonly asks: Side;
  readonly ageMs: number;
  readonly passes: number;
  readonly isLive: boolean;
  readonly net: number;
  readonly siblings: number;
  readonly fair: FairValue | null;
}
interface Side {
  readonly levels: readonly (readonly [away: number, shares: number])[];
  readonly hidden: boolean;
}
const ONE_LEVEL: Side = { levels: [[1, 1]], hidden: false };
const CALM: Moment = {
  bids: ONE_LEVEL,
  asks: ONE_LEVEL,
  ageMs: 0,
  passes: 0,
  isLive: false,
  net: 0,
  siblings: 0,
  fair: null,
};

const level = fc.tuple(fc.constant(1), fc.integer({ min: 1, max: 2 }));
const side = fc.record({ levels: fc.array(level, { maxLength: 3 }), hidden: fc.boolean() });
const fair = fc.record({
  p: fc.constantFrom(0.5, 0.6),
  ageMs: fc.nat(1),
  confidence: fc.constantFrom(1, 0.5),
});
/** What changes from one look to the next: mostly little, and often back to what was. */
const change: fc.Arbitrary<Partial<Moment>> = fc.oneof(
  fc.record({ bids: side }),
  fc.record({ asks: side }),
  fc.record({ ageMs: fc.nat(1) }),
  fc.record({ passes: fc.constantFrom(0, 1_000) }),
  fc.record({ isLive: fc.boolean() }),
  fc.record({ net: fc.constantFrom(0, 4) }),
  fc.record({ siblings: fc.nat(1) }),
  fc.record({ fair: fc.option(fair) }),
);

function foreignBook({ bids, asks, ageMs }: Moment): ForeignBook {
  const sideOf = ({ levels, hidden }: Side, first: number, sign: number) => ({
    count: levels.length,
    hidden,
    tick: (at: number) => first + sign * (levels[at]![0] + 3 * at),
    shares: (at: number) => levels[at]![1] * 100,
  });
  return { bids: sideOf(bids, 40, -1), asks: sideOf(asks, 60, 1), ageMs } as unknown as ForeignBook;
}

/** One market as a quoter keeps it: views that seldom change are the same objects while they say the same. */
class Market {
  readonly glance = new Glance();
  readonly #pane = new BookPane(this.glance);
  readonly #event: EventPane;
  readonly #random = seededRandom(1);
  readonly #inventories = new Map([0, 4].map((net) => [net, inventoryOf(net)]));
  readonly #market = marketOf();
  #now = 1_786_000_000_000_000 as Micros;
  #moment = CALM;

  constructor(closes: boolean) {
    const record = { id: eventId(9), title: 'rain', status: 'open', resolutionMode: 'exclusive' } as const;
    const mirror = {
      venueClock: { ours: (time: number) => time },
      market: () => ({ event: { ...record, isLive: this.#moment.isLive } }),
      betEnd: () => (closes ? 1_786_000_100_000_000 : null),
    };
    const positions = { net: () => this.#moment.siblings * 100 };
    const parts = { mirror, positions } as unknown as EngineParts;
    const siblings = () => [{ marketId: MARKET, weightedMid: null }] as never;
    this.#event = new EventPane(parts, siblings, this.glance);
  }

  at(moment: Moment): ContextWithoutInstance {
    this.#moment = moment;
    this.#now = (this.#now + moment.passes) as Micros;
    return contextOf({
      market: this.#market,
      book: this.#pane.show(foreignBook(moment), 100),
      event: this.#event.look(MARKET, this.#now),
      inventory: this.#inventories.get(moment.net)!,
      working: NOTHING_WORKS,
      fair: moment.fair,
      nowMs: this.#now / 1_000,
      random: this.#random,
    });
  }
}

const NOTHING_WORKS = [] as const;
/** Says all that it looked at in its reason, and the price is of no importance. */
const curious = (looksAt: readonly Part[], asked: () => void) => ({
  name: 'curious',
  params: {},
  quote: (context: ContextWithoutInstance) => {
    asked();
    const seen = looksAt.flatMap((part) => PARTS[part]!(context));
    return {
      bids: [
        quoteAt(
          0.4,
          10,
          [...seen, 0.4].map((value) => ({ label: 'seen', value })),
        ),
      ],
      asks: [],
    };
  },
});

it('what a strategy has said serves again only where it would say the same', () => {
  // A market that is halted is looked at without being asked.
  const looks = fc.array(fc.tuple(change, fc.boolean()), { maxLength: 60, size: 'max' });
  fc.assert(
    fc.property(fc.subarray(Object.keys(PARTS)), fc.boolean(), looks, (parts, closes, changes) => {
      const [market, twin] = [new Market(closes), new Market(closes)];
      const remembering = instanceOf(curious(parts, () => undefined));
      const forgetful = instanceOf(curious(parts, () => undefined));
      let moment = CALM;
      for (const [changed, isAsked] of changes) {
        moment = { ...moment, ...changed };
        const [context, same] = [market.at(moment), twin.at(moment)];
        if (!isAsked) continue;
        expect(remembering.decide(context, market.glance)).toEqual(forgetful.decide(same));
      }
    }),
    { numRuns: 500 },
  );
});

it('a strategy that looks at the touch alone is not asked again while only levels behind it change', () => {
  let calls = 0;
  const market = new Market(true);
  const instance = instanceOf(curious(['touch', 'fair', 'inventory'], () => (calls += 1)));
  const behind = (shares: number): Side => ({ levels: [[1, 1], [1, shares]], hidden: false }); // prettier-ignore
  for (let look = 0; look < 10; look += 1) {
    instance.decide(market.at({ ...CALM, passes: 1_000, bids: behind(1 + (look % 2)) }), market.glance);
  }
  expect(calls).toBe(1);
});

it('chance is drawn anew with every look', () => {
  const draws: number[] = [];
  const market = new Market(false);
  const dice = {
    name: 'dice',
    params: {},
    quote: ({ random }: ContextWithoutInstance) => {
      draws.push(random.uniform());
      return { bids: [], asks: [] };
    },
  };
  const instance = instanceOf(dice);
  for (let look = 0; look < 3; look += 1) instance.decide(market.at(CALM), market.glance);
  expect(new Set(draws).size).toBe(3);
});

it('a strategy that a person resumes is asked, whatever it said before it failed', () => {
  let isBroken = false;
  let calls = 0;
  const market = new Market(false);
  const fragile = curious(['touch', 'inventory'], () => {
    calls += 1;
    if (isBroken) throw new Error('broken');
  });
  const instance = instanceOf(fragile);
  instance.decide(market.at(CALM), market.glance);
  isBroken = true;
  const changed = { ...CALM, net: 4 };
  instance.decide(market.at(changed), market.glance);
  expect(instance.fault?.code).toBe('threw');
  isBroken = false;
  instance.resume();
  expect(instance.decide(market.at(changed), market.glance).ok).toBe(true);
  expect(calls).toBe(3);
});
