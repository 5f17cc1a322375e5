import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MarketId } from '../../../../src/domain/ids.js';
import { bookSide } from '../../../../src/domain/vocabulary.js';
import { type Chance, DeskWorld, MARKETS, type NetworkFault } from '../../../support/orders/desk-world.js';

const FAULTS: readonly NetworkFault[] = [
  'none',
  'none',
  'none',
  'none',
  'lost-request',
  'lost-answer',
  'late',
  'throttled',
  'empty-listing',
];

const chance: fc.Arbitrary<Chance> = fc.record({
  fault: fc.constantFrom(...FAULTS),
  latencyMs: fc.integer({ min: 1, max: 300 }),
  copies: fc.constantFrom(0, 1, 1, 1, 2),
  frameDelayMs: fc.integer({ min: 1, max: 2_000 }),
});

const levels = fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 4 })), { maxLength: 3 });

/** What happens next: a market's intent changes, somebody trades, time passes. */
const move = fc.record({
  market: fc.nat(MARKETS.length - 1),
  centre: fc.integer({ min: 30, max: 70 }),
  bids: levels,
  asks: levels,
  trades: fc.array(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 3 })), { maxLength: 2 }),
  waitMs: fc.constantFrom(1, 20, 200, 1_500, 8_000),
});

type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

function play(world: DeskWorld, { market, centre, bids, asks, trades, waitMs }: Move): void {
  world.intend(
    MARKETS[market]!,
    bids.map(([depth, whole]) => [centre - 1 - depth, whole]),
    asks.map(([depth, whole]) => [centre + 1 + depth, whole]),
  );
  for (const [pick, whole] of trades) world.trade(pick, whole);
  world.run(waitMs);
}

const day = fc.record({
  moves: fc.array(move, { minLength: 1, maxLength: 15 }),
  chances: fc.array(chance, { minLength: 1, maxLength: 40 }),
});

/** The network is well again for as long as a late request may still take effect. */
function calmDown(world: DeskWorld): void {
  world.suffer([]);
  world.run(400_000);
}

const words = (
  orders: readonly {
    marketId: string;
    side: string;
    position: string;
    price: number | null;
    shares: number;
  }[],
): string[] => orders.map((o) => `${o.marketId} ${o.side} ${o.position} ${o.price} x ${o.shares}`).sort();

/** Plays days of mishaps and checks each side of each market after every move. */
function atEveryMove(
  numRuns: number,
  check: (world: DeskWorld, market: MarketId, side: 'bid' | 'ask') => void,
): void {
  fc.assert(
    fc.property(day, ({ moves, chances }) => {
      const world = new DeskWorld();
      world.suffer(chances);
      for (const one of moves) {
        play(world, one);
        for (const market of MARKETS) for (const side of ['bid', 'ask'] as const) check(world, market, side);
      }
    }),
    { numRuns, endOnFailure: true },
  );
}

describe('a desk on a bad network', () => {
  it('ends with exactly the desired orders at the venue, and knows each of them', () => {
    fc.assert(
      fc.property(day, ({ moves, chances }) => {
        const world = new DeskWorld();
        world.suffer(chances);
        for (const one of moves) play(world, one);
        calmDown(world);
        const truth = world.venue.working();
        const desired = MARKETS.flatMap((market) => world.desired(market));
        expect(words(truth.map((o) => ({ ...o, shares: o.requested - o.filled! })))).toEqual(words(desired));
        const known = MARKETS.flatMap((market) => world.working(market));
        expect(known.map(({ state }) => state)).toEqual(known.map(() => 'live'));
        expect(new Set(known.map(({ orderId }) => orderId))).toEqual(
          new Set(truth.map(({ orderId }) => orderId)),
        );
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });

  it('never lets own orders meet', () => {
    fc.assert(
      fc.property(day, ({ moves, chances }) => {
        const world = new DeskWorld();
        world.suffer(chances);
        for (const one of moves) play(world, one);
        calmDown(world);
        expect(world.venue.conflicts).toEqual([]);
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });

  it('never sells what is not held or already for sale, as far as frames have told', () => {
    fc.assert(
      fc.property(day, ({ moves, chances }) => {
        const world = new DeskWorld();
        world.suffer(chances.map((one) => ({ ...one, copies: Math.max(1, one.copies), frameDelayMs: 1 })));
        for (const one of moves) play(world, one);
        calmDown(world);
        expect(world.venue.oversold).toEqual([]);
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });

  it('never has more shares at the venue than its own account of what may fill', () => {
    atEveryMove(100, (world, market, side) => {
      const standing = world.venue
        .working()
        .filter((o) => o.marketId === market && bookSide(o.side, o.position) === side)
        .reduce((sum, o) => sum + o.requested - o.filled!, 0);
      const counted = world
        .working(market)
        .filter((o) => o.bookSide === side)
        .reduce((sum, o) => sum + o.remaining, 0);
      expect(standing).toBeLessThanOrEqual(counted);
    });
  });

  it('never ends beyond its own account of where it may end, whatever was filled unheard', () => {
    atEveryMove(500, (world, market, side) => {
      expect(world.reachedAtVenue(market, side)).toBeLessThanOrEqual(world.reached(market, side));
    });
  });

  it('executes nothing for the first time later than its age allows, but for what the network held back', () => {
    fc.assert(
      fc.property(day, ({ moves, chances }) => {
        const world = new DeskWorld();
        world.suffer(chances.map((one) => (one.fault === 'late' ? { ...one, fault: 'lost-request' } : one)));
        for (const one of moves) play(world, one);
        for (const age of world.executionAgesMs) expect(age).toBeLessThan(5_000 + 300);
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });

  it('proves by two empty listings that everything was withdrawn', () => {
    fc.assert(
      fc.property(day, ({ moves, chances }) => {
        const world = new DeskWorld();
        world.suffer(chances);
        for (const one of moves) play(world, one);
        world.desk.withdraw(world.now);
        world.run(200_000);
        world.suffer([]);
        world.run(100_000);
        expect(world.desk.withdrawal.state).toBe('proved');
        expect(world.venue.working()).toEqual([]);
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });
});
