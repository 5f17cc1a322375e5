import { expect, it } from 'vitest';
import {
  CashShares,
  type CashShortage,
  cashShortText,
  type Funds,
} from '../../../../../src/core/engine/quoting/funds.js';
import { marketId } from '../../../../../src/domain/ids.js';
import { micros, money, type Money } from '../../../../../src/domain/units.js';

const M = 1_000_000;

it('cash that quotes lack is said once, shown while it lacks, and its worst is kept', () => {
  let cash = 100 * M;
  const funds = { freeCash: () => cash as Money, locked: () => 0 as Money } as unknown as Funds;
  const said: CashShortage[] = [];
  const shares = new CashShares(funds, (shortage) => said.push(shortage));
  const user = {
    marketId: marketId(1),
    cashClaims: () => [{ marketId: marketId(1), lock: money(150 * M), rank: 1 }],
  };
  const review = (second: number): void => {
    shares.planned(marketId(1), true);
    shares.review([user], micros(second * M));
  };
  review(1);
  expect(shares.shortage).toEqual({ needed: 150 * M, there: 100 * M });
  cash = 60 * M;
  review(3);
  cash = 200 * M;
  review(5);
  expect(shares.shortage).toBeNull();
  expect(shares.worst).toEqual({ needed: 150 * M, there: 60 * M });
  expect(said).toEqual([{ needed: 150 * M, there: 100 * M }]);
  expect(cashShortText(said[0]!, 'OOM')).toBe(
    'cash is short: all quotes would lock 150.00 OOM, 100.00 are there; the quotes with the most expected edge stand, the others wait',
  );
});

it('cash that is short is shared as if what is held were sold first: a pair that is sold frees cash instead of locking it', () => {
  const funds = { freeCash: () => 10 * M, locked: () => 0 } as unknown as Funds;
  const shares = new CashShares(funds, () => undefined);
  const [paired, plain] = [marketId(1), marketId(2)];
  const users = [
    // It holds long and short of one outcome, and would lock 8 for each side unless it sells them.
    {
      marketId: paired,
      cashClaims: (order?: string) =>
        order === 'held-first' ? [] : [{ marketId: paired, lock: money(16 * M), rank: 2 }],
    },
    { marketId: plain, cashClaims: () => [{ marketId: plain, lock: money(9 * M), rank: 1 }] },
  ];
  shares.planned(plain, true);
  expect(shares.isShort).toBe(false);
  expect(shares.review(users, micros(1 * M))).toEqual(expect.arrayContaining([paired, plain]));
  expect([shares.isShort, shares.of(paired), shares.of(plain)]).toEqual([true, 0, 9 * M]);
});
