import { bookOf, inventoryOf, marketOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import type { QuoteIntent } from '../../../src/domain/intent.js';
import type { ContextWithoutInstance } from '../../../src/core/strategy/context.js';
import inventorySkew from '../../../strategies/inventory-skew.js';
import { contextOf, instanceOf } from '../../support/bot/strategy-context.js';

const PARAMETERS = { halfSpread: 0.02, shares: 10, range: 100, priceSkew: 0.03 };

function quote(
  net: number,
  parameters: Readonly<Record<string, unknown>> = {},
  context: Partial<ContextWithoutInstance> = {},
): QuoteIntent {
  const instance = instanceOf(inventorySkew, { ...PARAMETERS, ...parameters });
  const decision = instance.decide(contextOf({ inventory: inventoryOf(net), ...context }));
  if (!decision.ok) throw new Error(decision.fault.text);
  return decision.intents[0]!;
}
const bidOf = ({ bids }: QuoteIntent) => bids[0] && [bids[0].price, bids[0].shares / 100];
const askOf = ({ asks }: QuoteIntent) => asks[0] && [asks[0].price, asks[0].shares / 100];

describe('inventory-skew', () => {
  it('is symmetric at its target', () => {
    expect([bidOf(quote(0)), askOf(quote(0))]).toEqual([
      [48, 10],
      [52, 10],
    ]);
    const atTarget = quote(40, { target: 40 });
    expect([bidOf(atTarget), askOf(atTarget)]).toEqual([
      [48, 10],
      [52, 10],
    ]);
  });

  it.each([
    // At target - range the bid has twice its shares, at the target its own, at target + range none.
    [-100, [51, 20], undefined],
    [-50, [49, 15], [54, 5]],
    [50, [46, 5], [51, 15]],
    [100, undefined, [49, 20]],
  ])('at %s net shares bids %j and asks %j', (net, bid, ask) => {
    const intent = quote(net);
    expect(bidOf(intent)).toEqual(bid);
    expect(askOf(intent)).toEqual(ask);
  });

  it('leans no further beyond its range', () => {
    expect(quote(500)).toEqual(quote(100));
    expect(quote(-500)).toEqual(quote(-100));
  });

  it('never offers more than leads to the end of its range', () => {
    const { bids } = quote(60, { shares: 200 });
    expect(bids[0]?.shares).toBe(4_000);
    for (let net = -100; net <= 100; net += 5) {
      const intent = quote(net, { shares: 1_000 });
      expect(net + (bidOf(intent)?.[1] ?? 0)).toBeLessThanOrEqual(100);
      expect(net - (askOf(intent)?.[1] ?? 0)).toBeGreaterThanOrEqual(-100);
    }
  });

  it('moves its quotes by whole ticks on a one-cent grid: from full short to full long by two price skews', () => {
    const bids: number[] = [];
    for (let net = -99; net <= 99; net++) bids.push(bidOf(quote(net))?.[0] ?? NaN);
    expect(bids).toEqual(bids.toSorted((one, two) => two - one));
    expect([bids[0], bids.at(-1)]).toEqual([50, 45]);
    expect(new Set(bids).size).toBe(6);
  });

  it('shows no response to inventory in its prices when the skew is below a tick', () => {
    const prices = [-60, -20, 20, 60].map(
      (net) => bidOf(quote(net, { priceSkew: 0.004 }, { fair: { p: 0.505, ageMs: 0, confidence: 1 } }))?.[0],
    );
    expect(new Set(prices).size).toBe(1);
  });

  it('stays passive when the skew would take', () => {
    const intent = quote(-99, { priceSkew: 0.1 }, { book: bookOf(0.48, 0.52) });
    expect(bidOf(intent)?.[0]).toBe(51);
    expect(intent.bids[0]?.reason.map(({ label }) => label)).toEqual([
      'fair',
      'skew',
      'half-spread',
      'passive',
    ]);
  });

  it('leaves out what would not reach the least amount', () => {
    const market = marketOf({ minAmount: 1 });
    expect(bidOf(quote(80, {}, { market }))).toBeUndefined();
    expect(askOf(quote(80, {}, { market }))).toEqual([50, 18]);
  });

  it('quotes nothing without a fair value or with one that is too old', () => {
    expect(quote(0, {}, { fair: null })).toMatchObject({ bids: [], asks: [] });
    expect(quote(0, {}, { fair: { p: 0.5, ageMs: 60_001, confidence: 1 } })).toMatchObject({
      bids: [],
      asks: [],
    });
  });

  it('takes a short target', () => {
    const intent = quote(-50, { target: -50 });
    expect([bidOf(intent), askOf(intent)]).toEqual([
      [48, 10],
      [52, 10],
    ]);
  });
});
