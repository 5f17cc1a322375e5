import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventId, type MarketId, marketId } from '../../../../src/domain/ids.js';
import { type Micros, micros, money, priceUnits, shares } from '../../../../src/domain/units.js';
import { FillBreaker } from '../../../../src/core/risk/fill-breaker.js';
import { MarkOutWatch } from '../../../../src/core/risk/mark-out.js';
import { AT_EASE } from '../../../../src/core/risk/quote-restriction.js';
import { fillOf } from '../../../support/orders/fills.js';

const MARKETS = [marketId(2231), marketId(2232)];
const EVENT = eventId(873);

const breakerOf = (): FillBreaker =>
  new FillBreaker({
    windowMs: 10_000,
    maxShares: shares(100_00),
    maxAmount: money(80e6),
    coolDownMs: 30_000,
    steps: 3,
    stepMs: 10_000,
  });
const markOutOf = (): MarkOutWatch =>
  new MarkOutWatch({ horizonMs: 5_000, fills: 2, maxLoss: priceUnits(100), reduceTo: 0.5 });

type Guards = readonly [FillBreaker, MarkOutWatch];
type Happening = (guards: Guards, now: Micros) => void;

const market = fc.constantFrom(...MARKETS);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc
    .tuple(market, fc.integer({ min: 1, max: 80 }))
    .map(([marketId, whole]): Happening => ([breaker, markOut], now) => {
      const fill = fillOf(50, whole, { marketId, eventId: EVENT });
      markOut.filled(fill, now);
      breaker.filled(fill, now);
    }),
  fc.constant<Happening>(([breaker], now) =>
    breaker.restore({ scope: 'event', eventId: EVENT, until: micros(now + 20_000_000) }, now),
  ),
  market.map(
    (marketId): Happening =>
      ([, markOut]) =>
        markOut.restore({ marketId, level: 'reduced' }),
  ),
  fc.constant<Happening>((guards) => guards.forEach((guard) => guard.resume())),
);

/** What the breaker holds back or waits for in a market, though it says that it does neither. */
const hiddenBy = (breaker: FillBreaker, market: MarketId, now: Micros): readonly unknown[] =>
  breaker.isAtEase
    ? [
        breaker.stance(market, EVENT, now) !== AT_EASE,
        breaker.changesAt(market, EVENT, now),
        ...breaker.coolDowns(now),
      ].filter(Boolean)
    : [];

const hiddenByMarkOut = (markOut: MarkOutWatch, market: MarketId, now: Micros): readonly unknown[] =>
  markOut.isAtEase
    ? [
        markOut.stance(market) !== AT_EASE,
        markOut.dueAt(market),
        markOut.marked(market, 4_000, micros(now + 60_000_000)),
      ].filter(Boolean)
    : [];

it('guards that say that they are at ease hold nothing back, and wait for nothing', () => {
  const answers = new Set<string>();
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 8 }), (happenings) => {
      const [breaker, markOut] = [breakerOf(), markOutOf()];
      happenings.forEach((happen, second) => {
        const now = micros(1_000_000_000 + second * 1_000_000);
        happen([breaker, markOut], now);
        answers.add(`${breaker.isAtEase} ${markOut.isAtEase}`);
        for (const one of MARKETS)
          expect([...hiddenBy(breaker, one, now), ...hiddenByMarkOut(markOut, one, now)]).toEqual([]);
      });
    }),
  );
  expect(answers.size).toBe(4);
});
