import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SendEffect } from '../../../../src/domain/effects.js';
import { marketId } from '../../../../src/domain/ids.js';
import { type LastLook, type Objection, objectionTo } from '../../../../src/core/engine/quoting/last-look.js';

const MARKETS = [marketId(1), marketId(2)];
const TICK = 10;

/** An order of a market is to be replaced by one at this price; prices in ticks and a rest that is mostly none. */
interface Move {
  readonly market: number;
  readonly side: 'bid' | 'ask';
  readonly position: 'long' | 'short';
  readonly ticks: number;
  readonly rest: number;
  readonly shares: number;
  readonly remaining: number;
}

interface Look {
  readonly isHalted: boolean;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly fair: number | null;
  readonly mid: number | null;
  readonly collar: number;
  readonly isOversold: boolean;
}

const seldom = fc.nat(30).map((one) => one === 0);
const ticks = fc.integer({ min: 420, max: 580 });
const orNull = (price: fc.Arbitrary<number>) => fc.option(price, { freq: 6 });

const move = (market: fc.Arbitrary<number>): fc.Arbitrary<Move> =>
  fc.record({
    market,
    side: fc.constantFrom('bid', 'ask'),
    position: fc.constantFrom('long', 'short'),
    ticks,
    rest: fc.nat(40).map((one) => (one === 0 ? 3 : 0)),
    shares: fc.integer({ min: 100, max: 110 }),
    remaining: fc.nat(40).map((one) => (one === 0 ? 105 : 110)),
  });

const look: fc.Arbitrary<Look> = fc.record({
  isHalted: seldom,
  bid: orNull(fc.integer({ min: 400, max: 440 })),
  ask: orNull(fc.integer({ min: 560, max: 600 })),
  fair: orNull(fc.integer({ min: 480, max: 520 })),
  mid: orNull(fc.integer({ min: 480, max: 520 })),
  collar: fc.constantFrom(60, 80, 120),
  isOversold: fc.boolean(),
});

const price = (units: number | null): number | null => (units === null ? null : units * TICK);
const priceOf = ({ ticks: at, rest }: Move): number => at * TICK + rest;
const longPriceOf = (one: Move): number => (one.position === 'long' ? priceOf(one) : 10_000 - priceOf(one));

/** What is to be said against one order, as the rules tell. */
function judged(one: Move, { isHalted, bid, ask, fair, mid, collar, isOversold }: Look): Objection | null {
  const longPrice = longPriceOf(one);
  const isBid = (one.side === 'bid') === (one.position === 'long');
  const known = [fair, mid].filter((ticksOf) => ticksOf !== null);
  if (isHalted) return 'not-quoting';
  if (isBid && ask !== null && longPrice >= ask * TICK) return 'would-take';
  if (!isBid && bid !== null && longPrice <= bid * TICK) return 'would-take';
  if (known.length === 0 || known.some((at) => Math.abs(longPrice - at * TICK) > collar * TICK))
    return 'beyond-collar';
  if (one.rest !== 0) return 'old-terms';
  return one.side === 'ask' && one.shares > one.remaining && isOversold ? 'lacks-shares' : null;
}

const probabilityOf = (at: number | null): number | null => (at === null ? null : (at * TICK) / 10_000);

function lastLookOf(moves: readonly Move[], looks: readonly Look[]): LastLook {
  const quoted = looks.map(({ isHalted, bid, ask, fair, mid, collar }, at) => {
    const p = probabilityOf(fair);
    return [
      MARKETS[at],
      {
        halt: isHalted ? 'paused' : null,
        touch: { bid: price(bid), ask: price(ask) },
        fair: p === null ? null : { p },
        mid: probabilityOf(mid),
        owner: { limits: { priceCollar: collar * TICK } },
      },
    ] as const;
  });
  const replaced = moves.map(({ market, side, position, remaining }) => ({
    marketId: MARKETS[market],
    side,
    position,
    remaining,
  }));
  return {
    quoted: new Map(quoted),
    terms: new Map(MARKETS.map((id) => [id, { tickUnits: TICK }])),
    areOversold: (id: number) => looks[MARKETS.indexOf(marketId(id))]!.isOversold,
    replacedBy: () => replaced,
    isQuoting: true,
  } as unknown as LastLook;
}

const updateOf = (moves: readonly Move[]): SendEffect =>
  ({
    requestId: 1,
    request: {
      kind: 'replace-orders',
      replacements: moves.map((one) => ({
        place: { marketId: MARKETS[one.market], side: one.side, position: one.position },
        price: priceOf(one),
        shares: one.shares,
      })),
    },
  }) as unknown as SendEffect;

const isSaid = (objection: Objection | null): boolean => objection !== null;

const ofOneMarket = fc.array(move(fc.constant(0)), { minLength: 1, maxLength: 20 });
const ofTwo = fc
  .array(move(fc.nat(1)), { minLength: 1, maxLength: 20 })
  .map((moves) => moves.toSorted((one, other) => one.market - other.market));
const updates = fc.oneof(ofOneMarket, ofTwo);

it('is the same about an update as a whole as about its orders one after the other', () => {
  fc.assert(
    fc.property(updates, fc.tuple(look, look), (moves, looks) => {
      const objections = moves.map((one) => judged(one, looks[one.market]!));
      const expected = objections.find(isSaid) ?? null;
      expect(objectionTo(updateOf(moves), lastLookOf(moves, looks))).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});
