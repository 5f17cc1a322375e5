import { describe, expect, it } from 'vitest';
import { marketId, orderId } from '../../../src/domain/ids.js';
import type { Fill } from '../../../src/domain/fill.js';
import { micros, money, shares } from '../../../src/domain/units.js';
import type { Resolution } from '../../../src/domain/vocabulary.js';
import { bookedFills, type BookLine } from '../../../src/report/books.js';
import { historyOf } from '../../../src/report/history.js';
import { fillOf } from '../../support/orders/fills.js';

const DAY = 86_400_000_000;
const ALL = { from: null, to: null };
const usual = fillOf(48, 4);

const line = (cents: number, count: number, changes: Partial<Fill> = {}, runId = 'r1'): BookLine => ({
  kind: 'fill',
  runId,
  instance: 'mine',
  fill: fillOf(cents, count, changes),
});
const resolved = (resolution: Resolution | null, at: number): BookLine => ({
  kind: 'resolved',
  at: micros(at),
  marketId: usual.marketId,
  resolution,
});

/** Bought 10 at 0.40 and 10 at 0.50 on one day; sold 5 at 0.60 the next. */
const BOUGHT = [
  line(40, 10, { id: 1, at: micros(1) }),
  line(50, 10, { id: 2, at: micros(2), fee: money(0) }),
];
const SOLD = line(60, 5, { id: 3, side: 'ask', at: micros(DAY + 1) });

