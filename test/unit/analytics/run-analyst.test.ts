import { describe, expect, it } from 'vitest';
import { money, shares } from '../../../src/domain/units.js';
import { marketId, orderId } from '../../../src/domain/ids.js';
import {
  DESCRIPTION,
  START,
  WatchedRun,
  depthOf,
  marketOf,
  timeAt,
} from '../../support/report/watched-run.js';

/** Buys 10 at 0.48 (mid 0.50), the mid falls to 0.49, sells 4 at 0.51 (mid 0.49), resolves long. */
const handRun = () =>
  new WatchedRun()
    .book(0, 1, 49, 51)
    .quotes(0, 1, ['bid', 48, 10, 7], ['ask', 51, 4, 8])
    .fill(2, 1, 'bid', 48, 10, { orderId: orderId(7), fee: money(20_000), liquidity: 'maker' })
    .book(3, 1, 48, 50)
    .fill(4, 1, 'ask', 51, 4, { orderId: orderId(8), fee: money(-10_000), liquidity: 'maker' })
    .resolve(20, 1, 'long');

describe('a run computed by hand', () => {
  it('attributes its profit', () => {
    const { profit } = handRun().end(30).total;
    // 10 x 0.02 + 4 x 0.02; 10 x -0.01; 6 x (1 - 0.49)
    expect(profit.spread).toBeCloseTo(0.28, 12);
    expect(profit.inventory).toBeCloseTo(-0.1, 12);
    expect(profit.resolution).toBeCloseTo(3.06, 12);
    expect(profit.fees).toBeCloseTo(0.02, 12);
    expect(profit.rebates).toBeCloseTo(0.01, 12);
    // Paid 4.80, received 2.04 and 6.00, less 0.02, plus 0.01.
    expect(profit.total).toBeCloseTo(3.23, 12);
    expect(profit.realised).toBeCloseTo(3.23, 12);
    expect(profit.executable).toBeCloseTo(3.23, 12);
  });

  it('attributes the same profit to the two sides', () => {
    const [bid, ask] = handRun().end(30).total.sides;
    // 10 bought: 0.20 spread, -0.10 inventory, 10 x 0.51 resolution, 0.02 fees.
    expect(bid!.profit.total).toBeCloseTo(0.2 - 0.1 + 5.1 - 0.02, 12);
    // 4 sold: 0.08 spread, -4 x 0.51 resolution, 0.01 rebates.
    expect(ask!.profit.total).toBeCloseTo(0.08 - 2.04 + 0.01, 12);
  });

  it('judges the fills at the horizons that came and at resolution', () => {
    const { markOuts } = handRun().end(30).total;
    const [one, ten, minute, five, resolution] = markOuts;
    // After one second: 10 x (0.49 - 0.48), 4 x (0.51 - 0.49).
    expect(one).toMatchObject({ seconds: 1, fills: 2, shares: 14 });
    expect(one!.profit).toBeCloseTo(0.1 + 0.08, 12);
    expect(ten!.profit).toBeCloseTo(0.1 + 0.08, 12);
    // The market resolved before a minute was over: its payout is the mid from then on.
    for (const horizon of [minute, five, resolution]) expect(horizon!.profit).toBeCloseTo(5.2 - 1.96, 12);
    expect(resolution).toMatchObject({ seconds: null, fills: 2 });
    expect(resolution!.perShare).toBeCloseTo(3.24 / 14, 12);
  });

  it('leaves unknown what the end of the run cut off', () => {
    const analysis = new WatchedRun().book(0, 1, 49, 51).fill(2, 1, 'bid', 48, 10).end(12);
    expect(analysis.total.markOuts.map(({ fills }) => fills)).toEqual([1, 1, 0, 0, 0]);
    expect(analysis.total.markOuts[2]!.perShare).toBeNull();
  });

  it('judges fills by the mid of the recording where there is one, and names it', () => {
    const run = () => new WatchedRun().book(0, 1, 49, 51).recorded(0, 1, 50).fill(2, 1, 'bid', 48, 10);
    const recorded = run().book(3, 1, 59, 61).recorded(5, 1, 45).book(20, 1, 59, 61).end(20);
    expect([
      recorded.markOutMid,
      recorded.total.markOuts[0]!.perShare,
      recorded.total.markOuts[1]!.perShare,
    ]).toEqual(['recorded', expect.closeTo(0.02, 12), expect.closeTo(-0.03, 12)]);
    expect(new WatchedRun().book(0, 1, 49, 51).end(1).markOutMid).toBe('others');
  });

  it('judges a fill by the price that a later report tells of it', () => {
    const told = new WatchedRun()
      .book(0, 1, 49, 51)
      .fill(1, 1, 'bid', 52, 10, { orderId: orderId(7) })
      .fill(1, 1, 'bid', 0, 0, { orderId: orderId(7), amount: money(-100_000) })
      .fill(2, 1, 'bid', 45, 10, { orderId: orderId(8), position: 'short' })
      .book(3, 1, 39, 41)
      .fill(5, 1, 'bid', 0, 0, { orderId: orderId(8), position: 'short', amount: money(-200_000) })
      .resolve(400, 1, 'long')
      .end(401);
    // Bought at 0.51 what was said to be at 0.52; and short at 0.43, which sells long at 0.57, not at 0.55.
    expect(marketOf(told, 1).fillSample.fills.map(({ price }) => price)).toEqual([0.51, 0.57]);
    const [bid, ask] = marketOf(told, 1).sides;
    expect(bid!.markOuts.map(({ perShare }) => perShare)).toEqual(
      [-0.01, -0.11, -0.11, -0.11, 0.49].map((worth) => expect.closeTo(worth, 12)),
    );
    expect(ask!.markOuts.map(({ perShare }) => perShare)).toEqual(
      [0.17, 0.17, 0.17, 0.17, -0.43].map((worth) => expect.closeTo(worth, 12)),
    );
    const plain = new WatchedRun()
      .book(0, 1, 49, 51)
      .fill(1, 1, 'bid', 51, 10, { orderId: orderId(7) })
      .fill(2, 1, 'bid', 43, 10, { orderId: orderId(8), position: 'short' })
      .book(3, 1, 39, 41)
      .resolve(400, 1, 'long')
      .end(401);
    const errors = (run: typeof told) => run.total.markOuts.map(({ standardError }) => standardError!);
    errors(plain).forEach((error, horizon) => expect(errors(told)[horizon]).toBeCloseTo(error, 9));
    expect(told.total.markOuts.at(-1)!.profit).toBeCloseTo(told.total.profit.total, 12);
  });

  it('counts shares offered once, and fills against them', () => {
    const { fills } = handRun().end(30).total;
    expect(fills).toMatchObject({ count: 2, shares: 14, offeredShares: 14, ratio: 1, makerShare: 1 });
  });

  it('measures the time quoted and at the touch', () => {
    const analysis = new WatchedRun()
      .book(0, 1, 49, 51)
      .quotes(10, 1, ['bid', 48, 10, 1], ['ask', 51, 4, 2])
      .book(20, 1, 48, 51)
      .quotes(30, 1, ['ask', 51, 4, 2])
      .resolve(40, 1, 'short')
      .end(100);
    const { quoting } = marketOf(analysis, 1);
    expect(quoting).toMatchObject({ observedSeconds: 40, uptime: 0.5, bidAtTouch: 0.25, askAtTouch: 0.75 });
    expect(quoting.bothAtTouch).toBe(0.25);
    expect([quoting.bothSides, quoting.anySide]).toEqual([0.5, 0.75]);
    expect(quoting.meanSpread).toBeCloseTo(0.03, 12);
  });

  it('does not call a market quoted whose spread is too wide or whose size is too small', () => {
    const wide = new WatchedRun().quotes(0, 1, ['bid', 45, 10], ['ask', 51, 10]).end(10);
    const small = new WatchedRun().quotes(0, 1, ['bid', 48, 0.5], ['ask', 51, 10]).end(10);
    expect(marketOf(wide, 1).quoting.uptime).toBe(0);
    expect(marketOf(small, 1).quoting.uptime).toBe(0);
  });

  it('knows the capital that bids lock and holdings cost', () => {
    const analysis = new WatchedRun()
      .book(0, 1, 49, 51)
      .quotes(0, 1, ['bid', 48, 10, 7])
      .fill(5, 1, 'bid', 48, 10, { orderId: orderId(7) })
      .quotes(5, 1)
      .fill(10, 1, 'ask', 50, 10)
      .end(20);
    // 4.80 locked or held for ten of twenty seconds, and never both: the lock became the holding at one time.
    const { mean, peak, returnOnPeak } = analysis.total.capital;
    expect(mean).toBeCloseTo(2.4, 12);
    expect(peak).toBeCloseTo(4.8, 12);
    expect(returnOnPeak).toBeCloseTo(0.2 / 4.8, 12);
  });

  it('finds the worst fall of the profit', () => {
    const analysis = new WatchedRun()
      .book(0, 1, 49, 51)
      .fill(1, 1, 'bid', 50, 10)
      .book(2, 1, 59, 61)
      .book(3, 1, 44, 46)
      .book(4, 1, 54, 56)
      .end(5);
    expect(analysis.total.drawdown).toEqual({ worst: 1.5, from: timeAt(2), to: timeAt(3) });
  });

  it('knows a profit by what it was once its time was over', () => {
    const analysis = new WatchedRun()
      .book(0, 1, 49, 51)
      .book(0, 2, 49, 51)
      .fill(1, 1, 'bid', 48, 10)
      .book(1, 1, 47, 49)
      .fill(2, 2, 'bid', 50, 10)
      .resolve(3, 1, 'short')
      .resolve(3, 2, 'long')
      .end(5);
    // Bought at the mid that it led to; then two outcomes of one time, which lose 4.80 and earn 5.
    expect(analysis.total.drawdown).toEqual({ worst: 0, from: null, to: null });
    expect(
      [...analysis.equity.min, ...analysis.equity.max].every((profit) => profit === 0 || profit === 0.2),
    ).toBe(true);
    expect(analysis.total.profit.total).toBeCloseTo(0.2, 12);
    expect(analysis.events[0]!.drawdown.worst).toBe(0);
    expect(marketOf(analysis, 1).drawdown.worst).toBeCloseTo(4.8, 12);
  });

  it('scores the own mid and the market mid against the outcome', () => {
    const analysis = new WatchedRun()
      .book(0, 1, 49, 51)
      .quotes(0, 1, ['bid', 58, 1], ['ask', 62, 1])
      .quotes(10, 1, ['bid', 78, 1], ['ask', 82, 1])
      .resolve(20, 1, 'long')
      .end(20);
    const { ownScore, marketScore } = analysis.total;
    expect(ownScore.brier).toBeCloseTo(0.04, 12);
    expect(ownScore.meanBrier).toBeCloseTo((0.16 + 0.04) / 2, 12);
    expect(ownScore.log).toBeCloseTo(-Math.log(0.8), 12);
    expect(ownScore.meanLog).toBeCloseTo(-(Math.log(0.6) + Math.log(0.8)) / 2, 12);
    expect(marketScore).toMatchObject({ markets: 1, brier: 0.25, meanBrier: 0.25 });
  });

  it('marks open inventory at what the book would pay', () => {
    const long = new WatchedRun().book(0, 1, 49, 51).fill(1, 1, 'bid', 49, 10);
    const { profit } = long.end(5, () =>
      depthOf(
        [
          [49, 4],
          [47, 5],
        ],
        [],
      ),
    ).total;
    expect(profit.total).toBeCloseTo(0.1, 12);
    // 4 x 0.49 + 5 x 0.47; the tenth finds no buyer.
    expect(profit.executable).toBeCloseTo(-4.9 + 1.96 + 2.35, 12);
    const short = new WatchedRun().book(0, 1, 49, 51).fill(1, 1, 'bid', 49, 10, { position: 'short' });
    expect(short.end(5, () => depthOf([], [[52, 100]])).total.profit.executable).toBeCloseTo(-4.9 + 4.8, 12);
  });

  it('takes the last mid for a side that emptied, and the first price where there never was a mid', () => {
    const emptied = new WatchedRun().book(0, 1, 49, 51).fill(1, 1, 'bid', 49, 10).book(2, 1, null, 51).end(5);
    expect(emptied.total.profit.total).toBeCloseTo(0.1, 12);
    const never = new WatchedRun()
      .book(0, 1, null, 51)
      .fill(1, 1, 'bid', 49, 10)
      .fill(2, 1, 'ask', 52, 10)
      .end(5);
    expect(never.total.profit).toMatchObject({ total: 0.3, spread: 0.3 });
    expect(never.markRule).toContain('the last mid stands');
  });

  it('counts own size against that of others, by amount where single trades are not told', () => {
    const byShares = new WatchedRun().fill(1, 1, 'bid', 50, 10).trade(2, 1, 50, 30).end(5);
    expect(byShares.total.volume).toEqual({ ownShares: 10, othersShares: 30, share: 0.25 });
    const run = new WatchedRun({ events: DESCRIPTION.events.slice(1) });
    run.analyst.volume(DESCRIPTION.events[1]!.eventId, START, money(100_000_000));
    run.fill(1, 3, 'bid', 50, 10);
    run.analyst.volume(DESCRIPTION.events[1]!.eventId, timeAt(2), money(120_000_000));
    expect(run.end(5).total.volume.share).toBe(0.25);
  });

  it('keeps the place in the queue at which trades reached us', () => {
    const run = new WatchedRun().book(0, 1, 49, 51);
    run.analyst.queued(orderId(1), marketId(1), shares(3_000), shares(4_000));
    const { queue } = run.fill(1, 1, 'bid', 50, 10).fill(2, 1, 'bid', 50, 5).end(5).total;
    expect(queue).toMatchObject({ fills: 1, meanAhead: 30, meanRelative: 0.75 });
    expect(queue.tenths).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
  });

  it('takes every flow back when a market is void', () => {
    const analysis = new WatchedRun()
      .book(0, 1, 49, 51)
      .fill(1, 1, 'bid', 48, 10)
      .resolve(2, 1, 'void')
      .end(5);
    expect(analysis.total.profit.total).toBe(0);
    expect(analysis.total.markOuts.every(({ fills }) => fills === 0)).toBe(true);
  });

  it('knows how far the profit was below its best, on each day and over time', () => {
    const day = 86_400;
    const analysis = new WatchedRun()
      .book(0, 1, 49, 51)
      .fill(1, 1, 'bid', 50, 10)
      .book(2, 1, 59, 61)
      .book(day - 1, 1, 29, 31)
      .book(day, 1, 39, 41)
      .book(3 * day, 1, 69, 71)
      .end(3 * day + 5);
    // At its best 1; then -2 in the last second of a day, -1 at midnight, 2 in the end.
    expect(analysis.days.map(({ drawdown }) => drawdown)).toEqual([3, 3, 2, 2]);
    expect(analysis.total.drawdown.worst).toBe(3);
    const { min, last } = analysis.underwater;
    expect(Math.min(...min.map(Number))).toBe(-3);
    expect(last.at(-1)).toBe(0);
  });

  it('groups by market, event, strategy and day', () => {
    const day = 86_400;
    const analysis = new WatchedRun()
      .book(0, 1, 49, 51)
      .book(0, 3, 29, 31)
      .fill(1, 1, 'bid', 48, 10)
      .fill(day + 1, 3, 'ask', 31, 10)
      .fill(2 * day + 1, 3, 'bid', 31, 10)
      .end(2 * day + 5);
    expect(analysis.events.map(({ id, profit }) => [id, profit.total])).toEqual([
      ['873', 0.2],
      ['874', 0],
    ]);
    expect(analysis.strategies.map(({ id, fills }) => [id, fills.count])).toEqual([
      ['alpha', 1],
      ['beta', 2],
    ]);
    const traded = { fills: 1, shares: 10, fees: 0 };
    expect(analysis.days).toEqual([
      { day: '2026-11-20', profit: 0.2, ...traded, amount: 4.8, drawdown: 0 },
      { day: '2026-11-21', profit: 0.1, ...traded, amount: 3.1, drawdown: 0 },
      { day: '2026-11-22', profit: -0.1, ...traded, amount: 3.1, drawdown: 0.1 },
    ]);
    const mean = 0.2 / 3;
    const squares = (0.2 - mean) ** 2 + (0.1 - mean) ** 2 + (-0.1 - mean) ** 2;
    expect(analysis.total.ratios.sharpe).toBeCloseTo(mean / Math.sqrt(squares / 2), 12);
    expect(analysis.total.ratios.sortino).toBeCloseTo(mean / Math.sqrt(0.01 / 3), 12);
  });

  it('keeps the least that an event could have brought', () => {
    const { events } = new WatchedRun()
      .exposed(1, 873, -2_500_000)
      .exposed(2, 873, -1_000_000)
      .exposed(3, 874, 500_000)
      .end(10);
    expect(events.map(({ id, worstCase }) => [id, worstCase])).toEqual([
      ['873', -2.5],
      ['874', 0],
    ]);
  });

  it('knows which events nobody saw a price of', () => {
    const { events } = new WatchedRun().book(1, 3, 40, 42).end(10);
    expect(events.map(({ id, isUnseen }) => [id, isUnseen])).toEqual([
      ['873', true],
      ['874', false],
    ]);
  });

  it('puts an event that is not resolved on the day on which its recordings end', () => {
    const DAY = 86_400;
    const recorded = DESCRIPTION.events.map((event, at) => ({
      ...event,
      recordedUntil: timeAt(at * DAY + 5),
    }));
    const daysOf = (run: WatchedRun) => run.end(3 * DAY + 1).events.map(({ day }) => day);
    expect(daysOf(new WatchedRun({ events: recorded }))).toEqual(['2026-11-20', '2026-11-21']);
    expect(daysOf(new WatchedRun({ events: recorded }).resolve(2 * DAY, 3, 'long'))).toEqual([
      '2026-11-20',
      '2026-11-22',
    ]);
    expect(daysOf(new WatchedRun())).toEqual(['2026-11-23', '2026-11-23']);
  });

  it('counts requests and the busiest minute', () => {
    const run = new WatchedRun();
    for (const second of [0, 10, 59.9, 60, 119, 200])
      run.analyst.requested(second, 'create-orders', 1, timeAt(second), []);
    run.analyst.requested(7, 'cancel-orders', 1, timeAt(240), []);
    const { requests } = run.fill(240, 1, 'bid', 50, 1).end(240);
    expect(requests).toEqual({
      total: 7,
      byKind: { 'cancel-orders': 1, 'create-orders': 6 },
      peakPerMinute: 3,
      meanPerMinute: 1.75,
      perFill: 7,
    });
  });

  it('counts calls: pages of a listing, second attempts, and nothing for what never left', () => {
    const run = new WatchedRun();
    run.analyst.requested(1, 'read-orders', 3, timeAt(0), []);
    run.analyst.requested(2, 'read-orders', 3, timeAt(1), []);
    run.analyst.answered(1, 7, timeAt(2));
    run.analyst.answered(2, null, timeAt(3));
    run.analyst.requested(3, 'create-orders', 1, timeAt(4), []);
    run.analyst.answered(3, 2, timeAt(62.5));
    run.analyst.requested(4, 'cancel-orders', 1, timeAt(63), []);
    run.analyst.answered(4, 0, timeAt(63.5));
    run.analyst.requested(5, 'read-orders', 3, timeAt(64), []);
    run.analyst.answered(5, 1, timeAt(70));
    expect(run.end(120).requests).toMatchObject({
      total: 13,
      byKind: { 'create-orders': 2, 'read-orders': 11 },
      peakPerMinute: 11,
    });
  });

  it('counts calls that are no requests of the engine', () => {
    const run = new WatchedRun({ callsBefore: 2 });
    run.analyst.joined(timeAt(0));
    run.analyst.joined(timeAt(61));
    expect(run.end(61).requests).toMatchObject({
      total: 4,
      byKind: { 'authorize-channel': 2, identify: 2 },
      peakPerMinute: 3,
    });
  });

  it('takes orders of a request back that never left, and counts a second attempt for each', () => {
    const run = new WatchedRun();
    const [bid, ask] = [
      { marketId: marketId(1), bookSide: 'bid' },
      { marketId: marketId(1), bookSide: 'ask' },
    ] as const;
    run.analyst.requested(1, 'create-orders', 1, timeAt(1), [bid, ask]);
    run.analyst.requested(2, 'cancel-orders', 1, timeAt(2), [bid]);
    run.analyst.answered(1, 0, timeAt(2));
    run.analyst.answered(2, 2, timeAt(3));
    const { total } = run.end(5);
    expect(total.sent).toEqual({ requests: 2, created: 0, changed: 0, cancelled: 1 });
    expect(total.sides.map(({ sent }) => sent.requests)).toEqual([2, 0]);
  });

  it('shares a request out among its orders, by side, market, event and strategy', () => {
    const run = new WatchedRun();
    const [bid, ask] = [
      { marketId: marketId(1), bookSide: 'bid' },
      { marketId: marketId(1), bookSide: 'ask' },
    ] as const;
    const other = { marketId: marketId(3), bookSide: 'ask' } as const;
    run.analyst.requested(1, 'create-orders', 1, timeAt(1), [bid, ask, ask, other]);
    run.analyst.requested(2, 'replace-orders', 1, timeAt(2), [bid]);
    run.analyst.requested(3, 'cancel-orders', 1, timeAt(3), [ask, other]);
    run.analyst.requested(4, 'read-orders', 3, timeAt(4), []);
    const { total, events, strategies, markets, requests } = run.end(5);
    const [first, second] = [
      { requests: 2.25, created: 3, changed: 1, cancelled: 1 },
      { requests: 0.75, created: 1, changed: 0, cancelled: 1 },
    ];
    expect(total.sent).toEqual({ requests: 3, created: 4, changed: 1, cancelled: 2 });
    expect(total.sides.map(({ sent }) => sent.requests)).toEqual([1.25, 1.75]);
    expect(events.map(({ sent }) => sent)).toEqual([first, second]);
    expect(strategies.map(({ sent }) => sent)).toEqual([first, second]);
    expect(markets.filter(({ sent }) => sent.requests > 0).map(({ sent }) => sent)).toEqual([first, second]);
    expect(requests.total).toBe(6);
  });

  it('is the same text for the same observations', () => {
    expect(JSON.stringify(handRun().end(30))).toBe(JSON.stringify(handRun().end(30)));
  });
});
