/** The figures of an analyst, which keeps sums, against the definitions, applied to everything that happened. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunAnalyst } from '../../../src/analytics/run-analyst.js';
import type { RunAnalysis } from '../../../src/analytics/analysis.js';
import { marketId, orderId } from '../../../src/domain/ids.js';
import { money, priceUnits, shares } from '../../../src/domain/units.js';
import { fillOf } from '../../support/orders/fills.js';
import { slowAnalysis, type Told } from '../../support/report/slow-analysis.js';
import { DESCRIPTION, timeAt } from '../../support/report/watched-run.js';

const END = 400;
const price = fc.integer({ min: 2, max: 97 });

const told: fc.Arbitrary<Told> = fc.oneof(
  fc.record({
    kind: fc.constant('book' as const),
    at: fc.integer({ min: 0, max: END }),
    bid: fc.option(price, { freq: 5 }),
    spread: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    kind: fc.constant('fill' as const),
    at: fc.integer({ min: 0, max: END }),
    side: fc.constantFrom('bid' as const, 'ask' as const),
    position: fc.constantFrom('long' as const, 'short' as const),
    cents: price,
    whole: fc.integer({ min: 1, max: 50 }),
    fee: fc.integer({ min: -20_000, max: 20_000 }),
  }),
  fc.record({
    kind: fc.constant('quotes' as const),
    at: fc.integer({ min: 0, max: END }),
    bid: fc.option(price, { freq: 4 }),
    ask: fc.option(price, { freq: 4 }),
    whole: fc.integer({ min: 0, max: 3 }),
  }),
);

const story = fc.record({
  news: fc.array(told, { maxLength: 60 }).map((list) => list.toSorted((a, b) => a.at - b.at)),
  resolution: fc.option(
    fc.record({
      at: fc.integer({ min: 0, max: END }),
      outcome: fc.constantFrom('long' as const, 'short' as const, 'void' as const),
    }),
  ),
});

/** What is told to the analyst until the market resolves; nothing trades afterwards. */
function analysed(
  news: readonly Told[],
  resolution: { at: number; outcome: 'long' | 'short' | 'void' } | null,
) {
  const analyst = new RunAnalyst({ ...DESCRIPTION, events: DESCRIPTION.events.slice(1) });
  const market = marketId(3);
  const units = (cents: number | null) => (cents === null ? null : priceUnits(cents * 100));
  for (const item of news) {
    const at = timeAt(item.at);
    if (item.kind === 'book')
      analyst.book(
        market,
        at,
        units(item.bid),
        shares(1),
        item.bid === null ? null : units(item.bid + item.spread),
      );
    else if (item.kind === 'quotes') {
      const order = (side: 'bid' | 'ask', cents: number, id: number) => ({
        orderId: orderId(id),
        side: 'bid' as const,
        position: side === 'bid' ? ('long' as const) : ('short' as const),
        price: units(side === 'bid' ? cents : 100 - cents)!,
        bookSide: side,
        longPrice: units(cents)!,
        remaining: shares(item.whole * 100),
      });
      const bids = item.bid === null ? [] : [order('bid', item.bid, 1)];
      const asks = item.ask === null ? [] : [order('ask', item.ask, 2)];
      analyst.standing(market, at, [...bids, ...asks]);
    } else
      analyst.filled(
        fillOf(item.cents, item.whole, {
          marketId: market,
          side: item.side,
          position: item.position,
          fee: money(item.fee),
          orderId: orderId(99),
          at,
        }),
        at,
      );
  }
  if (resolution !== null) analyst.resolved(market, timeAt(resolution.at), resolution.outcome);
  return analyst.end(timeAt(END), () => null);
}

function cut(news: readonly Told[], resolution: { at: number } | null): readonly Told[] {
  return resolution === null ? news : news.filter(({ at }) => at < resolution.at);
}

describe('an analyst that keeps sums', () => {
  it('comes to the same as the definitions', () => {
    fc.assert(
      fc.property(story, ({ news: all, resolution }) => {
        const news = cut(all, resolution);
        const found: RunAnalysis = analysed(news, resolution);
        const slow = slowAnalysis(news, resolution, END, DESCRIPTION.uptime);
        const { profit, markOuts, drawdown, quoting } = found.total;
        expect(profit.total).toBeCloseTo(slow.profit, 9);
        const { spread, inventory, resolution: atEnd, fees, rebates } = profit;
        expect(spread + inventory + atEnd - fees + rebates).toBeCloseTo(profit.total, 9);
        expect(drawdown.worst).toBeCloseTo(slow.drawdown, 9);
        expect(markOuts.map((one) => one.fills)).toEqual(slow.markOuts.map((one) => one.fills));
        markOuts.forEach((one, index) => expect(one.profit).toBeCloseTo(slow.markOuts[index]!.profit, 9));
        expect(quoting.observedSeconds).toBeCloseTo(slow.observed, 9);
        expect((quoting.uptime ?? 0) * quoting.observedSeconds).toBeCloseTo(slow.quoted, 6);
        expect((quoting.bothSides ?? 0) * quoting.observedSeconds).toBeCloseTo(slow.bothSides, 6);
        expect((quoting.anySide ?? 0) * quoting.observedSeconds).toBeCloseTo(slow.anySide, 6);
        expect((quoting.bidAtTouch ?? 0) * quoting.observedSeconds).toBeCloseTo(slow.bidAtTouch, 6);
        expect((quoting.askAtTouch ?? 0) * quoting.observedSeconds).toBeCloseTo(slow.askAtTouch, 6);
        const held = found.markets[0]!.inventory;
        expect([held.lowest, held.highest]).toEqual([slow.lowest, slow.highest]);
        expect(held.halfLifeSeconds ?? -1).toBeCloseTo(slow.halfLife ?? -1, 4);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the sides apart and together', () => {
    fc.assert(
      fc.property(story, ({ news: all, resolution }) => {
        const { total } = analysed(cut(all, resolution), resolution);
        const [bid, ask] = total.sides;
        expect(bid!.profit.total + ask!.profit.total).toBeCloseTo(total.profit.total, 9);
        expect(bid!.fills.shares + ask!.fills.shares).toBeCloseTo(total.fills.shares, 9);
      }),
    );
  });
});
