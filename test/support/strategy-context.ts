/** Contexts for strategies under test: a market with a two-sided book of which only what matters is stated. */
import { eventId, marketId } from '../../src/domain/ids.js';
import type { BookView, InventoryView, MarketView } from '../../src/strategy/contract.js';
import type { ContextWithoutInstance } from '../../src/strategy/instance.js';
import { asStrategy } from '../../src/strategy/registry.js';
import { checkParameters } from '../../src/strategy/parameters.js';
import { StrategyInstance } from '../../src/strategy/instance.js';
import { seededRandom } from '../../src/runtime/seeded-random.js';

export const MARKET = marketId(2231);
export const OTHER_MARKET = marketId(2232);

/** A book of one level a side; null leaves the side empty. */
export function bookOf(bid: number | null, ask: number | null, shares = 100): BookView {
  const mid = bid === null || ask === null ? null : (bid + ask) / 2;
  return {
    bids: bid === null ? [] : [{ price: bid, shares }],
    asks: ask === null ? [] : [{ price: ask, shares }],
    bid,
    ask,
    mid,
    weightedMid: mid,
    hidden: { bids: false, asks: false },
    ageMs: 0,
  };
}

/** A holding of so many net shares, long or short. */
export const inventoryOf = (net: number): InventoryView => ({
  long: Math.max(0, net),
  short: Math.max(0, -net),
  net,
  paired: 0,
  averageLong: net > 0 ? 0.5 : null,
  averageShort: net < 0 ? 0.5 : null,
  cashFree: 10_000,
});

export const marketOf = (changes: Partial<MarketView> = {}): MarketView => ({
  id: MARKET,
  title: 'Candidate A',
  tick: 0.01,
  currency: 'OOM',
  takerFee: 0,
  makerFee: 0,
  minAmount: 0.01,
  ...changes,
});

/** Fair value one half, nothing held, an empty book, unless stated otherwise. */
export const contextOf = (changes: Partial<ContextWithoutInstance> = {}): ContextWithoutInstance => ({
  market: marketOf(),
  event: {
    id: eventId(873),
    title: 'Who wins?',
    status: 'open',
    resolutionMode: 'exclusive',
    isLive: false,
    msToClose: null,
    markets: [],
  },
  book: bookOf(null, null),
  inventory: inventoryOf(0),
  working: [],
  fair: { p: 0.5, ageMs: 0, confidence: 1 },
  nowMs: 1_786_000_000_000,
  random: seededRandom(1),
  ...changes,
});

/** An instance that quotes both test markets. @throws Error naming what is wrong with the parameters */
export function instanceOf(
  loaded: unknown,
  parameters: Readonly<Record<string, unknown>> = {},
  tickUnits = 100,
): StrategyInstance {
  const strategy = asStrategy(loaded, 'test');
  const check = checkParameters(strategy.params, parameters);
  if (!check.ok) throw new Error(JSON.stringify(check.issues));
  return new StrategyInstance({
    name: 'tested',
    strategy,
    parameters: check.values,
    tickUnits: new Map([
      [MARKET, tickUnits],
      [OTHER_MARKET, tickUnits],
    ]),
  });
}
