import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MarketId, marketId } from '../../../../src/domain/ids.js';
import { micros, money, shares } from '../../../../src/domain/units.js';
import { Accounts } from '../../../../src/core/portfolio/accounts.js';
import { MarketAccount } from '../../../../src/core/portfolio/market-account.js';
import { fillOf } from '../../../support/orders/fills.js';

/** More than a block of rows, and ids that leave gaps. */
const MARKETS = Array.from({ length: 300 }, (_, place) => marketId(1_000 + 3 * place));
const market = fc.constantFrom(...MARKETS.slice(0, 3), ...MARKETS.slice(126, 130), MARKETS.at(-1)!);
const change = fc.oneof(
  fc.record({
    price: fc.integer({ min: 1, max: 9_999 }),
    size: fc.integer({ min: 1, max: 50_000 }),
    side: fc.constantFrom('bid' as const, 'ask' as const),
    position: fc.constantFrom('long' as const, 'short' as const),
    fee: fc.constantFrom(0, 70, -30),
  }),
  fc.record({ came: fc.integer({ min: -5_000, max: 5_000 }).filter((came) => came !== 0) }),
  fc.integer({ min: 1, max: 19_999 }).map((half) => half / 2),
  fc.constantFrom('long' as const, 'short' as const, 'void' as const, 'reverse' as const),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(account: MarketAccount, happened: Change): void {
  if (happened === 'reverse') account.reverse();
  else if (typeof happened === 'string') account.resolve(happened);
  else if (typeof happened === 'number') account.markAt(happened);
  else if ('came' in happened) account.transfer('short', shares(happened.came), 5_000);
  else account.book(fillFor(happened));
}

const fillFor = ({ price, size, side, position, fee }: Extract<Change, { readonly price: number }>) =>
  fillOf(0, 0, { side, position, shares: shares(size), amount: money(price * size), fee: money(fee) });

describe('the accounts of many markets', () => {
  it('are what an account by itself would be for each, whatever happens in whichever order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(market, change), { maxLength: 60 }), (story) => {
        const accounts = new Accounts();
        const alone = new Map<MarketId, MarketAccount>();
        for (const id of MARKETS) {
          accounts.open(fillOf(1, 1).eventId, id, 5_000);
          alone.set(id, new MarketAccount());
          alone.get(id)!.markAt(5_000);
        }
        for (const [id, happened] of story) {
          if (typeof happened === 'number') accounts.mark(id, happened);
          else accounts.change(id, (account) => apply(account, happened));
          apply(alone.get(id)!, happened);
        }
        expect(MARKETS.map((id) => accounts.account(id)!.profit())).toEqual(
          [...alone.values()].map((account) => account.profit()),
        );
        expect(MARKETS.map((id) => accounts.held(id, 'short'))).toEqual(
          [...alone.values()].map((account) => account.holding('short').shares),
        );
        const cash = [...alone.values()].reduce((sum, account) => sum + account.cash, 0);
        expect(accounts.cash).toBe(cash);
      }),
      { numRuns: 100 },
    );
  });

  it('remember when a fill of either position was told last', () => {
    const accounts = new Accounts();
    const [one, other] = MARKETS as [MarketId, MarketId];
    for (const id of [one, other]) accounts.open(fillOf(1, 1).eventId, id, null);
    accounts.filled(one, 'short', micros(7));
    expect(accounts.filledAt(one, 'short')).toBe(7);
    expect([accounts.filledAt(one, 'long'), accounts.filledAt(other, 'short')]).toEqual([null, null]);
  });
});
