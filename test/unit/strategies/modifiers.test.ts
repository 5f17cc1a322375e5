import { bookOf, contextOf, eventOf, inventoryOf, marketOf, signalOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import type { Quote } from '../../../src/core/strategy/contract.js';
import type { AnyModifier } from '../../../src/core/strategy/modifiers.js';
import { checkParameters } from '../../../src/core/strategy/parameters.js';
import { quoteAt } from '../../../src/core/strategy/quoting.js';
import { tryModifiers } from '../../../src/runs/strategies/modifier-trial.js';
import { loadModifier } from '../../../src/runs/strategies/strategies.js';

const modifiers = new Map<string, AnyModifier>();
for (const name of [
  'dead-book',
  'event-cap',
  'glosten-milgrom',
  'join',
  'jump',
  'min-edge',
  'near-extremes',
  'time-to-close',
  'toxicity',
  'urgency-exit',
])
  modifiers.set(name, await loadModifier(name, ''));

const SIDES = { bids: [quoteAt(0.48, 10, { x: 0.48 })], asks: [quoteAt(0.52, 10, { x: 0.52 })] };
type Changes = Parameters<typeof contextOf>[1];

/** What a modifier leaves of one bid at 0.48 and one ask at 0.52, ten shares each. */
function applied(name: string, changes: Changes = {}) {
  const modifier = modifiers.get(name)!;
  const context = contextOf({ ...modifier, quote: () => SIDES }, changes);
  const { bids, asks, state, wakeInMs } = modifier.apply(SIDES, context);
  const side = (quotes: readonly Quote[]) =>
    quotes.map(({ price, shares }) => [Number(price.toFixed(6)), Number(shares.toFixed(6))]);
  return { bids: side(bids), asks: side(asks), state, wakeInMs };
}
const sides = (name: string, changes: Changes = {}) => {
  const { bids, asks } = applied(name, changes);
  return [bids[0] ?? null, asks[0] ?? null];
};
const fairAt = (p: number) => ({ fair: { p, ageMs: 0, confidence: 1 } });
const NONE = [null, null];
const ALL = [
  [0.48, 10],
  [0.52, 10],
];

describe('near-extremes', () => {
  it.each([
    [0.5, ALL],
    [0.08, ALL],
    [
      0.055,
      [
        [0.48, 5],
        [0.52, 5],
      ],
    ],
    [0.97, NONE],
  ])('at %s leaves %j', (p, expected) => {
    expect(sides('near-extremes', fairAt(p))).toEqual(expected);
  });
});

describe('time-to-close', () => {
  it.each([
    [null, ALL],
    [600_000, ALL],
    [
      330_000,
      [
        [0.47, 5],
        [0.53, 5],
      ],
    ],
    [60_000, NONE],
  ])('with %s ms left leaves %j', (msToClose, expected) => {
    expect(sides('time-to-close', { event: eventOf({ msToClose }) })).toEqual(expected);
  });
});

describe('dead-book', () => {
  it.each([
    [bookOf(0.45, 0.55), ALL],
    [bookOf(0.3, 0.55), NONE],
    [bookOf(null, 0.55), NONE],
    [bookOf(0.45, 0.55, 0.5), NONE],
  ])('in %j leaves %j', (book, expected) => {
    expect(sides('dead-book', { book })).toEqual(expected);
  });

  it('asks to be woken when the book gets too old', () => {
    const book = { ...bookOf(0.45, 0.55), ageMs: 400 };
    expect(applied('dead-book', { book, params: { maxAgeMs: 1_000 } }).wakeInMs).toBe(601);
  });
});

describe('min-edge', () => {
  it('keeps the distance after fees', () => {
    expect(sides('min-edge')).toEqual(ALL);
    const changes = { params: { edge: 0.02 }, market: marketOf({ makerFee: 0.01 }) };
    expect(sides('min-edge', changes)).toEqual([
      [0.47, 10],
      [0.53, 10],
    ]);
    expect(sides('min-edge', { fair: null })).toEqual(NONE);
  });
});

describe('glosten-milgrom', () => {
  it('stands where it breaks even', () => {
    expect(sides('glosten-milgrom', { params: { informed: 0.1 }, ...fairAt(0.3) })).toEqual([
      [0.259615, 10],
      [0.52, 10],
    ]);
  });
});

describe('join', () => {
  it.each([
    [
      'steps back to the best price',
      { book: bookOf(0.46, 0.54) },
      [
        [0.46, 10],
        [0.54, 10],
      ],
    ],
    [
      'or a tick better',
      { book: bookOf(0.46, 0.54), params: { to: 'improve' } },
      [
        [0.47, 10],
        [0.53, 10],
      ],
    ],
    ['stays behind the best price', { book: bookOf(0.49, 0.51) }, ALL],
    [
      'comes forward within its reach',
      { book: bookOf(0.49, 0.51), params: { reach: 0.01 } },
      [
        [0.49, 10],
        [0.51, 10],
      ],
    ],
    [
      'never nearer than its edge',
      { book: bookOf(0.49, 0.51), params: { reach: 0.01, edge: 0.015 } },
      [
        [0.485, 10],
        [0.515, 10],
      ],
    ],
  ])('%s', (_, changes, expected) => {
    expect(sides('join', changes)).toEqual(expected);
  });
});

describe('urgency-exit', () => {
  it('brings the exit nearer with the inventory', () => {
    expect(sides('urgency-exit', { inventory: inventoryOf(50) })).toEqual(ALL);
    expect(sides('urgency-exit', { inventory: inventoryOf(75) })).toEqual([
      [0.48, 10],
      [0.51, 10],
    ]);
    expect(sides('urgency-exit', { inventory: inventoryOf(-100) })).toEqual([[0.5, 10], null]);
  });

  it('hurries towards the close, and stays passive', () => {
    const late = { inventory: inventoryOf(10), event: eventOf({ msToClose: 0 }) };
    expect(sides('urgency-exit', late)).toEqual([null, [0.5, 10]]);
    expect(sides('urgency-exit', { ...late, book: bookOf(0.5, 0.54) })).toEqual([null, [0.51, 10]]);
  });
});

describe('event-cap', () => {
  const markets = (inventory: number) => [
    { id: marketOf({ id: 2232 }).id, weightedMid: 0.3, fair: 0.3, inventory, halted: false },
  ];
  it.each([
    [
      0,
      490,
      [
        [0.48, 10],
        [0.52, 10],
      ],
    ],
    [
      0,
      -496,
      [
        [0.48, 4],
        [0.52, 4],
      ],
    ],
    [0, 500, NONE],
    [4, 600, [null, [0.52, 4]]],
  ])('with %s shares here and %s elsewhere leaves %j', (net, elsewhere, expected) => {
    const event = eventOf({ markets: markets(elsewhere) });
    expect(sides('event-cap', { event, inventory: inventoryOf(net) })).toEqual(expected);
  });
});

describe('jump', () => {
  it('leaves after a jump and comes back in steps', () => {
    const away = (ageMs: number | null) => {
      const signals = { jump: ageMs === null ? null : signalOf(0.03, { ageMs }) };
      const found = applied('jump', { signals, nowMs: 1_000_000 });
      return [found.bids[0]?.[1] ?? 0, found.wakeInMs];
    };
    expect(away(null)).toEqual([10, undefined]);
    expect(away(0)).toEqual([0, 5_000]);
    expect(away(1_000)).toEqual([0, 4_000]);
    expect(away(5_000)).toEqual([2.5, 2_000]);
    expect(away(7_000)).toEqual([5, 2_000]);
    expect(away(9_100)).toEqual([7.5, 1_900]);
    expect(away(11_000)).toEqual([10, undefined]);
  });

  it('leaves after a sweep, and remembers over a restart when it left', () => {
    const { state } = applied('jump', { book: bookOf(0.48, 0.52), nowMs: 1_000_000 });
    const swept = applied('jump', { book: bookOf(0.44, 0.52), nowMs: 1_001_000, state: state! });
    expect([swept.bids, swept.wakeInMs]).toEqual([[], 5_000]);
    const later = applied('jump', { book: bookOf(0.44, 0.52), nowMs: 1_002_000, state: swept.state! });
    expect([later.bids, later.wakeInMs]).toEqual([[], 4_000]);
  });

  it('has jumps measured as its parameters say', () => {
    const { signals, params } = modifiers.get('jump')!;
    const check = checkParameters(params, { jump: 0.05, deviations: 3 });
    const declared = typeof signals === 'function' && check.ok ? signals(check.values) : null;
    expect(declared).toEqual({ jump: { kind: 'jump', least: 0.05, deviations: 3, windowMs: 2_000 } });
  });
});

describe('toxicity', () => {
  it.each([
    [null, 0.48],
    [-0.01, 0.47],
    [-0.5, 0.38],
    [0.02, 0.48],
  ])('steps back as far as fills turned out badly: by a mark-out of %s to %s', (markOut, bid) => {
    const signals = { markOut: markOut === null ? null : signalOf(markOut) };
    const { bids, wakeInMs } = applied('toxicity', { signals });
    expect(bids[0]![0]).toBeCloseTo(bid, 6);
    expect(wakeInMs).toBe(bid < 0.48 ? 1_000 : undefined);
  });

  it('has its own mark-outs measured as its parameters say', () => {
    const { signals, params } = modifiers.get('toxicity')!;
    const check = checkParameters(params, { horizonMs: 2_000 });
    const declared = typeof signals === 'function' && check.ok ? signals(check.values) : null;
    expect(declared).toEqual({
      markOut: { kind: 'markOut', horizonMs: 2_000, weight: 0.2, halfLifeMs: 300_000 },
    });
  });
});

describe('every modifier over every strategy', () => {
  it('leaves a ladder that can be used and is not more aggressive', async () => {
    const rows = await tryModifiers(300, 1);
    expect(rows.filter(({ faults }) => faults > 0)).toEqual([]);
    expect(rows.length).toBe(10 * 10);
    // These take, and quote nothing.
    const quoting = rows.filter(({ strategy }) => !['outcome-arbitrage', 'unwind'].includes(strategy));
    expect(quoting.every(({ left, quotes }) => left <= quotes && quotes > 0)).toBe(true);
  });
});
