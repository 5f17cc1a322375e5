import { describe, expect, it } from 'vitest';
import { MarketAccounts, requireIdentity } from '../../../src/analytics/market-analyst.js';
import { executableValue } from '../../../src/analytics/series.js';
import { InvariantError } from '../../../src/domain/errors.js';
import { money, shares } from '../../../src/domain/units.js';
import { NO_PROFIT } from '../../../src/core/portfolio/market-account.js';
import { fillOf } from '../../support/orders/fills.js';
import { depthOf } from '../../support/report/watched-run.js';

describe('the identity of the attribution', () => {
  const profit = { ...NO_PROFIT, spread: 300, inventory: -100, total: 200 };

  it('holds to 1e-9 of a currency unit', () => {
    expect(() => requireIdentity({ ...profit, total: 200.0009 }, 'a market')).not.toThrow();
    expect(() => requireIdentity({ ...profit, total: 200.002 }, 'a market')).toThrow(InvariantError);
  });

  it('says whose it is and by how much it is off', () => {
    expect(() => requireIdentity({ ...profit, total: 1_000_200 }, 'market 7')).toThrow(
      /attribution of market 7.*by -1$/,
    );
  });

  it('is refused when a side is missing from the whole', () => {
    const accounts = new MarketAccounts();
    accounts.markAt(5_000);
    accounts.book(fillOf(48, 10));
    expect(() => accounts.check('market 1')).not.toThrow();
    accounts.ask.book(fillOf(52, 10, { side: 'ask' }));
    expect(() => accounts.check('market 1')).toThrow('market 1, sides');
  });

  it('lets shares come and go without a trade', () => {
    const accounts = new MarketAccounts();
    accounts.transfer('long', shares(1_000), 4_800);
    accounts.markAt(4_800);
    accounts.book(fillOf(50, 5, { side: 'ask' }));
    accounts.resolve('long');
    expect(() => accounts.check('market 1')).not.toThrow();
    expect(accounts.whole.profit().total / 1e6).toBeCloseTo(5 * 0.02 + 5 * 0.52, 9);
  });
});

it('counts nothing that shares which came had gained before there was a price', () => {
  const accounts = new MarketAccounts();
  accounts.transfer('long', shares(1_000), 9_000);
  accounts.markAt(4_000);
  accounts.markAt(4_100);
  accounts.check('market 1');
  expect(accounts.whole.profit()).toMatchObject({ total: 1e6 * 0.1, inventory: 1e6 * 0.1 });
});

describe('executableValue', () => {
  const book = depthOf([[40, 10]], [[60, 10]]);

  it('counts pairs as one each and charges the taker', () => {
    const held = { long: shares(700), short: shares(500) };
    // Five pairs, and two long shares sold at 0.40 less 0.01 each.
    expect(executableValue(held, book, money(10_000)) / 1e6).toBeCloseTo(5 + 2 * 0.39, 12);
  });

  it('counts nothing for what the book does not take', () => {
    expect(executableValue({ long: shares(0), short: shares(5_000) }, book, money(0)) / 1e6).toBeCloseTo(
      4,
      12,
    );
  });
});
