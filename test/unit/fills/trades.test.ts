import { describe, expect, it } from 'vitest';
import type { EventId, MarketId } from '../../../src/domain/ids.js';
import type { RecordedBook } from '../../../src/domain/recorded.js';
import type { Micros, Money } from '../../../src/domain/units.js';
import { inferredTrades, recordedTrades } from '../../../src/fills/trades/index.js';

const EVENT = 1 as EventId;
const LAG = 1_000;

type Pairs = readonly (readonly [number, number])[];

const book = (at: number, bid: Pairs, ask: Pairs = []): RecordedBook => {
  const side = (pairs: Pairs) => ({
    prices: pairs.map(([price]) => price),
    shares: pairs.map(([, shares]) => shares),
  });
  const place = { at: at as Micros, eventId: EVENT, marketId: 2 as MarketId };
  return { kind: 'book', ...place, bids: side(bid), asks: side(ask) } as unknown as RecordedBook;
};

/** A model that was told a turnover of nothing, and a rise at a time. */
function afterRise(money: number, at: number) {
  const model = inferredTrades(LAG);
  model.turnover(EVENT, 0 as Micros, 0 as Money);
  model.turnover(EVENT, at as Micros, money as Money);
  return model;
}

const BID_2 = [4_900, 50] as const;
const BID_3 = [4_800, 10] as const;
const BEFORE = book(10_000, [[5_000, 100], BID_2, BID_3]);

const between = (model: ReturnType<typeof afterRise>, after: RecordedBook) =>
  model.between(BEFORE, after).map(({ price, shares, takerSide }) => [price, shares, takerSide]);

describe('trades inferred from books and turnover', () => {
  it('are what left the touch, as far as turnover rose; the rest was cancelled', () => {
    const after = book(11_000, [[5_000, 40], BID_2, BID_3]);
    expect(between(afterRise(5_000 * 1_000, 11_000), after)).toEqual([[5_000, 60, 'ask']]);
    expect(between(afterRise(5_000 * 25 + 4_999, 11_000), after)).toEqual([[5_000, 25, 'ask']]);
    expect(between(afterRise(4_999, 11_000), after)).toEqual([]);
  });

  it('go on to the next level only behind one that went', () => {
    const model = () => afterRise(1e9, 11_000);
    expect(between(model(), book(11_000, [[4_900, 20], BID_3]))).toEqual([
      [5_000, 100, 'ask'],
      [4_900, 30, 'ask'],
    ]);
    expect(between(model(), book(11_000, [[5_000, 100], [4_900, 20], BID_3]))).toEqual([]);
  });

  it('were bought when asks left', () => {
    const [before, after] = [book(1, [], [[5_100, 9]]), book(2, [], [[5_100, 4]])];
    expect(afterRise(1e9, 2).between(before, after)).toMatchObject([
      { price: 5_100, shares: 5, takerSide: 'bid' },
    ]);
  });

  it('need a rise within the lag, before or after', () => {
    const after = book(11_000, [BID_2, BID_3]);
    expect(between(afterRise(1e9, 11_000 + LAG), after)).toHaveLength(1);
    expect(between(afterRise(1e9, 11_000 - LAG), after)).toHaveLength(1);
    expect(between(afterRise(1e9, 11_001 + LAG), after)).toEqual([]);
    expect(between(afterRise(1e9, 10_999 - LAG), after)).toEqual([]);
  });

  it('use a rise once', () => {
    const model = afterRise(5_000 * 100, 11_000);
    expect(between(model, book(11_000, [[5_000, 40], BID_2, BID_3]))).toEqual([[5_000, 60, 'ask']]);
    expect(between(model, book(11_000, [[5_000, 1], BID_2, BID_3]))).toEqual([[5_000, 40, 'ask']]);
    expect(between(model, book(11_000, [[5_000, 1], BID_2, BID_3]))).toEqual([]);
  });

  it.each([
    ['before', [10_900, 11_000]],
    ['after', [11_000, 10_900]],
  ] as const)('leave out own fills that are told %s the turnover', (_, [fillAt, riseAt]) => {
    const model = inferredTrades(LAG);
    model.turnover(EVENT, 0 as Micros, 0 as Money);
    const news = [
      { at: fillAt, tell: () => model.ownFill(EVENT, fillAt as Micros, 30) },
      { at: riseAt, tell: () => model.turnover(EVENT, riseAt as Micros, (10_000 * 30 + 5_000 * 7) as Money) },
    ];
    for (const { tell } of news.toSorted((a, b) => a.at - b.at)) tell();
    expect(between(model, book(11_000, [BID_2, BID_3]))).toEqual([[5_000, 7, 'ask']]);
  });

  it('take the first turnover that is told for where it stood before', () => {
    const model = inferredTrades(LAG);
    model.turnover(EVENT, 11_000 as Micros, 1e9 as Money);
    expect(between(model, book(11_000, [BID_2, BID_3]))).toEqual([]);
  });

  it('are none where only recorded ones count', () => {
    expect(recordedTrades.between(BEFORE, book(11_000, []))).toEqual([]);
  });
});
