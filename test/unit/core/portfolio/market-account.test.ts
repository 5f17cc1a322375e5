import { describe, expect, it } from 'vitest';
import { type Shares, money } from '../../../../src/domain/units.js';
import type { Profit } from '../../../../src/core/portfolio/market-account.js';
import { averageCost } from '../../../../src/core/portfolio/ledger.js';
import { MarketAccount } from '../../../../src/core/portfolio/market-account.js';
import { fillOf } from '../../../support/orders/fills.js';

/** In currency units. */
const inUnits = (profit: Profit): Record<string, number> =>
  Object.fromEntries(Object.entries(profit).map(([name, value]) => [name, value / 1_000_000]));

const NONE = {
  spread: 0,
  inventory: 0,
  resolution: 0,
  fees: 0,
  rebates: 0,
  realised: 0,
  unrealised: 0,
  total: 0,
};

describe('profit of a market', () => {
  it('begins with nothing', () => {
    expect(new MarketAccount().profit()).toEqual(NONE);
  });

  it('a buy below the mid earns the distance, unrealised', () => {
    const account = new MarketAccount();
    account.markAt(5_000);
    account.book(fillOf(48, 10));
    expect(inUnits(account.profit())).toEqual({ ...NONE, spread: 0.2, unrealised: 0.2, total: 0.2 });
  });

  it('buying short is selling long: the same distance, the mirrored inventory', () => {
    const account = new MarketAccount();
    account.markAt(5_000);
    account.book(fillOf(48, 10, { position: 'short' }));
    account.markAt(4_000);
    expect(inUnits(account.profit())).toEqual({
      ...NONE,
      spread: 0.2,
      inventory: 1,
      unrealised: 1.2,
      total: 1.2,
    });
  });

  it('a round trip realises by average cost, fees and rebates apart', () => {
    const account = new MarketAccount();
    account.markAt(5_000);
    account.book(fillOf(48, 10, { fee: money(10_000) }));
    account.book(fillOf(49, 10, { fee: money(-4_000) }));
    account.book(fillOf(52, 10, { side: 'ask' }));
    expect(averageCost(account.holding('long'))).toBe(4_850);
    expect(inUnits(account.profit())).toEqual({
      ...NONE,
      spread: 0.5,
      fees: 0.01,
      rebates: 0.004,
      realised: 0.344,
      unrealised: 0.15,
      total: 0.494,
    });
  });

  it('without a mid the first price is the mark', () => {
    const account = new MarketAccount();
    account.book(fillOf(48, 10));
    expect([account.mark, account.profit().total]).toEqual([4_800, 0]);
    account.markAt(null);
    account.markAt(5_000);
    expect(inUnits(account.profit())).toMatchObject({ spread: 0, inventory: 0.2, total: 0.2 });
  });

  it('an improved fill counts by its amount, not by a rounded price', () => {
    const account = new MarketAccount();
    account.markAt(5_000);
    account.book({ ...fillOf(48, 10), amount: money(4_799_999) });
    expect(account.profit().spread).toBe(200_001);
  });

  it('a sale that is told of before its purchase ends in the same profit', () => {
    const [buy, sell] = [fillOf(48, 10), fillOf(52, 10, { side: 'ask' })];
    const inOrder = new MarketAccount();
    const reversed = new MarketAccount();
    for (const account of [inOrder, reversed]) account.markAt(5_000);
    for (const fill of [buy, sell]) inOrder.book(fill);
    for (const fill of [sell, buy]) reversed.book(fill);
    expect(reversed.profit()).toEqual(inOrder.profit());
    expect(inUnits(reversed.profit())).toMatchObject({ realised: 0.4, unrealised: 0 });
  });
});

