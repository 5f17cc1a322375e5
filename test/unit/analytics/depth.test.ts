import { describe, expect, it } from 'vitest';
import { eventId, marketId } from '../../../src/domain/ids.js';
import type { BookInput } from '../../../src/domain/inputs.js';
import type { Levels } from '../../../src/domain/levels.js';
import { priceUnits, shares } from '../../../src/domain/units.js';
import { WatchedRun, depthOf, marketOf, timeAt } from '../../support/report/watched-run.js';

type Pairs = readonly (readonly [cents: number, shares: number])[];

const levels = (pairs: Pairs): Levels => ({
  prices: pairs.map(([cents]) => priceUnits(cents * 100)),
  shares: pairs.map(([, count]) => shares(count * 100)),
});
const ASKS: Pairs = [
  [52, 1],
  [53, 2],
  [60, 2],
];

function shown(seconds: number, bids: Pairs, mode: BookInput['mode'] = 'play_money') {
  const place = { eventId: eventId(1), marketId: marketId(1), mode, topN: 5, venueTime: timeAt(seconds) };
  const input = { kind: 'book', ...place, bids: levels(bids), asks: levels(ASKS) } as const;
  return { seq: 1, at: timeAt(seconds), input };
}

function seriesOf(...books: readonly ReturnType<typeof shown>[]) {
  const { analyst } = new WatchedRun();
  analyst.book(marketId(1), timeAt(0), priceUnits(4_800), shares(100), priceUnits(5_200));
  for (const book of books) analyst.took(book);
  return marketOf(
    analyst.end(timeAt(20), () => depthOf([], [])),
    1,
  ).series;
}

describe('the depth behind the best prices', () => {
  it('is where half of what a side shows is reached, and the last price that it shows', () => {
    const { bidHalf, bidFar, askHalf, askFar } = seriesOf(shown(1, [[48, 1], [47, 1], [30, 9]])); // prettier-ignore
    expect([bidHalf, bidFar, askHalf, askFar].map(({ last }) => last)).toEqual([[0.3], [0.3], [0.53], [0.6]]);
  });

  it('is none where a side is empty', () => {
    const { bidHalf, bidFar } = seriesOf(shown(1, [[48, 1]]), shown(2, []));
    expect([bidHalf.last, bidFar.last]).toEqual([
      [0.48, null],
      [0.48, null],
    ]);
  });

  it('is that of the first book of each bucket, in the currency of the run', () => {
    const { bidFar } = seriesOf(
      shown(1, [[40, 1]]),
      shown(1.01, [[41, 1]]),
      shown(2, [[42, 1]], 'real_money'),
      shown(3, [[43, 1]]),
    );
    expect(bidFar.last).toEqual([0.4, 0.43]);
  });
});
