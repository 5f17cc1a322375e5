import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../src/domain/ids.js';
import { PRICE_ONE, money, priceUnits, shares } from '../../../../src/domain/units.js';
import {
  type EventEndings,
  type HeldInMarket,
  WorstCase,
} from '../../../../src/core/portfolio/worst-case.js';
import { contributionOf, costsOf, type PricedOrder } from '../../../support/orders/order-costs.js';

interface MarketState {
  held: HeldInMarket;
  orders: readonly PricedOrder[];
}

/** Beyond anything that can be lost or won here. */
const FAR = 2 ** 50;

type Ending = 'long' | 'short' | 'void';

/** Every way the event can end, one ending per market. */
function endingsOf(markets: number, endings: EventEndings): Ending[][] {
  const each: Ending[] = endings.voidPossible ? ['long', 'short', 'void'] : ['long', 'short'];
  let all: Ending[][] = [[]];
  for (let market = 0; market < markets; market++)
    all = all.flatMap((before) => each.map((ending) => [...before, ending]));
  return all.filter((ways) => isPossible(ways, endings));
}

function isPossible(ways: readonly Ending[], endings: EventEndings): boolean {
  const winners = ways.filter((ending) => ending === 'long').length;
  if (endings.resolutionMode === 'non_exclusive') {
    const { least, most } = endings.winners ?? { least: 0, most: Infinity };
    const counted = ways.filter((ending) => ending !== 'short').length;
    return winners <= most && counted >= Math.min(least, ways.length);
  }
  return (
    winners === 1 || (winners === 0 && (endings.nonePossible || ways.includes('void') || ways.length === 0))
  );
}

/** What the holdings and one subset of the orders bring in one ending, from the definitions. */
function outcome({ held, orders }: MarketState, subset: number, ending: Ending): number {
  if (ending === 'void') return 0;
  let value = (ending === 'long' ? held.long : held.short) * PRICE_ONE - held.cost;
  orders.forEach((order, index) => {
    if ((subset >> index) % 2 === 1) value += contributionOf(order, ending);
  });
  return value;
}

/** The least over every ending and every subset of all orders. */
function bruteForce(markets: readonly MarketState[], endings: EventEndings): number {
  return leastOf(endingsOf(markets.length, endings), markets);
}

function leastOf(endings: readonly Ending[][], markets: readonly MarketState[]): number {
  const least = endings.map((ways) => {
    let sum = 0;
    markets.forEach((market, index) => {
      const subsets = Array.from({ length: 2 ** market.orders.length }, (_, subset) => subset);
      sum += Math.min(...subsets.map((subset) => outcome(market, subset, ways[index]!)));
    });
    return sum;
  });
  return Math.min(...least);
}

/** The least over endings without a void in which that market wins; null: in which none does. */
function ofScenario(markets: readonly MarketState[], how: EventEndings, winner: string | null): number {
  const endings = endingsOf(markets.length, { ...how, nonePossible: true, voidPossible: false });
  const isThis = (ways: readonly Ending[]): boolean =>
    winner === null ? !ways.includes('long') : ways[Number(winner) - 1] === 'long';
  return leastOf(endings.filter(isThis), markets);
}

/** The same over those endings in which a fill of one of these orders costs; far away where that is so in none. */
function whereTheyCost(
  markets: readonly MarketState[],
  index: number,
  others: readonly PricedOrder[],
  endings: EventEndings,
): number {
  const costs = (ending: Ending): boolean =>
    ending !== 'void' && others.some((order) => contributionOf(order, ending) < 0);
  const costly = endingsOf(markets.length, endings).filter((ways) => costs(ways[index]!));
  return Math.min(FAR, leastOf(costly, markets));
}

const order: fc.Arbitrary<PricedOrder> = fc.record({
  side: fc.constantFrom('bid', 'ask'),
  position: fc.constantFrom('long', 'short'),
  price: fc.integer({ min: 1, max: 9_999 }).map(priceUnits),
  shares: fc.integer({ min: 1, max: 100_000 }).map(shares),
  fee: fc.integer({ min: -5_000, max: 5_000 }).map(money),
});

const held: fc.Arbitrary<HeldInMarket> = fc.record({
  long: fc.integer({ min: 0, max: 100_000 }).map(shares),
  short: fc.integer({ min: 0, max: 100_000 }).map(shares),
  cost: fc.integer({ min: -500_000_000, max: 500_000_000 }).map(money),
});

const endings: fc.Arbitrary<EventEndings> = fc.record({
  resolutionMode: fc.constantFrom('exclusive', 'non_exclusive'),
  winners: fc.option(
    fc.tuple(fc.nat(3), fc.nat(3)).map(([one, other]) => ({
      least: Math.min(one, other),
      most: Math.max(one, other, 1),
    })),
    { nil: undefined },
  ),
  nonePossible: fc.boolean(),
  voidPossible: fc.boolean(),
});

const change = fc.record({
  market: fc.nat(3),
  held,
  orders: fc.array(order, { maxLength: 4 }),
  others: fc.array(order, { minLength: 1, maxLength: 3 }),
});

describe('worst case', () => {
  it('equals brute force over endings and subsets of orders after every change', () => {
    fc.assert(
      fc.property(
        endings,
        fc.integer({ min: 1, max: 4 }),
        fc.array(change, { maxLength: 8 }),
        (how, size, changes) => {
          const ids = Array.from({ length: size }, (_, at) => marketId(at + 1));
          const event = new WorstCase(how, ids);
          const markets = ids.map((): MarketState => ({
            held: { long: shares(0), short: shares(0), cost: money(0) },
            orders: [],
          }));
          for (const { market, held: now, orders, others } of changes) {
            const index = market % size;
            const id = ids[index]!;
            const asked = markets.map((state, at) =>
              at === index ? { ...state, orders: [...state.orders, ...others] } : state,
            );
            expect(event.worstWith(id, costsOf(...others))).toBe(bruteForce(asked, how));
            const whereItCosts = Math.min(FAR, event.worstWhereTheyCost(id, costsOf(...others)));
            expect(whereItCosts).toBe(whereTheyCost(asked, index, others, how));
            event.hold(id, now);
            event.order(id, costsOf(...orders));
            markets[index] = { held: now, orders };
            expect(event.worst()).toBe(bruteForce(markets, how));
            const scenarios = event.scenarios();
            expect(Math.min(...scenarios.map(({ profit }) => profit))).toBe(event.worst());
            const certain = scenarios.filter(({ ending }) => ending !== 'void');
            for (const { market: winner, profit } of certain)
              expect(profit).toBe(ofScenario(markets, how, winner));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never improves by another open order without a rebate', () => {
    fc.assert(
      fc.property(
        endings,
        held,
        fc.array(order, { maxLength: 4 }),
        order,
        (how, holding, orders, another) => {
          const event = new WorstCase(how);
          event.hold(marketId(1), holding);
          event.order(marketId(1), costsOf(...orders));
          expect(event.worstWith(marketId(1), costsOf(another))).toBeLessThanOrEqual(event.worst());
        },
      ),
    );
  });
});
