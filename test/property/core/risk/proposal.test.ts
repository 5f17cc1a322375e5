import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LimitOrder } from '../../../../src/domain/orders.js';
import { type Money, money, priceUnits, shares } from '../../../../src/domain/units.js';
import { bookSide } from '../../../../src/domain/vocabulary.js';
import { Proposal, type Reckoning, type Wanted } from '../../../../src/core/risk/index.js';
import { orderOf, reckoningOf } from '../../../support/bot/risk-view.js';

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
  orderId: fc.constant(null),
  side,
  price,
  requested: amount,
  expiresAt: fc.constant(null),
});
const wishes: fc.Arbitrary<Wanted> = fc
  .record({
    replacements: fc.array(fc.record({ order: replaced, to: order }), { maxLength: 6 }),
    creates: fc.array(order, { maxLength: 3 }),
  })
  .filter(({ replacements, creates }) => replacements.length + creates.length > 0);
const fee = fc.oneof(fc.constant(0), fc.integer({ min: -2_000, max: 5_000 })).map(money);
const reckoning: fc.Arbitrary<Reckoning> = fc
  .record({ fee, lockedFee: fee.map((most) => Math.max(0, most)), tickUnits: fc.constantFrom(1, 10, 100) })
  .map(reckoningOf);

const feeOn = (cents: number, perShare: number): number => Math.ceil((perShare * cents) / 100);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const longOf = ({ position, price: at }: LimitOrder): number => (position === 'long' ? at : 10_000 - at);

const sideOf = ({ side: way, position }: LimitOrder) => bookSide(way, position);

/** What an order takes away at most where the market's outcome wins, or does not. */
function costOf(one: LimitOrder, isLongWon: boolean, perShare: Money): number {
  const worth = isLongWon === (one.position === 'long') ? 10_000 : 0;
  const gained = (worth - one.price) * one.shares * (one.side === 'bid' ? 1 : -1);
  return Math.min(0, gained - feeOn(one.shares, perShare));
}

it('orders that want to stand together come to what each of them comes to', () => {
  const proposal = new Proposal();
  fc.assert(
    fc.property(wishes, reckoning, (wanted, by) => {
      const { replacements, creates } = wanted;
      const all = [...replacements.map(({ to }) => to), ...creates];
      const before = [...replacements.map(({ order: old }) => old), ...creates.map(() => null)];
      const lockOf = (at: number, cents: number): number => at * cents + feeOn(cents, by.lockedFee);
      const locks = all.map((one) => (one.side === 'bid' ? lockOf(one.price, one.shares) : 0));
      const claims = locks.map((lock, at) => {
        const old = before[at]!;
        return old?.side === 'bid' ? Math.max(0, lock - lockOf(old.price, old.requested)) : lock;
      });
      const own = all.filter(({ currency }) => currency === by.currency);
      const sharesAt = (where: 'bid' | 'ask'): number =>
        sum(all.filter((one) => sideOf(one) === where).map((one) => one.shares));
      const offGrid = all.map((one) => one.price).filter((at) => at % by.tickUnits !== 0);
      const dearestAt = (where: 'bid' | 'ask'): number =>
        Math.max(
          0,
          ...own
            .filter((one) => bookSide(one.side, one.position) === where)
            .map((one) => (where === 'bid' ? longOf(one) : 10_000 - longOf(one))),
        );
      const { costs, highestAmount, ...found } = proposal.read(wanted, by);
      const dearest = Math.max(...all.map((one) => one.price * one.shares));
      const isOneSize = new Set(all.map((one) => one.shares)).size === 1;
      expect(highestAmount).toBeGreaterThanOrEqual(dearest);
      expect(isOneSize ? highestAmount : dearest).toBe(dearest);
      expect(found).toEqual({
        count: all.length,
        lowest: Math.min(...all.map((one) => one.price)),
        highest: Math.max(...all.map((one) => one.price)),
        offGrid: offGrid.at(-1) ?? null,
        lowestLong: Math.min(...all.map(longOf)),
        highestLong: Math.max(...all.map(longOf)),
        dearestLong: dearestAt('bid'),
        dearestShort: dearestAt('ask'),
        highestBid: Math.max(0, ...all.filter((one) => sideOf(one) === 'bid').map(longOf)),
        lowestAsk: Math.min(10_000, ...all.filter((one) => sideOf(one) === 'ask').map(longOf)),
        sells: all.some((one) => one.side === 'ask'),
        mostShares: Math.max(...all.map((one) => one.shares)),
        bought: sharesAt('bid'),
        sold: sharesAt('ask'),
        locked: sum(locks),
        claimed: sum(claims),
      });
      expect(costs.ifLong).toBe(sum(own.map((one) => costOf(one, true, by.fee))));
      expect(costs.ifShort).toBe(sum(own.map((one) => costOf(one, false, by.fee))));
    }),
  );
});
