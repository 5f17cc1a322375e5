import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../../src/domain/ids.js';
import type { QuoteLevel } from '../../../../../src/domain/intent.js';
import { type PriceUnits, shares, type Shares, type Ticks } from '../../../../../src/domain/units.js';
import {
  allot,
  type CashClaim,
  claimsOf,
  type Claimant,
  totalClaimed,
} from '../../../../../src/core/execution/planning/rationing.js';
import { found } from '../../../../../src/core/execution/orders/tracked-order.js';
import { cash, marketTerms } from '../../../../support/orders/market-terms.js';
import { EVENT, limitOrder } from '../../../../support/orders/order-scenario.js';
import { ms, reportOf } from '../../../../support/orders/own-order-reports.js';

const [A, B, C] = [1, 2, 3].map(marketId) as [
  CashClaim['marketId'],
  CashClaim['marketId'],
  CashClaim['marketId'],
];
const claim = (market: CashClaim['marketId'], lock: number, rank: number): CashClaim => ({
  marketId: market,
  lock: cash(lock),
  rank,
});

describe('scarce cash', () => {
  it('goes to the quotes with the most expected edge per unit locked, whatever their market', () => {
    const claims = [claim(A, 10, 0.1), claim(B, 10, 0.3), claim(A, 10, 0.2), claim(C, 10, 0.05)];
    expect(allot(claims, cash(25))).toEqual(
      new Map([
        [B, cash(10)],
        [A, cash(15)],
      ]),
    );
  });

  it('is never shared out twice', () => {
    const claims = [claim(A, 10, 0.1), claim(B, 30, 0.3)];
    const given = [...allot(claims, cash(25)).values()].reduce((sum, one) => sum + one, 0);
    expect(given).toBe(cash(25));
    expect(allot(claims, cash(0)).size).toBe(0);
    expect(totalClaimed(claims)).toBe(cash(40));
  });
});

const level = (price: number): QuoteLevel => ({ price: price as Ticks, shares: shares(1_000), reason: [] });
const claimant = (changes: Partial<Claimant> = {}): Claimant => ({
  intent: { marketId: marketTerms().marketId, bids: [level(48)], asks: [level(52), level(60)] },
  terms: marketTerms(),
  held: { long: 0 as Shares, short: 0 as Shares },
  order: 'held-first',
  fair: 5_000 as PriceUnits,
  touch: { bid: null, ask: null },
  working: [],
  ...changes,
});
const locksOf = (one: Claimant): number[] => claimsOf(one).map(({ lock }) => lock);

describe('what a market claims', () => {
  it('is what each level would lock, the worst fee included', () => {
    const terms = { ...marketTerms(), takerFee: cash(0.01), makerFee: cash(0) };
    expect(locksOf(claimant({ terms }))).toEqual([4_900_000, 4_900_000, 4_100_000]);
  });

  it('is nothing where held shares are sold first, and everything where collateral is used first', () => {
    const held = { long: shares(2_000), short: shares(1_000) };
    expect(locksOf(claimant({ held }))).toEqual([]);
    expect(locksOf(claimant({ held, order: 'collateral-first' }))).toHaveLength(3);
  });

  it('ranks by edge per unit locked, and what stands somewhat higher', () => {
    const [bid, ask, far] = claimsOf(claimant());
    expect(bid!.rank).toBeCloseTo(ask!.rank, 12);
    expect(far!.rank).toBeLessThan(bid!.rank);
    const order = limitOrder(48, 10);
    const working = [found(reportOf(order, 7), EVENT, 'ours', { serial: 1, at: ms(0) })];
    expect(claimsOf(claimant({ working }))[0]!.rank).toBeCloseTo(1.25 * bid!.rank, 12);
  });

  it('comes last, near levels first, where nobody knows what the outcome is worth', () => {
    const ranks = claimsOf(claimant({ fair: null })).map(({ rank }) => rank);
    expect(ranks).toEqual([-1, -1, -2]);
  });
});
