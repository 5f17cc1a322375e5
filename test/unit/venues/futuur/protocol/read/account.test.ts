import { describe, expect, it } from 'vitest';
import {
  readBalances,
  readEventWagers,
  readWagerPage,
} from '../../../../../../src/venues/futuur/protocol/read/account.js';
import { pageOf, WAGER } from '../samples.js';

const HOLDING = {
  marketId: '2231',
  eventId: '873',
  position: 'long',
  currency: 'USDC',
  shares: 1_325,
  purchasesAmount: 6.89,
};

describe('balances', () => {
  it('are money by currency, floored to the grid, without currencies that are not ours', () => {
    const rows = [
      { currency: 'USDC', amount: '5000.1234567' },
      { currency: 'OOM', amount: '-3' },
      { currency: 'BTC', amount: '0.5' },
    ];
    expect(readBalances(rows)).toEqual({
      ok: true,
      value: new Map([
        ['USDC', 5_000_123_456],
        ['OOM', -3_000_000],
      ]),
    });
  });

  it.each([[undefined], [{}], [[{ currency: 'USDC', amount: 5 }]], [[{ currency: 'USDC', amount: 'much' }]]])(
    'cannot be read from %j',
    (received) => {
      expect(readBalances(received)).toMatchObject({ ok: false });
    },
  );
});

describe('holdings', () => {
  it('are the active wagers, with ids from references and shares floored', () => {
    const page = pageOf(WAGER, { ...WAGER, id: 78, status: 'sold' });
    expect(readWagerPage(page)).toEqual({
      ok: true,
      value: { holdings: [HOLDING], total: 2, nextOffset: null },
    });
    expect(readEventWagers([WAGER])).toEqual({ ok: true, value: [HOLDING] });
  });

  it.each(['2231', '/markets/2231', 'https://api.example.org/v2.0/markets/2231/'])(
    'take the market from %s',
    (market) => {
      expect(readEventWagers([{ ...WAGER, market }])).toMatchObject({ value: [{ marketId: '2231' }] });
    },
  );

  it.each([
    ['a reference without an id', { market: 'https://api.example.org/markets/' }, 'market: no id in'],
    ['a reference to something after the id', { event: '/events/873/book' }, 'event: no id in'],
    ['another currency', { currency: 'BTC' }, 'currency: unknown word "BTC"'],
    ['no currency', { currency: undefined }, 'currency: unknown word ""'],
    ['negative shares', { shares: -1 }, 'shares: expected shares of at least 0'],
  ])('with %s cannot be placed', (_, change, reason) => {
    expect(readEventWagers([{ ...WAGER, ...change }])).toEqual({
      ok: false,
      reason: expect.stringContaining(reason) as string,
    });
  });
});
