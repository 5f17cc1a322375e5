import { bookOf, contextOf, eventOf, inventoryOf, marketOf, signalOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import avellanedaStoikov from '../../../strategies/avellaneda-stoikov.js';
import bands from '../../../strategies/bands.js';
import fairQuoter from '../../../strategies/fair-quoter.js';
import glft from '../../../strategies/glft.js';

/** Numbers of `../shared/design/market-making.md`; the grid is fine, so that rounding does not hide them. */
const market = marketOf({ tick: 0.00001 });
const prices = ({ bids, asks }: { bids: readonly { price: number }[]; asks: readonly { price: number }[] }) =>
  [...bids, ...asks].map(({ price }) => Number(price.toFixed(8)));

describe('glft', () => {
  const params = { a: 0.05, k: 60, gamma: 0.01, sigma: 0.0005, shares: 100, maxInventory: 1_000 };

  it('quotes the closed form for orders of one size', () => {
    const flat = glft.quote(contextOf(glft, { market, params }));
    expect(prices(flat)).toEqual([0.48330173, 0.51669827]);
    const long = glft.quote(contextOf(glft, { market, params, inventory: inventoryOf(300) }));
    expect(prices(long)).toEqual([0.4822879, 0.51568445]);
  });

  it('takes the volatility from the price and the time left, and adds the price impact', () => {
    const local = { a: 0.5531, k: 95.8, gamma: 0.01, shares: 20, xi: 0.03 };
    const event = eventOf({ msToClose: 600_000 });
    expect(prices(glft.quote(contextOf(glft, { market, params: local, event })))).toEqual([
      0.47337536, 0.52662464,
    ]);
  });

  it('takes the volatility that the file has measured instead', () => {
    const measured = { market, params: { ...params, sigma: 0 }, signals: { sigma: signalOf(0.0005) } };
    expect(prices(glft.quote(contextOf(glft, measured)))).toEqual([0.48330173, 0.51669827]);
    const missing = contextOf(glft, { ...measured, signals: { sigma: null } });
    expect(prices(glft.quote(missing))).toEqual([]);
  });

  it('leaves out the side that would exceed the bound, in both forms', () => {
    for (const form of ['closed', 'exact']) {
      const full = { market, params: { ...params, form, maxInventory: 300 }, inventory: inventoryOf(300) };
      const { bids, asks } = glft.quote(contextOf(glft, full));
      expect([bids.length, asks.length]).toEqual([0, 1]);
    }
  });

  it('is the closed form far from the bound when it is exact', () => {
    const wide = { ...params, maxInventory: 3_000 };
    const both = (['closed', 'exact'] as const).map((form) =>
      prices(glft.quote(contextOf(glft, { market, params: { ...wide, form } }))),
    );
    both[0]!.forEach((price, side) => expect(both[1]![side]).toBeCloseTo(price, 4));
  });

  it.each([0, 1])('quotes nothing on a fair value of %s', (p) => {
    const { bids, asks } = glft.quote(contextOf(glft, { params, fair: { p, ageMs: 0, confidence: 1 } }));
    expect([bids, asks]).toEqual([[], []]);
  });
});

describe('avellaneda-stoikov', () => {
  it.each([
    [0.3, 50, [0.26772539, 0.30029323]],
    [0.97, -40, [0.94843791, 0.98300388]],
  ])('quotes in logit space at %s with %s shares', (p, net, expected) => {
    const context = contextOf(avellanedaStoikov, {
      market,
      params: { gamma: 0.01, k: 60, sigma: 0.05, horizonMs: 300_000 },
      fair: { p, ageMs: 0, confidence: 1 },
      inventory: inventoryOf(net),
    });
    expect(prices(avellanedaStoikov.quote(context))).toEqual(expected);
  });

  it('takes the measured volatility where none is given', () => {
    const params = { gamma: 0.01, k: 60, sigma: 0, horizonMs: 300_000 };
    const state = { market, params, fair: { p: 0.3, ageMs: 0, confidence: 1 }, inventory: inventoryOf(50) };
    const measured = contextOf(avellanedaStoikov, { ...state, signals: { sigma: signalOf(0.05) } });
    expect(prices(avellanedaStoikov.quote(measured))).toEqual([0.26772539, 0.30029323]);
    expect(prices(avellanedaStoikov.quote(contextOf(avellanedaStoikov, state)))).toEqual([]);
  });

  it('narrows towards the close of the event', () => {
    const spread = (msToClose: number) => {
      const context = contextOf(avellanedaStoikov, {
        market,
        params: { sigma: 0.05 },
        event: eventOf({ msToClose }),
      });
      const [bid, ask] = prices(avellanedaStoikov.quote(context));
      return ask! - bid!;
    };
    expect(spread(1_000)).toBeLessThan(spread(600_000));
  });
});

describe('fair-quoter', () => {
  it('demands more edge and offers less of a doubtful value', () => {
    const at = (confidence: number) =>
      fairQuoter.quote(contextOf(fairQuoter, { market, fair: { p: 0.6, ageMs: 0, confidence } }));
    expect(prices(at(1))).toEqual([0.58, 0.62]);
    expect(prices(at(0.5))).toEqual([0.555, 0.645]);
    expect(at(0.5).bids[0]?.shares).toBe(5);
    expect(prices(at(0.1))).toEqual([]);
  });

  it('is asked again when its value gets too old', () => {
    const at = (ageMs: number) =>
      fairQuoter.quote(contextOf(fairQuoter, { market, fair: { p: 0.6, ageMs, confidence: 1 } }));
    expect(at(400).wakeInMs).toBe(59_601);
    expect(prices(at(60_001))).toEqual([]);
  });
});

describe('bands', () => {
  const order = (side: 'bid' | 'ask', price: number, shares: number) =>
    ({ side, price, shares, state: 'live' }) as const;
  const quoted = (working: readonly ReturnType<typeof order>[], net = 0) => {
    const context = contextOf(bands, { book: bookOf(0.4, 0.6), working, inventory: inventoryOf(net) });
    const { bids, asks } = bands.quote(context);
    return {
      bids: bids.map(({ price, shares }) => [price, shares]),
      asks: asks.map(({ price, shares }) => [price, shares]),
    };
  };

  it('fills an empty band up to its average at its average margin', () => {
    expect(quoted([])).toEqual({ bids: [[0.48, 10]], asks: [[0.52, 10]] });
  });

  it('leaves alone what lies in a band, and cancels what does not', () => {
    expect(quoted([order('bid', 0.475, 7), order('ask', 0.515, 6), order('ask', 0.55, 10)])).toEqual({
      bids: [[0.475, 7]],
      asks: [[0.515, 6]],
    });
  });

  it('cancels what exceeds the most of a band, the farthest first', () => {
    expect(quoted([order('bid', 0.485, 12), order('bid', 0.475, 12)]).bids).toEqual([[0.485, 12]]);
  });

  it('fills up what fell below the least', () => {
    expect(quoted([order('bid', 0.475, 4)]).bids).toEqual([
      [0.475, 4],
      [0.48, 6],
    ]);
  });

  it('stops the side that would exceed the inventory', () => {
    expect(quoted([], 100)).toEqual({ bids: [], asks: [[0.52, 10]] });
  });

  it('is refused with the row and field that is wrong', () => {
    const params = { bids: [{ minMargin: 0.01 }, { minMargin: 2, avgMargn: 0.1 }] };
    expect(() => contextOf(bands, { params })).toThrow(/bids\[1\]\.avgMargn.*bids\[1\]\.minMargin/s);
  });
});
