import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../../../src/domain/ids.js';
import { readBook } from '../../../../../../src/venues/futuur/protocol/read/book.js';
import { BOOK_LEVEL } from '../samples.js';

const market = marketId(2231);
const level = (price: number, shares: number, own?: number) => ({
  ...BOOK_LEVEL,
  price,
  total_shares: shares,
  total_fees: 0,
  ...(own !== undefined && { total_user_shares: own, total_user_shares_requested: own }),
});

describe('a book over REST', () => {
  it('has levels best first and own shares beside them', () => {
    const wire = { bid: [level(0.52, 10, 2.5), level(0.5, 1, 0)], ask: [level(0.54, 3, 0)] };
    expect(readBook(wire, market, 'real_money')).toEqual({
      ok: true,
      value: {
        kind: 'read-book',
        marketId: '2231',
        mode: 'real_money',
        bids: { prices: [5_200, 5_000], shares: [1_000, 100] },
        asks: { prices: [5_400], shares: [300] },
        ownBids: [250, 0],
        ownAsks: [0],
        feePerShare: 0,
      },
    });
  });

  it.each([
    [0.01, 10, 1_000],
    [0.00001, 0.01, 900],
    [0.0123, 12.3, 1_000],
    [-0.01, 10, 0],
  ])('tells what taking a share costs: fees of %s on %s shares', (fees, shares, units) => {
    const wire = { bid: [{ ...level(0.52, shares), total_fees: fees }], ask: [level(0.54, 3)] };
    expect(readBook(wire, market, 'play_money')).toMatchObject({ value: { feePerShare: units } });
  });

  it('knows no own shares when the request was not signed', () => {
    expect(
      readBook({ bid: [level(0.52, 10)], ask: [level(0.54, 3, 1)] }, market, 'play_money'),
    ).toMatchObject({
      value: { ownBids: null, ownAsks: [100] },
    });
  });

  it('keeps own shares with their levels when one level is dust and the order is wrong', () => {
    const wire = { bid: [level(0.5, 1, 0.5), level(0.51, 0.001, 0), level(0.52, 10, 2.5)], ask: [] };
    expect(readBook(wire, market, 'play_money')).toMatchObject({
      value: { bids: { prices: [5_200, 5_000] }, ownBids: [250, 50], ownAsks: [] },
    });
  });

  it.each([
    [undefined],
    [{ bid: [] }],
    [{ bid: [level(0, 1)], ask: [] }],
    [{ bid: [], ask: [level(0.5, 1), level(0.5, 1)] }],
  ])('cannot be read from %j', (received) => {
    expect(readBook(received, market, 'play_money')).toMatchObject({ ok: false });
  });
});
