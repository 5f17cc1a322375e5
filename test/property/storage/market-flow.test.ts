/** A tape of the bundled exchange, and what others did on it according to the exchange itself. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventId, marketId } from '../../../src/domain/ids.js';
import type { Levels } from '../../../src/domain/levels.js';
import type { RecordedBook, RecordedLine } from '../../../src/domain/recorded.js';
import { type Micros, PRICE_ONE } from '../../../src/domain/units.js';
import { MarketFlow, type TradesModel } from '../../../src/storage/recordings/own-recording.js';
import type { TapeLine } from '../../../src/storage/tape/records.js';
import { OWN, OTHERS, type Step, TapedExchange, type Truth } from '../../support/tape/taped-exchange.js';

const HEAD: TapeLine = {
  n: 1,
  at: 0 as Micros,
  mono: 0,
  kind: 'head',
  version: 3,
  program: 'test',
  run: 'test',
  purpose: 'record',
  flushMs: 1_000,
  seed: null,
  configuration: null,
  strategies: [],
  markets: [{ eventId: eventId(5), marketId: marketId(7), title: 'Yes', tickUnits: 100 }],
  sources: [],
};

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
  const flow = new MarketFlow(trades);
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
      { numRuns: 100, interruptAfterTimeLimit: 60_000 },
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
      { numRuns: 200, interruptAfterTimeLimit: 60_000 },
    );
    expect(inferred / traded).toBeGreaterThan(0.5);
    expect(inferred / traded).toBeLessThan(1.5);
  });
});

/** What tells no time of the venue: a status, and a book that was read, before any frame of it and in between. */
const UNSTAMPED = fc.array(
  fc.record({ ms: fc.integer({ min: -4_000, max: 1_600 }), bid: fc.integer({ min: 30, max: 44 }) }),
  { minLength: 1, maxLength: 12 },
);
const SHIFT = fc.oneof(
  fc.integer({ min: -20_000_000, max: 20_000_000 }),
  fc.integer({ min: -86_400_000_000, max: 86_400_000_000 }),
);

function unstamped(first: number, { ms, bid }: { readonly ms: number; readonly bid: number }): TapeLine[] {
  const sentAt = (first + ms * 1_000) as Micros;
  const level = { price: bid / 100, total_shares: 5, total_amount: 1, total_fees: 0, cumulative_shares: 5 };
  const answer = { bid: [{ ...level, cumulative_amount: 1, cumulative_fees: 0 }], ask: [] };
  const path = '/v2.0/markets/7/book/?currency_mode=play_money&position=long';
  const asked = { kind: 'rest', endpoint: 'book', method: 'GET', path, body: null, status: 200 } as const;
  const status = { event_id: 5, market_id: 7, status: bid % 2 === 0 ? 'active' : 'paused' };
  const told = { kind: 'frame', venueAt: null, event: 'market-status-change', channel: 'event-5' } as const;
  const place = { n: 0, at: (sentAt + 1_000) as Micros, mono: 0 };
  return [
    { ...place, ...asked, sentAt, answer: JSON.stringify(answer), reason: '' },
    { ...place, ...told, payload: status },
  ];
}

/** The same as a machine has recorded it whose clock is so much ahead. */
const shifted = (lines: readonly TapeLine[], by: number): readonly TapeLine[] =>
  lines.map((line) => {
    const at = (line.at + by) as Micros;
    return line.kind === 'rest' ? { ...line, at, sentAt: (line.sentAt! + by) as Micros } : { ...line, at };
  });

describe('the clock of the machine that records', () => {
  it('changes nothing, whichever time it shows: what tells no time of the venue waits for what does', () => {
    fc.assert(
      fc.property(session, UNSTAMPED, SHIFT, (given, quiet, by) => {
        const frames = taped(given).received();
        const first = frames[0]!.at;
        const lines = [HEAD, ...frames, ...quiet.flatMap((one) => unstamped(first, one))].toSorted(
          (a, b) => a.at - b.at,
        );
        expect(flowOf(shifted(lines, by), 'inferred')).toEqual(flowOf(lines, 'inferred'));
      }),
      { numRuns: 100 },
    );
  });

  it('counts where nothing tells the time of the venue', () => {
    const lines = unstamped(1_800_000_000_000_000, { ms: 0, bid: 40 });
    expect(flowOf([HEAD, ...lines], 'inferred').map(({ kind, at }) => [kind, at])).toEqual([
      ['book', 1_800_000_000_000_000],
      ['status', 1_800_000_000_001_000],
    ]);
  });
});
