/** Definitions of the figures of a run, applied to everything that happened in one market, second by second. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UptimeRule } from '../../../src/analytics/observer.js';
import { RunAnalyst } from '../../../src/analytics/run-analyst.js';
import type { RunAnalysis } from '../../../src/analytics/analysis.js';
import { marketId, orderId } from '../../../src/domain/ids.js';
import { money, priceUnits, shares } from '../../../src/domain/units.js';
import { fillOf } from '../../support/orders/fills.js';
import { DESCRIPTION, timeAt } from '../../support/report/watched-run.js';

/** One thing that an analyst is told of. Seconds, cents, whole shares; fees in money units. */
type Told =
  | { readonly kind: 'book'; readonly at: number; readonly bid: number | null; readonly spread: number }
  | {
      readonly kind: 'fill';
      readonly at: number;
      readonly side: 'bid' | 'ask';
      readonly position: 'long' | 'short';
      readonly cents: number;
      readonly whole: number;
      readonly fee: number;
    }
  | {
      readonly kind: 'quotes';
      readonly at: number;
      readonly bid: number | null;
      readonly ask: number | null;
      readonly whole: number;
    };

type Outcome = { readonly at: number; readonly outcome: 'long' | 'short' | 'void' } | null;
type Fill = Extract<Told, { kind: 'fill' }>;

/** A market counts from its first price, quote or fill. */
const startOf = (news: readonly Told[], end: number): number =>
  news.find(
    (item) =>
      item.kind === 'fill' ||
      (item.kind === 'book' && item.bid !== null) ||
      (item.kind === 'quotes' && (item.bid !== null || item.ask !== null)),
  )?.at ?? end;

const HORIZONS = [1, 10, 60, 300] as const;

/** Long-side price, and +1 for what buys long or sells short. */
const longPrice = ({ position, cents }: Fill): number => (position === 'long' ? cents : 100 - cents) / 100;
const direction = ({ side, position }: Fill): 1 | -1 => ((side === 'bid') === (position === 'long') ? 1 : -1);

/** The mark after the first so many pieces of news; null before there is one. */
function markAfter(news: readonly Told[], count: number): number | null {
  let mark: number | null = null;
  for (const item of news.slice(0, count)) {
    if (item.kind === 'book' && item.bid !== null) mark = (item.bid + item.spread / 2) / 100;
    if (item.kind === 'fill') mark ??= longPrice(item);
  }
  return mark;
}

/** Cash and shares at the mark after so many pieces of news. */
function equityAfter(news: readonly Told[], count: number): number {
  let [cash, net, short] = [0, 0, 0];
  for (const item of news.slice(0, count)) {
    if (item.kind !== 'fill') continue;
    const buys = item.side === 'bid' ? 1 : -1;
    cash -= (buys * item.cents * item.whole) / 100 + item.fee / 1e6;
    net += direction(item) * item.whole;
    if (item.position === 'short') short += buys * item.whole;
  }
  // A short share is one unit less a long share.
  return cash + short + net * (markAfter(news, count) ?? 0);
}

const netAfter = (news: readonly Told[], count: number): number =>
  news
    .slice(0, count)
    .reduce((sum, item) => (item.kind === 'fill' ? sum + direction(item) * item.whole : sum), 0);

/** How much of the news is known at a time, what happens at that time included. */
const knownAt = (news: readonly Told[], at: number): number => news.filter((item) => item.at <= at).length;

/** When something came; at the time of the outcome, that is what counts. */
const timesOf = (news: readonly Told[], outcome: Outcome): readonly number[] =>
  [...new Set(news.map(({ at }) => at))].filter((at) => at !== outcome?.at);

/** @param end seconds; whole, as all times are */
function slowAnalysis(news: readonly Told[], outcome: Outcome, end: number, rule: UptimeRule) {
  const equities = timesOf(news, outcome).map((at) => equityAfter(news, knownAt(news, at)));
  const last = finalProfit(news, outcome);
  return {
    profit: last,
    drawdown: worstFall([0, ...equities, last]),
    markOuts: [...HORIZONS, null].map((seconds) => markOutsAt(news, outcome, end, seconds)),
    ...times(news, outcome?.at ?? end, rule),
    ...inventoryOf(news, outcome, end),
  };
}

