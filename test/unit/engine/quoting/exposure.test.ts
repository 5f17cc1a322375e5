import { expect, it } from 'vitest';
import { marketId } from '../../../../src/domain/ids.js';
import type { EngineParts } from '../../../../src/engine/parts.js';
import { Exposure } from '../../../../src/engine/quoting/exposure.js';

it('what may fill is counted in the currency of the run: others have holdings of their own', () => {
  const bid = { bookSide: 'bid', currency: 'USDC', remaining: 400, requested: 400, filled: 100 };
  const ask = { ...bid, bookSide: 'ask' };
  const inDollars = { ...bid, currency: 'USD' };
  const exposure = new Exposure({
    positions: { currency: 'USDC' },
    funds: { heed: () => undefined },
    desk: {
      orders: {
        watch: () => new Set(),
        own: () => ({ working: [bid, inDollars, ask, { ...ask, currency: 'USD' }] }),
        unheardEnds: () => [bid, inDollars],
      },
    },
  } as unknown as EngineParts);
  expect(exposure.mayFill(marketId(11))).toEqual({ bid: 700, ask: 400 });
});
