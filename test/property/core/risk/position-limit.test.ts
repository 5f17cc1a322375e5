import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { shares } from '../../../../src/domain/units.js';
import { bookSide } from '../../../../src/domain/vocabulary.js';
import { positionLimit } from '../../../../src/core/risk/exposure-rules.js';
import { limitsOf, orderOf, riskView, wanted } from '../../../support/bot/risk-view.js';

const LIMIT = 1_000;
const order = fc
  .record({
    side: fc.constantFrom('bid' as const, 'ask' as const),
    position: fc.constantFrom('long' as const, 'short' as const),
    shares: fc.integer({ min: 1, max: 1_500 }).map(shares),
  })
  .map(orderOf);

it('whatever subset of the approved orders fills, the position stays within the limit', () => {
  const rule = positionLimit(limitsOf({ maxPositionShares: shares(LIMIT) }));
  fc.assert(
    fc.property(fc.integer({ min: -LIMIT, max: LIMIT }), fc.array(order, { maxLength: 8 }), (net, orders) => {
      const moves: number[] = [];
      for (const proposed of orders) {
        const low = shares(moves.reduce((sum, move) => sum + Math.min(0, move), net));
        const high = shares(moves.reduce((sum, move) => sum + Math.max(0, move), net));
        const view = riskView({ netRange: () => ({ low, high }) });
        if (rule.check(wanted(proposed), view) !== null) continue;
        moves.push(bookSide(proposed.side, proposed.position) === 'bid' ? proposed.shares : -proposed.shares);
      }
      for (let subset = 0; subset < 2 ** moves.length; subset++) {
        const reached = moves.reduce((sum, move, index) => ((subset >> index) & 1 ? sum + move : sum), net);
        expect(Math.abs(reached)).toBeLessThanOrEqual(LIMIT);
      }
    }),
  );
});
