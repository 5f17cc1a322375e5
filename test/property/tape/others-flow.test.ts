/** A tape of the bundled exchange, and what others did on it according to the exchange itself. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Levels } from '../../../src/domain/levels.js';
import type { RecordedBook, RecordedLine } from '../../../src/domain/recorded.js';
import { PRICE_ONE } from '../../../src/domain/units.js';
import { OthersFlow, type TradesModel } from '../../../src/tape/others/others-flow.js';
import type { TapeLine } from '../../../src/tape/own/records.js';
import { OWN, OTHERS, type Step, TapedExchange, type Truth } from '../../support/taped-exchange.js';

const account = fc.constantFrom(OWN, ...OTHERS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      account,
      side: fc.constant('bid' as const),
      position: fc.constantFrom('long' as const, 'short' as const),
      tick: fc.integer({ min: 45, max: 54 }),
      shares: fc.integer({ min: 1, max: 30 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), account }) },
);
const session = fc.record({
  steps: fc.array(step, { minLength: 5, maxLength: 80 }),
  ways: fc.array(fc.integer({ min: 100, max: 300_000 }), { minLength: 80, maxLength: 80 }),
});

function taped({ steps, ways }: { readonly steps: readonly Step[]; readonly ways: readonly number[] }) {
  const exchange = new TapedExchange((number) => ways[number]!);
  steps.forEach((one, number) => exchange.step(one, number));
  return exchange;
}

function flowOf(lines: readonly TapeLine[], trades: TradesModel): readonly RecordedLine[] {
  const flow = new OthersFlow(trades);
  return [...lines.flatMap((line) => flow.take(line)), ...flow.end()];
}

const pairs = ({ prices, shares }: Levels) => prices.map((price, at) => [price, shares[at]!] as const);
const isBook = (line: RecordedLine): line is RecordedBook => line.kind === 'book';

function truthAt(truths: readonly Truth[], at: number): Truth {
  return truths.findLast((truth) => truth.at <= at)!;
}

/**
 * What others showed stands in the book. Besides it stand, as nobody can know better, levels behind what a frame can
 * show, and what the recorder took from others: without it, nobody would have.
 */
function isTrue(shown: Levels, truth: Truth['bids'], taken: ReadonlySet<number>, sign: 1 | -1): boolean {
  const worst = truth.at(-1)?.[0] ?? -Infinity * sign;
  const known = new Map(truth);
  const isLevelTrue = ([price, shares]: readonly [number, number]): boolean => {
    if (taken.has(price)) return shares >= (known.get(price) ?? 0);
    return known.has(price) ? shares === known.get(price) : sign * price > sign * worst;
  };
  return (
    truth.every(([price]) => shown.prices.some((one) => one === price)) && pairs(shown).every(isLevelTrue)
  );
}

describe("books of a tape without the recorder's own shares", () => {
  it('are what others showed, whichever way private frames took', () => {
    fc.assert(
      fc.property(session, (given) => {
        const exchange = taped(given);
        for (const book of flowOf(exchange.received(), 'recorded').filter(isBook)) {
          const { bids, asks } = truthAt(exchange.truths, book.at);
          expect(book.bids).toSatisfy((shown: Levels) => isTrue(shown, bids, exchange.taken, -1));
          expect(book.asks).toSatisfy((shown: Levels) => isTrue(shown, asks, exchange.taken, 1));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('never go back in time', () => {
    fc.assert(
      fc.property(session, (given) => {
        const times = flowOf(taped(given).received(), 'inferred').map(({ at }) => at);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }),
      { numRuns: 50 },
    );
  });
});

describe('inferred trades', () => {
  it('meet the book less what was cancelled in the same frame', () => {
    let met = 0;
    fc.assert(
      fc.property(session, (given) => {
        const lines = flowOf(taped(given).received(), 'inferred');
        lines.forEach((line, place) => {
          if (line.kind !== 'trade') return;
          const before = lines.slice(0, place).findLast(isBook)!;
          expect([before.at, before.marketId]).toEqual([line.at, line.marketId]);
          const side = line.takerSide === 'bid' ? before.asks : before.bids;
          const behind = lines.slice(place).find(isBook)!;
          const left = line.takerSide === 'bid' ? behind.asks : behind.bids;
          const at = (levels: Levels) => levels.shares[levels.prices.indexOf(line.price)] ?? 0;
          expect(at(side) - at(left)).toBeLessThanOrEqual(line.shares);
          met += 1;
        });
      }),
      { numRuns: 100 },
    );
    expect(met).toBeGreaterThan(20);
  });

  it('come to no more than the turnover that the event showed, with what takers took from the recorder', () => {
    let inferred = 0;
    let traded = 0;
    fc.assert(
      fc.property(session, (given) => {
        const exchange = taped(given);
        const lines = flowOf(exchange.received(), 'inferred');
        const turnover = lines.reduce(
          (sum, line) =>
            line.kind === 'trade' ? sum + Math.min(line.price, PRICE_ONE - line.price) * line.shares : sum,
          0,
        );
        inferred += turnover;
        traded += exchange.turnoverWithoutOurTaking;
        expect(turnover).toBeLessThanOrEqual(exchange.shownTurnover);
      }),
      { numRuns: 200 },
    );
    expect(inferred / traded).toBeGreaterThan(0.5);
    expect(inferred / traded).toBeLessThan(1.5);
  });
});
