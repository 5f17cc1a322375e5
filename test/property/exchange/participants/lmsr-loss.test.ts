import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { shares } from '../../../../src/domain/units.js';
import { LmsrMaker } from '../../../../src/exchange/participants/makers.js';
import { buying } from '../../../../src/exchange/participants/stage.js';
import {
  TRADING_START,
  marketsOf,
  traderOf,
  SimulatedTrading,
} from '../../../support/exchange/simulated-trading.js';

const B = 50;
/** Sizes within two hundredths of the wished one stay, so a few hundredths of a share are sold a tick too cheap. */
const ROUNDING = 0.01;

const takes = fc.array(
  fc.record({
    market: fc.nat({ max: 3 }),
    side: fc.constantFrom('bid' as const, 'ask' as const),
    size: fc.integer({ min: 1, max: 6_000 }),
  }),
  { minLength: 1, maxLength: 40 },
);

it.each([1, 2, 4])(
  'whatever is taken from a scoring rule over %s outcomes, it loses at most b ln n',
  (count) => {
    const bound = B * Math.log(Math.max(2, count));
    fc.assert(
      fc.property(takes, (taken) => {
        const markets = marketsOf(count);
        const trading = new SimulatedTrading(markets, 2);
        trading.run([new LmsrMaker(traderOf(1, markets), B, TRADING_START)], 1);
        const before = trading.cash(1);
        for (const { market, side, size } of taken) {
          const wish = {
            market: markets[market % count]!,
            side,
            price: null,
            shares: shares(size),
            expiresAt: null,
          };
          trading.execute(buying(wish, traderOf(2, markets)));
          trading.pass(0.001);
        }
        const outcomes = count === 1 ? [markets[0]!, null] : markets;
        for (const winner of outcomes)
          expect(trading.worthIf(1, winner) - before).toBeGreaterThan(-bound - ROUNDING);
      }),
      { numRuns: 40 },
    );
  },
);
