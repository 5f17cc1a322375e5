import fc from 'fast-check';
import { bookOf, eventContextOf, inventoryOf, marketOf, roomOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import type { EventLadders, Ladder, OutcomeContext } from '../../../src/core/strategy/contract.js';
import { toIntent } from '../../../src/core/strategy/ladder.js';
import { marketId } from '../../../src/domain/ids.js';
import eventCoherent from '../../../strategies/event-coherent.js';
import lmsr from '../../../strategies/lmsr.js';
import outcomeArbitrage from '../../../strategies/outcome-arbitrage.js';
import unwind from '../../../strategies/unwind.js';

/** Numbers of `../shared/design/market-making.md`; the grid is fine, so that rounding does not hide them. */
const FINE = 0.0001;
const outcomes = (
  p: readonly number[],
  held: readonly number[] = [],
  market: Parameters<typeof marketOf>[0] = { tick: FINE, minAmount: 0 },
): readonly Partial<OutcomeContext>[] =>
  p.map((fair, at) => ({
    market: marketOf({ ...market, id: at + 1 }),
    fair: { p: fair, ageMs: 0, confidence: 1 },
    inventory: inventoryOf(held[at] ?? 0),
  }));
const EXHAUSTIVE = { winners: { least: 1, most: 1 }, exhaustive: true };

const laddersOf = ({ ladders }: EventLadders): ReadonlyMap<string, Pick<Ladder, 'bids' | 'asks'>> =>
  new Map(ladders instanceof Map ? ladders : Object.entries(ladders));
/** Middle of the best bid and ask of each outcome. */
const middles = (answer: EventLadders): readonly number[] =>
  [...laddersOf(answer).values()].map(({ bids, asks }) => (bids[0]!.price + asks[0]!.price) / 2);

describe('event-coherent', () => {
  /** Small lots, so that the middle is the reservation price. */
  const params = { gamma: 0.01, shares: 0.01, halfSpread: 0.001 };

  it('moves fair values until they sum to the winners', () => {
    const context = eventContextOf(eventCoherent, {
      params,
      event: EXHAUSTIVE,
      markets: outcomes([0.52, 0.33, 0.21]),
    });
    const [one, two, three] = middles(eventCoherent.quote(context));
    expect([one, two, three]).toEqual(
      [0.496148, 0.309249, 0.194603].map((p) => expect.closeTo(p, 5) as number),
    );
  });

  it('leans by what is held of every outcome, exactly', () => {
    const markets = outcomes([0.5, 0.3, 0.2], [40, -10, 0]);
    const context = eventContextOf(eventCoherent, { params, event: EXHAUSTIVE, markets });
    expect(middles(eventCoherent.quote(context))).toEqual(
      [0.386703, 0.382539, 0.230757].map((p) => expect.closeTo(p, 5) as number),
    );
  });

  it('buys a lot at the price at which its utility does not fall', () => {
    const context = eventContextOf(eventCoherent, {
      params: { gamma: 0.01, shares: 50, halfSpread: 0.0001 },
      event: EXHAUSTIVE,
      markets: outcomes([0.6, 0.4]),
    });
    const [first] = [...laddersOf(eventCoherent.quote(context)).values()];
    expect(first!.bids[0]!.price).toBeCloseTo(0.538589 - 0.0001, 6);
  });

  it('leaves fair values alone that may be right, and counts none of them as one more', () => {
    const quoted = (held: readonly number[]) =>
      middles(
        eventCoherent.quote(eventContextOf(eventCoherent, { params, markets: outcomes([0.5, 0.3], held) })),
      );
    expect(quoted([])).toEqual([0.5, 0.3].map((p) => expect.closeTo(p, 5) as number));
    expect(quoted([40, -10])).toEqual([0.386703, 0.382539].map((p) => expect.closeTo(p, 5) as number));
  });

  it('agrees on several winners', () => {
    const context = eventContextOf(eventCoherent, {
      params: { ...params, winners: 2 },
      event: { resolutionMode: 'non_exclusive', winners: { least: 0, most: 3 } },
      markets: outcomes([0.8, 0.8, 0.8]),
    });
    expect(middles(eventCoherent.quote(context))).toEqual(
      [2, 2, 2].map((p) => expect.closeTo(p / 3, 5) as number),
    );
  });

  it('quotes nothing while a fair value is missing or old', () => {
    const [one, two] = outcomes([0.5, 0.5]);
    for (const fair of [null, { p: 0.5, ageMs: 60_001, confidence: 1 }]) {
      const context = eventContextOf(eventCoherent, { markets: [one!, { ...two, fair }] });
      expect(laddersOf(eventCoherent.quote(context)).size).toBe(0);
    }
  });

  it('bids less than the winners together and asks more, after rounding and fees, whatever is held', () => {
    const outcome = fc.record({
      p: fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      held: fc.integer({ min: -300, max: 300 }),
      book: fc.constantFrom(bookOf(null, null), bookOf(0.3, 0.4), bookOf(0.05, 0.9), bookOf(0.6, null)),
    });
    fc.assert(
      fc.property(
        fc.array(outcome, { minLength: 2, maxLength: 8 }),
        fc.constantFrom(100, 10, 50),
        fc.constantFrom(0, 0.002, 0.02),
        fc.double({ min: 1e-6, max: 0.05, noNaN: true }),
        fc.nat(2),
        (drawn, tickUnits, makerFee, gamma, more) => {
          const winners = Math.min(drawn.length - 1, 1 + more);
          const markets = outcomes(
            drawn.map(({ p }) => p),
            drawn.map(({ held }) => held),
            { tick: tickUnits / 10_000, makerFee },
          ).map((one, at) => ({ ...one, book: drawn[at]!.book }));
          const answer = eventCoherent.quote(
            eventContextOf(eventCoherent, {
              params: { gamma, halfSpread: 0.0001, maxInventory: 1_000, winners },
              event:
                winners === 1
                  ? EXHAUSTIVE
                  : { resolutionMode: 'non_exclusive', winners: { least: winners, most: winners } },
              markets,
            }),
          );
          let [bids, asks] = [0, 0];
          for (const [id, ladder] of laddersOf(answer)) {
            const result = toIntent(ladder, marketId(id), tickUnits);
            if (!result.ok) throw new Error(result.fault.text);
            const [bid, ask] = [result.intent.bids[0], result.intent.asks[0]];
            bids += bid === undefined ? 0 : (bid.price * tickUnits) / 10_000 + makerFee;
            asks += ask === undefined ? 1 : (ask.price * tickUnits) / 10_000 - makerFee;
          }
          expect(bids).toBeLessThan(winners);
          expect(asks).toBeGreaterThan(winners);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('lmsr', () => {
  const params = { b: 100, levels: 3 };
  const asked = (p: readonly number[], held: readonly number[], more: object = {}) =>
    eventContextOf(lmsr, { params, event: EXHAUSTIVE, markets: outcomes(p, held, { tick: 0.01 }), ...more });

  it('keeps budget and liquidity while the bot runs: what was sold would break the bound of the loss', () => {
    const fixed = Object.entries(lmsr.params).flatMap(([name, { live }]) => (live ? [] : [name]));
    expect(fixed).toEqual(['budget', 'b']);
  });

  it('offers on every tick the shares that move the price to it', () => {
    const [first] = [...laddersOf(lmsr.quote(asked([0.5, 0.5], []))).values()];
    expect(first!.asks.map(({ price, shares }) => [price, shares])).toEqual(
      [
        [0.51, 4.000533],
        [0.52, 4.003737],
        [0.53, 4.01016],
      ].map((level) => level.map((value) => expect.closeTo(value, 6) as number)),
    );
    expect(first!.bids.map(({ price }) => Number(price.toFixed(4)))).toEqual([0.49, 0.48, 0.47]);
  });

  it('makes the others cheaper when one is bought: (.5, .3, .2) becomes (.6, .24, .16)', () => {
    const { state } = lmsr.quote(asked([0.5, 0.3, 0.2], []));
    const later = lmsr.quote(asked([0.9, 0.05, 0.05], [-40.546511, 0, 0], { state }));
    const best = [...laddersOf(later).values()].map(({ bids, asks }) => [
      Number(bids[0]!.price.toFixed(4)),
      Number(asks[0]!.price.toFixed(4)),
    ]);
    expect(best).toEqual([
      [0.59, 0.61],
      [0.23, 0.25],
      [0.15, 0.17],
    ]);
    expect(later.state).toEqual(state);
  });

  it('takes the liquidity from the budget: 160.943791 for (.5, .3, .2) is b 100', () => {
    const given = { params: { budget: 160.943791, levels: 1 } };
    const [first] = [...laddersOf(lmsr.quote(asked([0.5, 0.3, 0.2], [], given))).values()];
    expect(first!.asks[0]!.shares).toBeCloseTo(4.000533, 6);
  });

  it('loses at most the budget, whatever is bought and sold and whoever wins', () => {
    const trade = fc.record({
      outcome: fc.nat(2),
      isBuy: fc.boolean(),
      part: fc.double({ min: 0.1, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 60 }), (trades) => {
        const p0 = [0.5, 0.3, 0.2];
        const held = [0, 0, 0];
        let cash = 0;
        let { state } = lmsr.quote(asked(p0, held, { params: { budget: 50, levels: 2 } }));
        for (const { outcome, isBuy, part } of trades) {
          const answer = lmsr.quote(asked(p0, held, { params: { budget: 50, levels: 2 }, state }));
          state = answer.state;
          const ladder = laddersOf(answer).get(marketId(outcome + 1))!;
          const quote = (isBuy ? ladder.asks : ladder.bids)[0];
          if (quote === undefined) continue;
          const shares = quote.shares * part * (isBuy ? -1 : 1);
          held[outcome]! += shares;
          cash -= shares * quote.price;
        }
        expect(Math.min(...held.map((net) => cash + net))).toBeGreaterThan(-50.000001);
      }),
    );
  });

  it('counts none of the outcomes as one more where it may happen', () => {
    const { state } = lmsr.quote(asked([0.5, 0.3], [], { event: {} }));
    expect(state).toMatchObject({ p0: { 1: 0.5, 2: 0.3 } });
    const later = lmsr.quote(asked([0.5, 0.3], [-40.546511, 0], { event: {}, state }));
    const [, second] = [...laddersOf(later).values()];
    expect(second!.asks[0]!.price).toBeCloseTo(0.25, 9);
  });

  it('waits for all fair values before it begins, and never again', () => {
    const [one, two] = outcomes([0.5, 0.5]);
    const without = (state: object) =>
      laddersOf(lmsr.quote(eventContextOf(lmsr, { markets: [one!, { ...two, fair: null }], ...state }))).size;
    expect(without({})).toBe(0);
    expect(without({ state: { p0: { 1: 0.5, 2: 0.5 }, held: { 1: 0, 2: 0 } } })).toBe(2);
  });

  it('refuses an event of which several outcomes may win', () => {
    const context = asked([0.5, 0.5], [], { event: { resolutionMode: 'non_exclusive' } });
    expect(() => lmsr.quote(context)).toThrow(/set resolutionMode: exclusive/);
  });
});

describe('outcome-arbitrage', () => {
  const asked = (
    books: readonly (readonly [number | null, number | null])[],
    more: object = {},
    takerFee = 0,
  ) =>
    outcomeArbitrage.quote(
      eventContextOf(outcomeArbitrage, {
        event: EXHAUSTIVE,
        markets: outcomes(
          books.map(() => 0.3),
          [],
          { tick: 0.01, takerFee },
        ).map((one, at) => ({ ...one, book: bookOf(...books[at]!, 20 + at) })),
        ...more,
      }),
    );

  it('buys a share of each outcome where all cost less than the winner pays', () => {
    const { takes } = asked([
      [0.3, 0.4],
      [0.3, 0.35],
      [0.1, 0.2],
    ]);
    expect(takes).toEqual([
      { marketId: '1', side: 'bid', price: 0.4, shares: 10 },
      { marketId: '2', side: 'bid', price: 0.35, shares: 10 },
      { marketId: '3', side: 'bid', price: 0.2, shares: 10 },
    ]);
  });

  it('sells all where they bring more than the winner costs', () => {
    const { takes } = asked([
      [0.4, 0.5],
      [0.4, 0.5],
      [0.25, 0.3],
    ]);
    expect(takes!.map(({ side, price }) => [side, price])).toEqual([
      ['ask', 0.4],
      ['ask', 0.4],
      ['ask', 0.25],
    ]);
  });

  it.each([
    [
      'prices agree',
      [
        [0.3, 0.4],
        [0.3, 0.4],
        [0.2, 0.3],
      ],
      {},
      0,
    ],
    [
      'fees take the gain',
      [
        [0.3, 0.4],
        [0.3, 0.35],
        [0.1, 0.2],
      ],
      {},
      0.016,
    ],
    [
      'one has no price',
      [
        [0.3, 0.4],
        [0.3, 0.35],
        [0.1, null],
      ],
      {},
      0,
    ],
    [
      'none of them may win',
      [
        [0.3, 0.4],
        [0.3, 0.35],
        [0.1, 0.2],
      ],
      { event: {} },
      0,
    ],
    [
      'it has just tried',
      [
        [0.3, 0.4],
        [0.3, 0.35],
        [0.1, 0.2],
      ],
      { state: { triedMs: 1_786_000_000_000 - 500 } },
      0,
    ],
  ] as const)('takes nothing where %s', (_, books, more, fee) => {
    expect(asked(books, more, fee).takes).toBeUndefined();
  });
});

describe('unwind', () => {
  const asked = (params: object, outcome: object, event: object = {}) =>
    unwind.quote(
      eventContextOf(unwind, {
        params: { cost: 0.02, ...params },
        event: { ...EXHAUSTIVE, ...event },
        markets: [
          { ...outcomes([0.5], [], { tick: 0.01 })[0], room: roomOf({ taking: 100 }), ...outcome },
          { ...outcomes([0.5, 0.5], [], { tick: 0.01 })[1] },
        ],
      }),
    ).takes;
  const deep = {
    ...bookOf(0.49, 0.51, 6),
    bids: [0.49, 0.48, 0.47].map((price) => ({ price, shares: 6 })),
    asks: [0.51, 0.52, 0.53].map((price) => ({ price, shares: 6 })),
  };

  it('sells a long position to bids, and buys a short one back, no worse than it may cost', () => {
    expect(asked({}, { book: deep, inventory: inventoryOf(20) })).toEqual([
      { marketId: '1', side: 'ask', price: 0.48, shares: 12 },
    ]);
    expect(asked({}, { book: deep, inventory: inventoryOf(-4) })).toEqual([
      { marketId: '1', side: 'bid', price: 0.51, shares: 4 },
    ]);
  });

  it('counts the taker fee as a cost', () => {
    const market = marketOf({ id: 1, tick: 0.01, takerFee: 0.01 });
    expect(asked({}, { market, book: deep, inventory: inventoryOf(20) })).toEqual([
      { marketId: '1', side: 'ask', price: 0.49, shares: 6 },
    ]);
  });

  it('leaves what may stay, until the close is near', () => {
    const held = { book: deep, inventory: inventoryOf(10) };
    const params = { keep: 8, closeMs: 60_000 };
    expect(asked(params, held)![0]!.shares).toBe(2);
    expect(asked(params, held, { msToClose: 60_000 })![0]!.shares).toBe(10);
    expect(asked({ keep: 10 }, held)).toEqual([]);
  });

  it('takes no more than the limit allows now, the largest position first', () => {
    const room = roomOf({ taking: 2.6 });
    expect(asked({}, { book: deep, inventory: inventoryOf(20), room })).toEqual([
      { marketId: '1', side: 'ask', price: 0.48, shares: 5 },
    ]);
    expect(asked({}, { book: deep, inventory: inventoryOf(20), room: roomOf() })).toEqual([]);
  });

  it('does nothing without a fair value that is young enough', () => {
    const held = { book: deep, inventory: inventoryOf(20) };
    expect(asked({}, { ...held, fair: null })).toEqual([]);
    expect(asked({}, { ...held, fair: { p: 0.5, ageMs: 60_001, confidence: 1 } })).toEqual([]);
  });
});