describe('resolution', () => {
  const holding = (): MarketAccount => {
    const account = new MarketAccount();
    account.markAt(5_000);
    account.book(fillOf(48, 10, { fee: money(10_000) }));
    account.book(fillOf(45, 4, { position: 'short' }));
    account.markAt(6_000);
    return account;
  };

  it('pays one unit per winning share and attributes the last jump', () => {
    const account = holding();
    account.resolve('long');
    expect(account.net).toBe(0);
    expect(account.cash).toBe(10_000_000 - 4_800_000 - 1_800_000 - 10_000);
    expect(inUnits(account.profit())).toEqual({
      ...NONE,
      spread: 0.4,
      inventory: 0.6,
      resolution: 2.4,
      fees: 0.01,
      realised: 3.39,
      total: 3.39,
    });
  });

  it('pays the short side as well', () => {
    const account = holding();
    account.resolve('short');
    expect(account.cash).toBe(4_000_000 - 4_800_000 - 1_800_000 - 10_000);
  });

  it('pays a part to long and the rest to short when the payout lies between', () => {
    const account = holding();
    account.resolve(2_500);
    expect(account.cash).toBe(2_500_000 + 3_000_000 - 4_800_000 - 1_800_000 - 10_000);
  });

  it('a void takes every cash flow back, fees included', () => {
    const account = holding();
    account.resolve('void');
    const profit = account.profit();
    expect([account.cash, profit.total, profit.realised]).toEqual([0, 0, 0]);
    expect(profit.spread + profit.inventory + profit.resolution - profit.fees).toBe(0);
  });

  it('a reversal takes the payout back, a later resolution replaces it', () => {
    const account = holding();
    const before = account.profit();
    account.resolve('long');
    account.reverse();
    expect(account.profit()).toEqual(before);
    expect(account.resolution).toBeNull();
    account.resolve('long');
    account.resolve('short');
    const direct = holding();
    direct.resolve('short');
    expect(account.profit()).toEqual(direct.profit());
  });

  it('a fill that is told of late counts as if told of before', () => {
    const late = holding();
    late.resolve('long');
    late.book(fillOf(55, 3));
    const early = holding();
    early.book(fillOf(55, 3));
    early.resolve('long');
    expect(late.profit()).toEqual(early.profit());
    expect(late.cash).toBe(early.cash);
  });

  it('leaves marks alone', () => {
    const account = holding();
    account.resolve('long');
    account.markAt(100);
    expect(account.mark).toBe(10_000);
  });
});

describe('shares that come or go without a trade', () => {
  it('come at the mark, to the money unit, and are no profit', () => {
    const account = new MarketAccount();
    account.markAt(5_000.5);
    account.transfer('long', 101 as Shares, 0);
    expect(account.profit()).toMatchObject({ total: -0.5, inventory: -0.5 });
    expect(account.holding('long')).toEqual({ shares: 101, cost: 505_051 });
    expect([account.cash, account.netCost]).toEqual([0, 505_051]);
  });

  it('come at the stated price while there is no mark', () => {
    const account = new MarketAccount();
    account.transfer('short', 100 as Shares, 7_000);
    expect(averageCost(account.holding('short'))).toBe(3_000);
    expect(account.profit().total).toBe(0);
  });

  it('had gained or lost before there was a mark what is no profit, though they cost what they cost', () => {
    const account = new MarketAccount();
    account.transfer('long', 1_000 as Shares, 9_000);
    account.transfer('short', 400 as Shares, 9_000);
    account.markAt(4_000);
    expect(inUnits(account.profit())).toMatchObject({ total: 0, inventory: 0 });
    expect(averageCost(account.holding('long'))).toBe(9_000);
    account.markAt(4_100);
    expect(inUnits(account.profit())).toMatchObject({ total: 0.06, inventory: 0.06 });
    account.book(fillOf(42, 10, { side: 'ask' }));
    expect(inUnits(account.profit())).toMatchObject({ total: 0.06 + 0.1, spread: 0.1 });
  });

  it('come at the first mark also where it is what was assumed', () => {
    const account = new MarketAccount();
    account.transfer('long', 1_000 as Shares, 4_000);
    account.markAt(4_000);
    account.markAt(4_100);
    expect(inUnits(account.profit())).toMatchObject({ total: 0.1, inventory: 0.1 });
  });

  it('of which some were sold before there was a mark come at what those brought', () => {
    const account = new MarketAccount();
    account.transfer('long', 1_000 as Shares, 9_000);
    account.book(fillOf(40, 4, { side: 'ask' }));
    expect(inUnits(account.profit())).toMatchObject({ total: 0, spread: 0, inventory: 0 });
    account.markAt(4_100);
    expect(inUnits(account.profit())).toMatchObject({ total: 0.06, inventory: 0.06 });
  });

  it('give back what they cost where the market is void, which they were worth more or less than', () => {
    const account = new MarketAccount();
    account.transfer('long', 1_000 as Shares, 9_000);
    account.markAt(4_000);
    account.resolve('void');
    expect(inUnits(account.profit())).toMatchObject({ total: 5, resolution: 5 });
  });

  it('go at the mark: what they had gained stays', () => {
    const account = new MarketAccount();
    account.markAt(5_000);
    account.book(fillOf(48, 10));
    account.transfer('long', -1_000 as Shares, 0);
    expect(inUnits(account.profit())).toMatchObject({ realised: 0.2, unrealised: 0, total: 0.2 });
    expect(account.holding('long')).toEqual({ shares: 0, cost: 0 });
  });
});