function finalProfit(news: readonly Told[], outcome: Outcome): number {
  if (outcome === null) return equityAfter(news, news.length);
  if (outcome.outcome === 'void') return 0;
  const mark = markAfter(news, news.length) ?? 0;
  const payout = outcome.outcome === 'long' ? 1 : 0;
  return equityAfter(news, news.length) + netAfter(news, news.length) * (payout - mark);
}

function worstFall(equities: readonly number[]): number {
  let worst = 0;
  equities.forEach((high, index) => {
    for (const low of equities.slice(index)) worst = Math.max(worst, high - low);
  });
  return worst;
}

function markOutsAt(news: readonly Told[], outcome: Outcome, end: number, seconds: number | null) {
  let [fills, profit] = [0, 0];
  for (const fill of news) {
    if (fill.kind !== 'fill') continue;
    const mid = midAt(news, outcome, end, seconds === null ? null : fill.at + seconds);
    if (mid === null) continue;
    fills += 1;
    profit += direction(fill) * (mid - longPrice(fill)) * fill.whole;
  }
  return { fills, profit };
}

/** What a share was worth at a time, null: at resolution. Null where that is not known. */
function midAt(news: readonly Told[], outcome: Outcome, end: number, at: number | null): number | null {
  if (outcome !== null && (at === null || at >= outcome.at)) {
    if (outcome.outcome === 'void') return null;
    return outcome.outcome === 'long' ? 1 : 0;
  }
  return at === null || at > end ? null : markAfter(news, knownAt(news, at));
}

/** Looks at every second of the market; everything happens at whole ones. */
function times(news: readonly Told[], until: number, rule: UptimeRule) {
  let [quoted, bidAtTouch, askAtTouch, bothSides, anySide] = [0, 0, 0, 0, 0];
  const start = Math.min(until, startOf(news, until));
  for (let second = start; second < until; second++) {
    const known = news.slice(0, knownAt(news, second));
    const book = known.findLast((item) => item.kind === 'book');
    const own = known.findLast((item) => item.kind === 'quotes');
    if (own === undefined) continue;
    const best = book === undefined || book.bid === null ? null : book;
    const isWide = own.bid === null || own.ask === null || (own.ask - own.bid) * 100 > rule.maxSpread;
    if (own.bid !== null && own.ask !== null) bothSides += 1;
    if (own.bid !== null || own.ask !== null) anySide += 1;
    if (!isWide && own.whole * 100 >= rule.minShares) quoted += 1;
    if (own.bid !== null && own.bid >= (best?.bid ?? 0)) bidAtTouch += 1;
    if (own.ask !== null && own.ask <= (best === null ? 100 : best.bid! + best.spread)) askAtTouch += 1;
  }
  return { observed: until - start, quoted, bidAtTouch, askAtTouch, bothSides, anySide };
}

function inventoryOf(news: readonly Told[], outcome: Outcome, end: number) {
  const held = timesOf(news, outcome).map((at) => netAfter(news, knownAt(news, at)));
  const samples: number[] = [];
  const until = outcome?.at ?? end;
  for (let second = Math.min(startOf(news, end), until); second < until; second++)
    samples.push(netAfter(news, knownAt(news, second)));
  return { lowest: Math.min(0, ...held), highest: Math.max(0, ...held), halfLife: halfLifeOf(samples) };
}

function halfLifeOf(samples: readonly number[]): number | null {
  const [x, y] = [samples.slice(0, -1), samples.slice(1)];
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const covariance = x.reduce((sum, value, index) => sum + (value - mx) * (y[index]! - my), 0);
  const variance = x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
  if (variance < 1e-9) return null;
  const turns = [1, -1].map((way) => x.filter((value, index) => (y[index]! - value) * way > 0).length);
  if (Math.min(...turns) < 5) return null;
  const phi = covariance / variance;
  return phi > 0 && phi < 1 ? -Math.LN2 / Math.log(phi) : null;
}

/** The figures of an analyst, which keeps sums, against the definitions, applied to everything that happened. */

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