describe('the history of an account', () => {
  it('earns what sales bring over the average cost, on the day of the sale', () => {
    const rows = historyOf([...BOUGHT, SOLD], 'day', ALL);
    expect(rows.map(({ group, fills, profit }) => [group, fills, profit])).toEqual([
      ['1970-01-01', 2, 0],
      ['1970-01-02', 1, 750_000],
    ]);
    const [market] = historyOf([...BOUGHT, SOLD], 'market', ALL);
    expect(market).toMatchObject({ group: '2231', bought: 9_000_000, sold: 3_000_000, held: 6_750_000 });
  });

  it('counts fees, and knows over restarts what was paid', () => {
    const lines = [
      ...BOUGHT,
      line(60, 20, { id: 1, side: 'ask', at: micros(DAY), fee: money(100_000) }, 'r2'),
    ];
    expect(historyOf(lines, 'run', ALL).map(({ group, profit, held }) => [group, profit, held])).toEqual([
      ['r1', 0, 0],
      ['r2', 2_900_000, 0],
    ]);
  });

  it('is that of one run alone, with what runs before had paid', () => {
    const sold = line(60, 20, { id: 1, side: 'ask', at: micros(DAY), fee: money(100_000) }, 'r2');
    const alone = (run: string) =>
      historyOf([...BOUGHT, sold], 'day', { ...ALL, run }).map(({ fills, profit }) => [fills, profit]);
    expect(alone('r1')).toEqual([[2, 0]]);
    expect(alone('r2')).toEqual([[1, 2_900_000]]);
    expect(alone('r3')).toEqual([]);
  });

  it.each([
    ['long', 20_000_000 - 9_000_000],
    ['short', -9_000_000],
    ['void', 0],
  ] as const)('pays what a market that ends %s is worth', (resolution, profit) => {
    expect(historyOf([...BOUGHT, resolved(resolution, 9)], 'event', ALL)[0]).toMatchObject({
      profit,
      held: 0,
    });
  });

  it('takes a resolution back, and books the next one', () => {
    const lines = [...BOUGHT, resolved('long', 9), resolved(null, 10)];
    expect(historyOf(lines, 'event', ALL)[0]).toMatchObject({ profit: 0, held: 9_000_000 });
    expect(historyOf([...lines, resolved('short', 11)], 'event', ALL)[0]!.profit).toBe(-9_000_000);
  });

  it('books a resolution that a later run found to differ instead of the first one, and pays one that is told twice once', () => {
    const changed = [...BOUGHT, resolved('long', 9), resolved('short', 11)];
    expect(historyOf(changed, 'event', ALL)[0]!.profit).toBe(-9_000_000);
    const again = [...BOUGHT, resolved('long', 9), resolved('long', 11)];
    expect(historyOf(again, 'event', ALL)[0]!.profit).toBe(11_000_000);
    // The market of a venue that began anew is another one.
    const anew = [...BOUGHT, resolved('long', 9), { kind: 'emptied' } as const, resolved('short', 11)];
    expect(historyOf(anew, 'event', ALL)[0]!.profit).toBe(11_000_000);
  });

  it.each([
    ['short', line(90, 20, { id: 3, side: 'ask', at: micros(10), fee: money(0) }), 9_000_000],
    ['long', line(90, 20, { id: 3, side: 'ask', at: micros(10), fee: money(0) }), 9_000_000],
    ['void', line(90, 20, { id: 3, side: 'ask', at: micros(10), fee: money(0) }), 0],
    ['long', line(40, 20, { id: 3, at: micros(10), fee: money(0) }), 23_000_000],
  ] as const)('ends a market %s after the fills that are told later', (resolution, told, profit) => {
    const lines = [...BOUGHT, resolved(resolution, 9), told];
    const all = { profit, held: 0, unbooked: 0, fills: 3 };
    expect(historyOf(lines, 'market', ALL)).toMatchObject([all]);
    expect(historyOf([...lines, resolved(resolution, 11)], 'market', ALL)).toMatchObject([all]);
    // The fill of the venue that began anew is of another market.
    const anew = [...BOUGHT, resolved('long', 9), { kind: 'emptied' } as const, told];
    expect(historyOf(anew, 'market', ALL)[0]!.profit).toBe(11_000_000);
  });

  it('takes the profit of earlier sales back where a market ends void, from those who made it', () => {
    const other = line(70, 5, { id: 1, side: 'ask', at: micros(DAY + 2), fee: money(1_000) }, 'r2');
    const lines = [...BOUGHT, SOLD, other, resolved('void', 2 * DAY), resolved('void', 2 * DAY + 1)];
    expect(historyOf(lines, 'market', ALL)).toMatchObject([{ profit: 0, held: 0 }]);
    expect(historyOf(lines, 'run', ALL).map(({ profit }) => profit)).toEqual([0, 0]);
    expect(historyOf(lines, 'day', ALL).map(({ profit }) => profit)).toEqual([0, 1_999_000, -1_999_000]);
    // What the venue before it paid stays, and so does what another market earned.
    const anew = [...BOUGHT, SOLD, { kind: 'emptied' } as const, resolved('void', 2 * DAY)];
    expect(historyOf(anew, 'market', ALL)).toMatchObject([{ profit: 750_000 }]);
    const elsewhere = { ...resolved('void', 2 * DAY), marketId: marketId(9) } as BookLine;
    expect(historyOf([...BOUGHT, SOLD, elsewhere], 'market', ALL)).toMatchObject([{ profit: 750_000 }]);
  });

  it('counts a line once that a full disk took and then refused', () => {
    const [first, second] = BOUGHT;
    expect(historyOf([first!, first!, second!], 'market', ALL)[0]).toMatchObject({
      fills: 2,
      held: 9_000_000,
    });
  });

  it('earns what was sold of an inferred fill before the message came that told of it', () => {
    const inferred = line(40, 4, { id: 1, at: micros(1), isInferred: true, orderId: orderId(5) });
    const sale = line(60, 4, { id: 2, at: micros(2), side: 'ask' });
    const told = line(40, 0, {
      id: 3,
      at: micros(3),
      orderId: orderId(6),
      amount: money(0),
      replaces: {
        id: 1,
        orderId: orderId(5),
        shares: shares(400),
        amount: money(400 * 4_000),
        fee: money(0),
      },
    });
    const lines = [inferred, sale, told];
    expect(historyOf(lines, 'market', ALL)[0]).toMatchObject({ profit: 800_000, held: 0, unbooked: 0 });
    expect(bookedFills(lines).map(({ id, at, isInferred }) => [id, at, isInferred])).toEqual([
      [3, 1, false],
      [2, 2, false],
    ]);
  });

  it('shows a span with the cost of what was bought before it', () => {
    const rows = historyOf([...BOUGHT, SOLD], 'day', { from: DAY, to: null });
    expect(rows.map(({ group, profit }) => [group, profit])).toEqual([['1970-01-02', 750_000]]);
  });

  it('earns nothing with shares that the books never bought, or that went with their venue', () => {
    expect(historyOf([SOLD], 'market', ALL)[0]).toMatchObject({
      profit: 0,
      sold: 3_000_000,
      unbooked: 500,
    });
    const gone = [...BOUGHT, { kind: 'emptied' } as const, resolved('long', 9)];
    expect(historyOf(gone, 'market', ALL)[0]).toMatchObject({ profit: 0, held: 0 });
  });

  it('marks inferred fills, and lists what took their place', () => {
    const inferred = line(48, 4, { id: 1, isInferred: true, orderId: orderId(5) });
    const told = line(48, 0, {
      id: 2,
      orderId: orderId(6),
      amount: money(300 * -100),
      replaces: {
        id: 1,
        orderId: orderId(5),
        shares: shares(300),
        amount: money(300 * 4_800),
        fee: money(0),
      },
    });
    expect(historyOf([inferred, told], 'market', ALL)[0]).toMatchObject({
      fills: 2,
      inferred: 1,
      shares: 400,
    });
    // Numbers of fills begin anew with each run.
    const other = line(48, 2, { id: 1 }, 'r2');
    expect(
      bookedFills([inferred, told, other]).map((fill) => [fill.runId, fill.orderId, fill.shares]),
    ).toEqual(
      expect.arrayContaining([
        ['r1', '5', 100],
        ['r1', '6', 300],
        ['r2', '1', 200],
      ]),
    );
  });
});

