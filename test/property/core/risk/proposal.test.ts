import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { orderId } from '../../../../src/domain/ids.js';
import type { LimitOrder } from '../../../../src/domain/orders.js';
import { type Money, money, priceUnits, shares } from '../../../../src/domain/units.js';
import { bookSide } from '../../../../src/domain/vocabulary.js';
import { proposalOf, type RiskTerms } from '../../../../src/core/risk/index.js';
import { orderOf, riskTerms } from '../../../support/bot/risk-view.js';

const side = fc.constantFrom('bid' as const, 'ask' as const);
const price = fc.integer({ min: 0, max: 10_000 }).map(priceUnits);
const amount = fc.integer({ min: 1, max: 3_000 }).map(shares);
const order: fc.Arbitrary<LimitOrder> = fc
  .record({
    side,
    position: fc.constantFrom('long' as const, 'short' as const),
    currency: fc.constantFrom('OOM' as const, 'OOM' as const, 'USDC' as const),
    price,
    shares: amount,
  })
  .map(orderOf);
const replaced = fc.record({
  orderId: fc.constant(orderId(7)),
  side,
  price,
  requested: amount,
  expiresAt: fc.constant(null),
});
const fee = fc.oneof(fc.constant(0), fc.integer({ min: -2_000, max: 5_000 })).map(money);
const terms: fc.Arbitrary<RiskTerms> = fc
  .record({ fee, lockedFee: fee.map((most) => Math.max(0, most)), tickUnits: fc.constantFrom(1, 10, 100) })
  .map(riskTerms);

const feeOn = (cents: number, perShare: number): number => Math.ceil((perShare * cents) / 100);
const longOf = ({ position, price: at }: LimitOrder): number => (position === 'long' ? at : 10_000 - at);

const sideOf = ({ side: way, position }: LimitOrder) => bookSide(way, position);

/** What an order takes away at most where the market's outcome wins, or does not. */
function costOf(one: LimitOrder, isLongWon: boolean, perShare: Money): number {
  const worth = isLongWon === (one.position === 'long') ? 10_000 : 0;
  const gained = (worth - one.price) * one.shares * (one.side === 'bid' ? 1 : -1);
  return Math.min(0, gained - feeOn(one.shares, perShare));
}

it('what an order adds to the exposure of its market', () => {
  fc.assert(
    fc.property(order, fc.option(replaced), terms, (one, old, by) => {
      const isOwn = one.currency === by.currency;
      const isBidOfBook = sideOf(one) === 'bid';
      const lockOf = (at: number, cents: number): number => at * cents + feeOn(cents, by.lockedFee);
      const lock = one.side === 'bid' ? lockOf(one.price, one.shares) : 0;
      const freed = old?.side === 'bid' ? lockOf(old.price, old.requested) : 0;
      const { costs, ...found } = proposalOf(one, old, by);
      expect(found).toEqual({
        order: one,
        longPrice: longOf(one),
        amount: one.price * one.shares,
        bought: isBidOfBook ? one.shares : 0,
        sold: isBidOfBook ? 0 : one.shares,
        locked: lock,
        claimed: Math.max(0, lock - freed),
        buys: isBidOfBook ? 'long' : 'short',
        shareCost: isOwn ? (isBidOfBook ? longOf(one) : 10_000 - longOf(one)) : 0,
      });
      expect(costs.ifLong).toBe(isOwn ? costOf(one, true, by.fee) + 0 : 0);
      expect(costs.ifShort).toBe(isOwn ? costOf(one, false, by.fee) + 0 : 0);
    }),
  );
});
