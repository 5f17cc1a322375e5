import { expect, it } from 'vitest';
import { type MarketId, marketId } from '../../../../../src/domain/ids.js';
import type { EngineParts } from '../../../../../src/core/engine/parts.js';
import { Exposure } from '../../../../../src/core/engine/quoting/exposure.js';
import type { OrderCosts } from '../../../../../src/core/portfolio/worst-case.js';

it('what may fill is counted in the currency of the run: others have holdings of their own', () => {
  const terms = { side: 'bid', position: 'long', currency: 'USDC', price: 4_000 };
  const bid = { ...terms, bookSide: 'bid', remaining: 400, requested: 400, filled: 100 };
  const ask = { ...bid, side: 'ask', bookSide: 'ask' };
  const told: unknown[] = [];
  const inDollars = { ...bid, currency: 'USD' };
  const exposure = new Exposure({
    positions: {
      currency: 'USDC',
      worstFee: () => 0,
      restingFee: () => 0,
      open: (market: MarketId, { ifLong, ifShort }: OrderCosts) => {
        told.push([market, ifLong, ifShort]);
        return { quotes: null };
      },
    },
    funds: { heed: () => undefined },
    desk: {
      orders: {
        watch: () => new Set([marketId(11)]),
        own: () => ({ working: [bid, inDollars, ask, { ...ask, currency: 'USD' }] }),
        unheardEnds: () => [bid, inDollars],
      },
    },
  } as unknown as EngineParts);
  expect(exposure.mayFill(marketId(11))).toEqual({ bid: 700, ask: 400 });
  expect(exposure.mayFill(marketId(12))).toEqual({ bid: 0, ask: 0 });
  expect(told).toEqual([['11', -400 * 6_000, -700 * 4_000]]);
  exposure.tellChanged();
  expect(told).toHaveLength(1);
  exposure.changedIn(marketId(11));
  exposure.tellChanged();
  expect(told).toHaveLength(2);
});
