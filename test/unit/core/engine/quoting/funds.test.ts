import { describe, expect, it } from 'vitest';
import { Funds } from '../../../../../src/core/engine/quoting/funds.js';
import { marketId } from '../../../../../src/domain/ids.js';
import type { Micros } from '../../../../../src/domain/units.js';

const MARKET = marketId(11);
const ask = (remaining: number, successor: object | null = null) => ({
  side: 'ask',
  position: 'long',
  currency: 'USDC',
  remaining,
  successor,
});

/** Funds of an account that holds 1,000 long shares, with these working orders. */
const fundsWith = (working: readonly object[]): Funds =>
  new Funds({
    currency: 'USDC',
    positions: { held: () => 1_000 },
    mirror: { balance: () => ({ amount: null, asOf: null }) },
    desk: { orders: { own: () => ({ working }), watch: () => new Set() } },
  } as unknown as ConstructorParameters<typeof Funds>[0]);

describe('shares that are to be sold', () => {
  it.each([
    ['as many as are held', [ask(400), ask(600)], false],
    ['more than are held', [ask(400), ask(601)], true],
    ['of the other position', [ask(1_000), { ...ask(600), position: 'short' }], false],
    ['bought, not sold', [ask(1_000), { ...ask(600), side: 'bid' }], false],
    [
      'of another currency, which has holdings of its own',
      [ask(1_000), { ...ask(600), currency: 'USD' }],
      false,
    ],
    ['in the place of an order that an update replaces', [ask(1_000, {}), ask(1_000)], false],
  ])('%s', (_what, working, isTooMuch) => {
    expect(fundsWith(working).areOversold(MARKET, 'long')).toBe(isTooMuch);
  });

  it('are left as far as no order of the same currency sells them', () => {
    expect(fundsWith([ask(400), { ...ask(600), currency: 'USD' }]).free(MARKET).long).toBe(600);
  });
});

describe('cash', () => {
  const READ_AT = 100 as Micros;
  const bid = {
    marketId: MARKET,
    side: 'bid',
    currency: 'USDC',
    price: 5_000,
    remaining: 1_000,
    bornAt: 50,
  };

  /** Ten million money units were there when the balance was read, beside this bid for ten shares at 0.5. */
  function funds(lockKnownAt: number | null = 200, beside: readonly object[] = []) {
    const terms = { currency: 'USDC', takerFee: 0, makerFee: 0 };
    const made = new Funds({
      terms: new Map([[MARKET, terms]]),
      mirror: { balance: () => ({ amount: 10_000_000, asOf: READ_AT }) },
      desk: {
        orders: {
          own: () => ({ working: [{ ...bid, lockKnownAt }, ...beside] }),
          watch: () => new Set([MARKET]),
        },
      },
    } as unknown as ConstructorParameters<typeof Funds>[0]);
    return { made, terms };
  }

  it.each([
    ['that nobody has named, though it was asked for before', null, 5_000_000, false],
    ['that was asked for before and named since', 200, 5_000_000, true],
    ['that had been named before', 60, 10_000_000, false],
  ])('was read, and what locks it beside: an order %s', (_what, lockKnownAt, left, isUnclear) => {
    const { made } = funds(lockKnownAt);
    expect([made.freeCash(), made.areUnclear()]).toEqual([left, isUnclear]);
  });

  it('is known where the order was asked for after the balance', () => {
    const { made } = funds(60, [{ ...bid, bornAt: 150, lockKnownAt: 200 }]);
    expect([made.freeCash(), made.areUnclear()]).toEqual([5_000_000, false]);
  });

  it('is locked by no order of another currency of the account', () => {
    const { made } = funds(200, [{ ...bid, lockKnownAt: 200, currency: 'USD' }]);
    expect([made.lockedIn(MARKET), made.freeCash()]).toEqual([5_000_000, 5_000_000]);
  });

  it('is locked by the fees of now, though no order of the market has changed', () => {
    const { made, terms } = funds();
    expect([made.lockedIn(MARKET), made.freeCash()]).toEqual([5_000_000, 5_000_000]);
    terms.takerFee = 20_000;
    made.repriced(MARKET);
    expect([made.lockedIn(MARKET), made.freeCash()]).toEqual([5_200_000, 4_800_000]);
  });

  it('is claimed by orders that are to leave, and nothing is left where they claim more', () => {
    const { made } = funds();
    const promised = { claimed: 2_000_000 as never };
    made.heed(promised);
    expect([made.unclaimed(), made.freeCash()]).toEqual([3_000_000, 5_000_000]);
    promised.claimed = 6_000_000 as never;
    expect(made.unclaimed()).toBe(0);
  });
});
