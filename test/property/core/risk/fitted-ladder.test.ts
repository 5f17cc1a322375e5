import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../src/domain/ids.js';
import { levelOf } from '../../../../src/domain/intent.js';
import {
  type Money,
  money,
  type PriceUnits,
  type Shares,
  shares,
  type Ticks,
} from '../../../../src/domain/units.js';
import { OrderCosts, WorstCase } from '../../../../src/core/portfolio/worst-case.js';
import { fittedLadder, type LadderRoom } from '../../../../src/core/risk/fitted-ladder.js';

const [HERE, THERE] = [marketId(1), marketId(2)];
const level = (tick: number, size: number) => levelOf([], tick as Ticks, shares(size));
const roomOf = (changes: Partial<LadderRoom> = {}): LadderRoom => ({
  tickUnits: 100,
  fee: money(0),
  bids: 100_000,
  asks: 100_000,
  standing: () => 0,
  refillShare: 0.25,
  objection: () => null,
  ...changes,
});
const sizes = (levels: readonly { readonly shares: Shares }[]) => levels.map(({ shares: size }) => size);

describe('a ladder cut to fit', () => {
  const intent = { marketId: HERE, bids: [level(48, 2_000), level(47, 2_000)], asks: [level(52, 2_000)] };

  it('is the same while it fits', () => {
    expect(fittedLadder(intent, roomOf())).toEqual({ intent, cutBy: null });
  });

  it('keeps its best levels up to the position limit, and a part of the one that does not fit whole', () => {
    const { intent: left, cutBy } = fittedLadder(intent, roomOf({ bids: 2_500, asks: -300 }));
    expect([sizes(left.bids), sizes(left.asks), cutBy]).toEqual([[2_000, 500], [], 'position-limit']);
  });

  it('leaves alone what stands while little more would fit', () => {
    const bidsWith = (standing: number, bids: number) =>
      sizes(fittedLadder(intent, roomOf({ bids, standing: () => standing })).intent.bids);
    expect(bidsWith(500, 2_900)).toEqual([2_000, 500]);
    expect(bidsWith(500, 3_000)).toEqual([2_000, 1_000]);
    expect(bidsWith(1_000, 2_500)).toEqual([2_000, 500]);
  });

  it('costs no more than a limit of losses allows, and names the rule', () => {
    // A bid costs its price where the outcome loses: 20 shares at 0.48 are 9.60, the rest buys 5.31 shares at 0.47.
    const objection = ({ ifShort }: OrderCosts) => (ifShort < -12_100_000 ? 'event-loss' : null);
    const { intent: left, cutBy } = fittedLadder(intent, roomOf({ objection }));
    expect([sizes(left.bids), sizes(left.asks), cutBy]).toEqual([[2_000, 531], [2_000], 'event-loss']);
  });

  it('fits, and would not with one more hundredth of a share', () => {
    const side = fc.array(
      fc.record({ tick: fc.integer({ min: 1, max: 40 }), size: fc.integer({ min: 1, max: 5_000 }) }),
      {
        maxLength: 4,
      },
    );
    const held = fc.record({
      long: fc.nat(5_000),
      short: fc.nat(5_000),
      cost: fc.integer({ min: -30e6, max: 30e6 }),
    });
    fc.assert(
      fc.property(
        side,
        side,
        held,
        held,
        fc.nat(20_000_000),
        fc.nat(6_000),
        (bids, asks, here, there, limit, most) => {
          const event = new WorstCase({
            resolutionMode: 'exclusive',
            nonePossible: true,
            voidPossible: false,
          });
          for (const [market, holding] of [
            [HERE, here],
            [THERE, there],
          ] as const)
            event.hold(market, holding as never);
          const objection = (costs: OrderCosts) =>
            event.worstInstead(HERE, costs) < -limit && event.worstInsteadWhereTheyCost(HERE, costs) < -limit
              ? 'event-loss'
              : null;
          const best = (levels: typeof bids, sign: number, from: number) =>
            levels
              .map(({ tick, size }) => level(from + sign * tick, size))
              .toSorted((a, b) => sign * (a.price - b.price));
          const wanted = { marketId: HERE, bids: best(bids, -1, 50), asks: best(asks, 1, 50) };
          const { intent: left } = fittedLadder(wanted, roomOf({ bids: most, asks: most, objection }));
          const costsOf = (more: 'bids' | 'asks' | null): OrderCosts => {
            const costs = new OrderCosts();
            for (const at of ['bids', 'asks'] as const)
              left[at].forEach(({ price, shares: size }, place) => {
                const extra = more === at && place === left[at].length - 1 ? 1 : 0;
                costs.add(
                  {
                    side: at === 'bids' ? 'bid' : 'ask',
                    position: 'long',
                    price: (price * 100) as PriceUnits,
                  },
                  (size + extra) as Shares,
                  0 as Money,
                );
              });
            return costs;
          };
          const sum = (levels: readonly { readonly shares: number }[]) =>
            levels.reduce((total, one) => total + one.shares, 0);
          expect(objection(costsOf(null))).toBeNull();
          expect(Math.max(sum(left.bids), sum(left.asks))).toBeLessThanOrEqual(most);
          const isAskCut = left.asks.length > 0 && sum(left.asks) < Math.min(most, sum(wanted.asks));
          const isCutWithin =
            isAskCut && left.asks.at(-1)!.shares < wanted.asks[left.asks.length - 1]!.shares;
          expect(isCutWithin && objection(costsOf('asks')) === null).toBe(false);
        },
      ),
    );
  });
});