describe('what holdings show that no fill of a run told of', () => {
  const { eventId, currency } = usual;
  const held = (at: number, count: number, paid: number | null, changes: object = {}): BookLine => ({
    kind: 'held',
    at: micros(at),
    runId: 'r2',
    currency,
    ...changes,
    holdings:
      count === 0
        ? []
        : [
            {
              eventId,
              marketId: usual.marketId,
              position: 'long',
              shares: shares(count * 100),
              purchasesAmount: paid,
            },
          ],
  });
  const moved = (at: number, count: number, longPrice: number): BookLine => ({
    kind: 'moved',
    at: micros(at),
    runId: 'r2',
    currency,
    eventId,
    marketId: usual.marketId,
    position: 'long',
    shares: shares(count * 100),
    longPrice,
  });
  const rows = (...lines: readonly BookLine[]) => historyOf([...BOUGHT, ...lines], 'market', ALL);
  const market = (...lines: readonly BookLine[]) => rows(...lines)[0];
  const sale = (count: number) =>
    line(60, count, { id: 9, side: 'ask', at: micros(DAY), fee: money(0) }, 'r2');

  it('is in the books from the next start on, at what the venue says that it cost', () => {
    expect(market(held(9, 25, 11.5))).toMatchObject({ outside: 500, held: 11_300_000, profit: 0, fills: 2 });
    expect(market(held(9, 25, null))).toMatchObject({ outside: 500, held: 11_500_000 });
    expect(market(held(9, 25, 11.5), sale(25))).toMatchObject({ profit: 3_700_000, held: 0, unbooked: 0 });
    expect(market(held(9, 20, 9), held(10, 20, 9))).toMatchObject({ outside: 0, held: 9_000_000 });
  });

  it('leaves the books at cost where it was sold by other hands, and earns nothing', () => {
    expect(market(held(9, 0, null))).toMatchObject({ outside: 2_000, held: 0, profit: 0, sold: 0 });
    expect(market(held(9, 5, 2.25))).toMatchObject({ outside: 1_500, held: 2_250_000, profit: 0 });
    expect(
      historyOf([...BOUGHT, held(9, 0, null)], 'run', ALL).map(({ group, outside }) => [group, outside]),
    ).toEqual([
      ['r1', 0],
      ['r2', 2_000],
    ]);
  });

  it('is paid where its market ended while no bot ran', () => {
    expect(market(held(9, 0, null), resolved('long', 10))).toMatchObject({
      outside: 0,
      held: 0,
      profit: 11_000_000,
    });
  });

  it('is not paid where it was sold by other hands long before its market ended', () => {
    const sold = { outside: 2_000, held: 0, profit: 0 };
    expect(market(moved(9, -20, 5_000), resolved('long', DAY))).toMatchObject(sold);
    expect(market(held(9, 0, null), resolved('long', DAY))).toMatchObject(sold);
    // The market had ended, but otherwise: that was taken back, and the shares were there again.
    const reversed = [resolved('short', 3), resolved(null, 4)];
    expect(market(...reversed, moved(9, -20, 5_000), resolved('long', DAY))).toMatchObject(sold);
    // It had ended, and how is corrected later: it is paid as it ended.
    expect(market(resolved('short', 3), held(9, 0, null), resolved('long', DAY))).toMatchObject({
      outside: 0,
      profit: 11_000_000,
    });
    // What one venue told says nothing of the next.
    const next = [{ kind: 'emptied' } as const, resolved(null, 11)];
    expect(market(held(9, 0, null), resolved('long', 10), ...next)).toMatchObject({ profit: 11_000_000 });
  });

  it('is of one currency: what is held in another one stays', () => {
    const other = { currency: 'USDT' };
    expect(market(held(9, 0, null, other))).toMatchObject({ outside: 0, held: 9_000_000 });
    // Each currency has a row of its own: their money is never added up.
    expect(rows(held(9, 5, 2, other), sale(20))).toMatchObject([
      { currency: 'OOM', outside: 0, unbooked: 0, held: 0 },
      { currency: 'USDT', outside: 500, held: 2_000_000, profit: 0 },
    ]);
    expect(rows(held(9, 5, 2, other), resolved('long', 10))).toMatchObject([
      { profit: 11_000_000, held: 0 },
      { profit: 3_000_000, held: 0 },
    ]);
  });

  it('of a part of an account says nothing of the other markets', () => {
    const elsewhere = { markets: ['elsewhere' as typeof usual.marketId] };
    expect(market(held(9, 0, null, elsewhere))).toMatchObject({ outside: 0, held: 9_000_000 });
    expect(market(held(9, 0, null, { markets: [usual.marketId] }))).toMatchObject({
      outside: 2_000,
      held: 0,
    });
  });

  it('comes once where a full disk took its line and then refused', () => {
    const lines = [held(9, 20, 9), moved(9, 5, 6_000)];
    const all = { outside: 500, held: 12_000_000 };
    expect(market(...lines, ...lines, moved(11, -5, 6_000))).toMatchObject({ outside: 1_000 });
    expect(market(...lines, ...lines)).toMatchObject(all);
  });

  it('is none where the clock was set back between two runs', () => {
    const later = (lines: readonly BookLine[]) =>
      lines.map((one) =>
        one.kind === 'fill' ? { ...one, fill: { ...one.fill, at: micros(one.fill.at + DAY) } } : one,
      );
    const bought = later(BOUGHT);
    const sold = line(60, 20, { id: 1, side: 'ask', at: micros(30), fee: money(0) }, 'r2');
    const none = { outside: 0, unbooked: 0, held: 0 };
    const sums = (...lines: readonly BookLine[]) => historyOf([...bought, ...lines], 'market', ALL);
    expect(sums(held(20, 20, 9), sold)).toMatchObject([{ ...none, profit: 3_000_000 }]);
    expect(sums(held(20, 20, 9), sold, held(25, 0, null, { runId: 'r3' }))).toMatchObject([
      { ...none, profit: 3_000_000 },
    ]);
    expect(bookedFills([...bought, sold]).map(({ runId }) => runId)).toEqual(['r1', 'r1', 'r2']);
    // Its market had ended before the clock was set back: the shares are paid.
    const ended = [resolved('long', DAY + 9), held(20, 0, null)];
    expect(sums(...ended)).toMatchObject([{ ...none, profit: 11_000_000 }]);
    expect(sums(resolved('long', 19), held(20, 0, null))).toMatchObject([{ ...none, profit: 11_000_000 }]);
  });

  it('comes and goes while a bot runs, too', () => {
    expect(market(held(9, 20, 9), moved(10, 5, 6_000))).toMatchObject({ outside: 500, held: 12_000_000 });
    expect(market(held(9, 20, 9), moved(10, -5, 6_000))).toMatchObject({
      outside: 500,
      held: 6_750_000,
      profit: 0,
    });
  });
});
