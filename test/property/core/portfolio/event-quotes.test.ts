import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type MarketId, marketId } from '../../../../src/domain/ids.js';
import { MONEY_ONE, money, priceUnits } from '../../../../src/domain/units.js';
import { POSITIONS } from '../../../../src/domain/vocabulary.js';
import { DearestShares, EventQuotes } from '../../../../src/core/portfolio/event-exposure.js';

interface Quote {
  readonly side: 'bid' | 'ask';
  readonly longPrice: number;
  readonly fee: number;
}

/** What a share bought by the quote brings beside its price and fee where the outcome wins, and where it does not. */
const gainOf = ({ side, longPrice, fee }: Quote, hasWon: boolean): number => {
  const long = (hasWon ? MONEY_ONE : 0) - longPrice * 100;
  return (side === 'bid' ? long : -long) - fee;
};

/** None that costs more by itself than a share can pay. */
const quote: fc.Arbitrary<Quote> = fc
  .record({
    side: fc.constantFrom<'bid' | 'ask'>('bid', 'ask'),
    longPrice: fc.integer({ min: 1, max: 9_999 }),
    fee: fc.integer({ min: 0, max: 20_000 }),
  })
  .filter((one) => Math.max(gainOf(one, true), gainOf(one, false)) > 0);
const quotes = fc.array(quote, { maxLength: 4 });
const change = fc.record({ market: fc.integer({ min: 1, max: 4 }).map(marketId), quotes });

const dearestOf = (all: readonly Quote[]): DearestShares => {
  const dearest = new DearestShares();
  for (const { side, longPrice, fee } of all) dearest.add(side, priceUnits(longPrice), money(fee));
  return dearest;
};

/**
 * Whether some choice of one quote of a side in each market that has any of it, the given one in its own, loses whoever wins.
 * @param winners markets that may win; null stands for none of them
 */
function isSureLoss(
  given: Quote,
  others: readonly (readonly Quote[])[],
  winners: readonly (number | null)[],
): boolean {
  const sides = others.map((all) => all.filter(({ side }) => side === given.side));
  const choices = sides.reduce<readonly (readonly (Quote | null)[])[]>(
    (before, all) => before.flatMap((chosen) => [null, ...all].map((one) => [...chosen, one])),
    [[]],
  );
  return choices.some((chosen) =>
    winners.every((winner) => {
      const gains = chosen.map((one, at) => (one === null ? 0 : gainOf(one, winner === at + 1)));
      return gains.reduce((sum, gain) => sum + gain, gainOf(given, winner === 0)) <= 0;
    }),
  );
}

it('a quote has room exactly as long as no choice of quotes with it loses, or gains nothing, whoever wins', () => {
  fc.assert(
    fc.property(
      quote,
      fc.array(quotes, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      (given, others, isExhaustive) => {
        const markets = [given, ...others].map((_, at) => marketId(at + 1));
        const event = new EventQuotes(markets, isExhaustive);
        others.forEach((all, at) => event.quote(marketId(at + 2), dearestOf(all)));
        const position = given.side === 'bid' ? 'long' : 'short';
        const winners = [...markets.keys(), ...(isExhaustive ? [] : [null])];
        const hasRoom = dearestOf([given])[position] < event.roomIn(marketId(1), position);
        expect(hasRoom).toBe(!isSureLoss(given, others, winners));
      },
    ),
    { numRuns: 3_000 },
  );
});

it('rooms that are kept up are those that are added up anew, and a retreat is counted exactly where a market got cheaper', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(change, { maxLength: 12 }), (isExhaustive, changes) => {
      const known = [1, 2].map(marketId);
      const event = new EventQuotes(known, isExhaustive);
      const standing = new Map<MarketId, readonly Quote[]>(known.map((market) => [market, []]));
      const room = (market: MarketId, position: 'long' | 'short'): number => {
        const others = [...standing].filter(([other]) => other !== market);
        const cost = others.reduce((sum, [, all]) => sum + dearestOf(all)[position], 0);
        return (position === 'long' ? 1 : standing.size - (isExhaustive ? 1 : 0)) * MONEY_ONE - cost;
      };
      for (const { market, quotes: now } of changes) {
        const [before, after, { retreats }] = [dearestOf(standing.get(market) ?? []), dearestOf(now), event];
        event.quote(market, after);
        if (after.long + after.short > 0 || standing.has(market)) standing.set(market, now);
        const isCheaper = after.long < before.long || after.short < before.short;
        expect(event.retreats).toBe(retreats + (isCheaper ? 1 : 0));
        for (const one of [...standing.keys(), marketId(9)])
          for (const position of POSITIONS) expect(event.roomIn(one, position)).toBe(room(one, position));
      }
    }),
  );
});
