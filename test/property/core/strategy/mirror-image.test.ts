import * as fc from 'fast-check';
import { bookOf, inventoryOf, marketOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import type { QuoteIntent, QuoteLevel } from '../../../../src/domain/intent.js';
import { PRICE_ONE } from '../../../../src/domain/units.js';
import type { BookView, WorkingQuote } from '../../../../src/core/strategy/contract.js';
import type { ContextWithoutInstance } from '../../../../src/core/strategy/context.js';
import avellanedaStoikov from '../../../../strategies/avellaneda-stoikov.js';
import bands from '../../../../strategies/bands.js';
import fairQuoter from '../../../../strategies/fair-quoter.js';
import fixedSpread from '../../../../strategies/fixed-spread.js';
import glft from '../../../../strategies/glft.js';
import inventorySkew from '../../../../strategies/inventory-skew.js';
import { contextOf, instanceOf } from '../../../support/bot/strategy-context.js';

interface Scene {
  readonly tickUnits: number;
  /** In ticks; null: an empty side. */
  readonly bid: number | null;
  readonly ask: number | null;
  /** Millionths. */
  readonly fair: number;
  /** Hundredths of a share. */
  readonly net: number;
  readonly hidden: { readonly bids: boolean; readonly asks: boolean };
  /** Own working quotes, in ticks. */
  readonly ownBid: number | null;
  readonly ownAsk: number | null;
}

const scene: fc.Arbitrary<Scene> = fc.constantFrom(10, 50, 100, 250).chain((tickUnits) => {
  const last = PRICE_ONE / tickUnits - 1;
  const tick = fc.option(fc.integer({ min: 1, max: last }));
  return fc
    .record({
      tickUnits: fc.constant(tickUnits),
      bid: tick,
      ask: tick,
      fair: fc.integer({ min: 1, max: 999_999 }),
      net: fc.integer({ min: -15_000, max: 15_000 }),
      hidden: fc.record({ bids: fc.boolean(), asks: fc.boolean() }),
      ownBid: tick,
      ownAsk: tick,
    })
    .filter(({ bid, ask }) => bid === null || ask === null || bid < ask);
});

/** The same scene for somebody who trades the other position: p to 1 - p, q to -q. */
const mirrored = (seen: Scene): Scene => {
  const flip = (tick: number | null): number | null =>
    tick === null ? null : PRICE_ONE / seen.tickUnits - tick;
  return {
    tickUnits: seen.tickUnits,
    bid: flip(seen.ask),
    ask: flip(seen.bid),
    fair: 1_000_000 - seen.fair,
    net: -seen.net,
    hidden: { bids: seen.hidden.asks, asks: seen.hidden.bids },
    ownBid: flip(seen.ownAsk),
    ownAsk: flip(seen.ownBid),
  };
};

function contextOfScene(seen: Scene): ContextWithoutInstance {
  const price = (tick: number | null): number | null =>
    tick === null ? null : (tick * seen.tickUnits) / PRICE_ONE;
  const book: BookView = { ...bookOf(price(seen.bid), price(seen.ask)), hidden: seen.hidden };
  const working: WorkingQuote[] = [];
  for (const [side, tick] of [['bid', seen.ownBid] as const, ['ask', seen.ownAsk] as const])
    if (tick !== null) working.push({ side, price: price(tick)!, shares: 1, state: 'live' });
  return contextOf({
    market: marketOf({ tick: seen.tickUnits / PRICE_ONE, minAmount: 0 }),
    book,
    working,
    inventory: inventoryOf(seen.net / 100),
    fair: { p: seen.fair / 1e6, ageMs: 0, confidence: 1 },
  });
}

const STRATEGIES = [
  ['fixed-spread', fixedSpread, { halfSpread: 0.013, levels: 4, levelGap: 0.017, maxInventory: 120 }],
  ['inventory-skew', inventorySkew, { halfSpread: 0.013, range: 120, priceSkew: 0.041 }],
  ['glft', glft, { maxInventory: 120, xi: 0.004 }],
  ['glft exact', glft, { maxInventory: 120, form: 'exact', shares: 40 }],
  ['avellaneda-stoikov', avellanedaStoikov, { maxInventory: 120 }],
  ['fair-quoter', fairQuoter, { maxInventory: 120, edge: 0.013, priceSkew: 0.041 }],
  ['bands', bands, { maxInventory: 120 }],
] as const;

function decide(strategy: unknown, parameters: Readonly<Record<string, unknown>>, seen: Scene): QuoteIntent {
  const instance = instanceOf(strategy, parameters, seen.tickUnits);
  const decision = instance.decide(contextOfScene(seen));
  if (!decision.ok) throw new Error(decision.fault.text);
  return decision.intents[0]!;
}

/** Best bid in ticks; below every price when there is none. */
const bestBid = ({ bids }: QuoteIntent): number => bids[0]?.price ?? -Infinity;
/** Best ask in ticks; above every price when there is none. */
const bestAsk = ({ asks }: QuoteIntent): number => asks[0]?.price ?? Infinity;

const ladder = (levels: readonly QuoteLevel[]): readonly (readonly [number, number])[] =>
  levels.map(({ price, shares }) => [price, shares]);

describe.each(STRATEGIES)('%s', (_name, strategy, parameters) => {
  it('is the mirror image of itself for long and short', () => {
    fc.assert(
      fc.property(scene, (seen) => {
        const ticks = PRICE_ONE / seen.tickUnits;
        const here = decide(strategy, parameters, seen);
        const there = decide(strategy, parameters, mirrored(seen));
        const flipped = (levels: readonly QuoteLevel[]) =>
          ladder(levels).map(([price, shares]) => [ticks - price, shares]);
        expect(ladder(here.bids)).toEqual(flipped(there.asks));
        expect(ladder(here.asks)).toEqual(flipped(there.bids));
      }),
      { numRuns: 500 },
    );
  });

  it('never takes: bids stay below every ask that is known, asks above every bid', () => {
    fc.assert(
      fc.property(scene, (seen) => {
        const intent = decide(strategy, parameters, seen);
        expect(bestBid(intent)).toBeLessThan(seen.ask ?? Infinity);
        expect(bestAsk(intent)).toBeGreaterThan(seen.bid ?? -Infinity);
      }),
      { numRuns: 500 },
    );
  });

  it('quotes no more aggressively because a side is hidden', () => {
    fc.assert(
      fc.property(scene, (seen) => {
        const open = decide(strategy, parameters, { ...seen, hidden: { bids: false, asks: false } });
        const intent = decide(strategy, parameters, seen);
        expect(bestBid(intent)).toBeLessThanOrEqual(bestBid(open));
        expect(bestAsk(intent)).toBeGreaterThanOrEqual(bestAsk(open));
      }),
      { numRuns: 500 },
    );
  });

  it('answers more inventory with bids and asks that are lower or the same', () => {
    fc.assert(
      fc.property(scene, fc.integer({ min: 0, max: 10_000 }), (seen, more) => {
        const less = decide(strategy, parameters, seen);
        const moreLong = decide(strategy, parameters, { ...seen, net: seen.net + more });
        expect(bestBid(moreLong)).toBeLessThanOrEqual(bestBid(less));
        // Where it did not sell at all before, a first ask is the response.
        expect(bestAsk(moreLong)).toBeLessThanOrEqual(bestAsk(less));
      }),
      { numRuns: 500 },
    );
  });

  it('goes no further than its bound of inventory when a whole side is filled', () => {
    fc.assert(
      fc.property(scene, (seen) => {
        const { bids, asks } = decide(strategy, parameters, seen);
        const sum = (levels: readonly QuoteLevel[]) =>
          levels.reduce((total, level) => total + level.shares, 0);
        expect(seen.net + sum(bids)).toBeLessThanOrEqual(Math.max(12_000, seen.net));
        expect(seen.net - sum(asks)).toBeGreaterThanOrEqual(Math.min(-12_000, seen.net));
      }),
      { numRuns: 500 },
    );
  });
});
