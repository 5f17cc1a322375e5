import { describe, expect, it } from 'vitest';
import { mayReplay } from '../../../../../src/core/engine/quoting/last-look.js';
import { eventId, marketId } from '../../../../../src/domain/ids.js';
import type { Micros, Money, PriceUnits } from '../../../../../src/domain/units.js';
import type { Position } from '../../../../../src/domain/vocabulary.js';

const MARKET = marketId(11);
const price = (units: number): PriceUnits => units as PriceUnits;

/** A bid for long shares at 0.45, asked for when the book stood at 0.40 to 0.50, with a collar of 0.20. */
const bid = {
  eventId: eventId(1),
  bornAt: 1_000 as Micros,
  marketId: MARKET,
  side: 'bid',
  position: 'long',
  price: price(4_500),
} as const;
const then = {
  halt: null,
  touch: { bid: price(4_000), ask: price(5_000) },
  fair: { p: 0.45, ageMs: 0, confidence: 1 },
  mid: 0.45,
  owner: { limits: { priceCollar: price(2_000), coherentQuotes: true } },
};
/** @param room left for a long or short share beside the quotes of other outcomes, in money units; null: any */
const world = (
  now: { readonly [Key in keyof typeof then]?: unknown },
  placedByHandAt = 0,
  room: Record<Position, number | null> = { long: null, short: null },
) => ({
  positions: {
    exposureOf: () => null as never,
    roomIn: (_event: unknown, _market: unknown, position: Position) => room[position] as Money | null,
  },
  quoted: new Map([[MARKET, { ...then, ...now } as typeof then]]),
  otherHands: { havePlacedSince: (_event: unknown, at: number) => placedByHandAt >= at },
});
const replayed = (...now: Parameters<typeof world>): boolean => mayReplay(bid, world(...now));

describe('a request whose answer was lost, still young and wanted', () => {
  it('may be sent again while nothing has changed', () => {
    expect(replayed({})).toBe(true);
  });

  it.each([
    ['the fair value has moved beyond the collar', { fair: { p: 0.651, ageMs: 0, confidence: 1 } }],
    ['the mid has moved beyond the collar', { mid: 0.249 }],
    ['nobody knows a fair value or a mid any more', { fair: null, mid: null }],
    ['it would take from the book of today', { touch: { bid: price(3_000), ask: price(4_500) } }],
    ['the market is not quoted now', { halt: 'paused' }],
  ])('may not once %s', (_what, now) => {
    expect(replayed(now)).toBe(false);
  });

  it('may not where an exit elsewhere in the event has left no room for it', () => {
    const beside = (long: number) => world({}, 0, { long, short: 1 });
    expect(mayReplay(bid, beside(450_001))).toBe(true);
    expect(mayReplay(bid, beside(450_000))).toBe(false);
    const short = { ...bid, position: 'short', price: price(5_500) } as const;
    expect(mayReplay(short, world({}, 0, { long: 1, short: 550_001 }))).toBe(true);
    expect(mayReplay(short, world({}, 0, { long: 1, short: 550_000 }))).toBe(false);
    const ask = { ...short, side: 'ask', position: 'long', price: price(5_500) } as const;
    expect(mayReplay(ask, world({}, 0, { long: 1, short: 450_001 }))).toBe(true);
    expect(mayReplay(ask, world({}, 0, { long: 1, short: 450_000 }))).toBe(false);
    const owner = { limits: { ...then.owner.limits, coherentQuotes: false } };
    expect(mayReplay(bid, world({ owner }, 0, { long: 1, short: 1 }))).toBe(true);
  });

  it('measures short prices on the long side', () => {
    const short = { ...bid, position: 'short', price: price(5_500) } as const;
    const valued = (fair: number) => world({ fair: { ...then.fair, p: fair } });
    expect(mayReplay(short, valued(0.6))).toBe(true);
    expect(mayReplay(short, valued(0.66))).toBe(false);
  });

  it.each([
    ['since, it may be beyond a limit by now or in the way', 1_001, false],
    ['before, that was counted with', 999, true],
  ])('where a person placed an order %s', (_what, placedAt, may) => {
    expect(replayed({}, placedAt)).toBe(may);
  });
});
