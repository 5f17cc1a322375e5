/** Every raw recording of a real market: its books and turnover, folded here once more by the slowest rule. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linesOf, rawFiles } from '../../../src/recordings/raw-files.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { ROOT } from '../../support/project/small-house.js';
import { importFiles, type neutralLines } from '../../support/tape/raw-import.js';

const DATA = process.env['MARKET_DATA_DIR'] ?? join(ROOT, '..', 'shared', 'data');
const RAW = join(DATA, 'raw');
const isMissing = !existsSync(RAW);
if (isMissing) console.log(`${RAW} is missing: imports of real recordings are not checked`);

type Levels = readonly (readonly [odds: number, size: number])[];
interface RunnerChange {
  readonly id: number;
  readonly hc?: number;
  readonly atb?: Levels;
  readonly atl?: Levels;
  readonly trd?: Levels;
}
interface MarketChange {
  readonly id: string;
  readonly img?: boolean;
  readonly marketDefinition?: { readonly status: string };
  readonly rc?: readonly RunnerChange[];
}

interface Level {
  /** In 0.00001. */
  readonly price: number;
  readonly shares: number;
}
interface Touch {
  readonly bid: Level | null;
  readonly ask: Level | null;
}

/** What one runner shows: offers and bids by odds, and both amounts traded by odds. */
class SlowRunner {
  readonly offers = new Map<number, number>();
  readonly bids = new Map<number, number>();
  readonly traded = new Map<number, number>();
  /** Rises of the traded amounts, both amounts, in open markets and without images. */
  risen = 0;

  touch(): Touch {
    return { bid: best(this.bids, 'bid'), ask: best(this.offers, 'ask') };
  }
}

/** The best level that is worth 0.01 shares: the highest price of a winning unit for bids, the lowest for offers. */
function best(ladder: ReadonlyMap<number, number>, side: 'bid' | 'ask'): Level | null {
  const [round, sign] = side === 'bid' ? [Math.floor, -1] : [Math.ceil, 1];
  const levels = [...ladder]
    .map(([odds, size]) => ({
      price: round(Number((100_000 / odds).toFixed(4))),
      shares: Math.round(Number((odds * size).toFixed(2)) * 100) / 100,
    }))
    .filter(({ price, shares }) => shares > 0 && price > 0 && price < 100_000)
    .toSorted((one, other) => sign * (one.price - other.price));
  const [first] = levels;
  if (first === undefined) return null;
  const shares = levels
    .filter(({ price }) => price === first.price)
    .reduce((sum, one) => sum + one.shares, 0);
  return { price: first.price, shares: Math.round(shares * 100) / 100 };
}

const total = (ladder: ReadonlyMap<number, number>): number =>
  [...ladder.values()].reduce((a, b) => a + b, 0);

function put(ladder: Map<number, number>, levels: Levels = []): void {
  for (const [odds, size] of levels)
    if (size === 0) ladder.delete(odds);
    else ladder.set(odds, size);
}

const nameOf = (market: string, { id, hc = 0 }: { readonly id: number; readonly hc?: number }): string =>
  `${market} ${id} ${hc}`;

/** Folds a file. @param seen told of the touch of every changed runner after each time */
async function slowFold(path: string, seen: (at: number, runner: string, touch: Touch) => void) {
  const runners = new Map<string, SlowRunner>();
  const status = new Map<string, string>();
  const moved = new Set<string>();
  let at = 0;
  const tell = (): void => {
    for (const name of moved) seen(at, name, runners.get(name)!.touch());
    moved.clear();
  };
  for await (const lines of linesOf(rawFiles([path])[0]!))
    for (const { value } of lines) {
      const { pt, mc = [] } = value as { readonly pt: number; readonly mc?: readonly MarketChange[] };
      if (pt > at) tell();
      at = Math.max(at, pt);
      for (const { id, img, marketDefinition, rc = [] } of mc) {
        const before = status.get(id);
        if (before === 'CLOSED') continue;
        const now = marketDefinition?.status ?? before;
        if (now !== undefined) status.set(id, now);
        const names = new Set(rc.map((one) => nameOf(id, one)));
        for (const name of names) if (!runners.has(name)) runners.set(name, new SlowRunner());
        for (const [name, runner] of runners) {
          if (!name.startsWith(`${id} `)) continue;
          const changes = rc.filter((one) => nameOf(id, one) === name);
          const traded = total(runner.traded);
          if (img === true) {
            runner.offers.clear();
            runner.bids.clear();
            if (changes.some(({ trd }) => trd !== undefined)) runner.traded.clear();
          }
          for (const { atb, atl, trd } of changes) {
            put(runner.offers, atb);
            put(runner.bids, atl);
            put(runner.traded, trd);
          }
          if (changes.length > 0 || img === true) moved.add(name);
          const isOpen = before === 'OPEN' || now === 'OPEN';
          if (img !== true && isOpen) runner.risen += Math.max(0, total(runner.traded) - traded);
        }
      }
    }
  tell();
  return runners;
}

type Line = ReturnType<typeof neutralLines>[number];

const levelOf = (levels: unknown): Level | null => {
  const [first] = levels as readonly (readonly [number, number])[];
  return first === undefined ? null : { price: Math.round(first[0] * 100_000), shares: first[1] };
};

const isNear = (one: Level | null, other: Level | null): boolean =>
  one === null || other === null
    ? one === other
    : one.price === other.price && Math.abs(one.shares - other.shares) < 0.011;

const isCrossed = ({ bid, ask }: Touch): boolean => bid !== null && ask !== null && bid.price >= ask.price;

describe.skipIf(isMissing)('imports of whole recordings of Betfair', () => {
  it.each([
    ['1-206064380.bz2', 15_000],
    ['1.200806927.gz', 15_000],
    ['1.242971311.bz2', 1_000],
    ['1-166564490.bz2', 1_000],
  ])('give the best prices and the turnover of each runner in %s', async (name, least) => {
    const path = join(RAW, 'betfair', name);
    const { files, markets } = await importFiles(scratchFolder(), [path], { grid: 1 });
    const lines = new Map<string, readonly Line[]>();
    for (const { file, market, venue_id: id, selection, handicap } of markets) {
      const own = files.get(String(file))?.filter((line) => line.market === market) ?? [];
      lines.set(nameOf(String(id), { id: Number(selection), hc: Number(handicap ?? 0) }), own);
    }
    const places = new Map<string, number>();
    let compared = 0;
    const differ: string[] = [];
    const runners = await slowFold(path, (at, runner, touch) => {
      const books = lines.get(runner)?.filter(({ type }) => type === 'book');
      if (books === undefined || isCrossed(touch)) return;
      let place = places.get(runner) ?? 0;
      while (place < books.length && books[place]!.t <= at) place += 1;
      places.set(runner, place);
      const book = books[place - 1];
      const [bid, ask] = [levelOf(book?.['bid'] ?? []), levelOf(book?.['ask'] ?? [])];
      compared += 1;
      if (!isNear(bid, touch.bid) || !isNear(ask, touch.ask))
        differ.push(`${at} ${runner}: ${JSON.stringify({ bid, ask })}, expected ${JSON.stringify(touch)}`);
    });
    expect(differ.slice(0, 3)).toEqual([]);
    expect(compared).toBeGreaterThan(least);
    for (const [runner, own] of lines) {
      const amounts = own
        .filter(({ type }) => type === 'trade')
        .reduce((sum, { price, shares }) => sum + 2 * Number(price) * Number(shares), 0);
      const trades = own.filter(({ type }) => type === 'trade').length;
      // A price is rounded to 0.00001 and shares to 0.01.
      const rounded = 0.01 + trades * 0.02 + (runners.get(runner)?.risen ?? 0) * 0.01;
      expect([runner, Math.abs(amounts - (runners.get(runner)?.risen ?? 0)) <= rounded]).toEqual([
        runner,
        true,
      ]);
    }
  });
});

interface KalshiFrame {
  readonly recv_ms: number;
  readonly event: {
    readonly type: string;
    readonly msg: {
      readonly yes_dollars_fp?: readonly (readonly [string, string])[];
      readonly no_dollars_fp?: readonly (readonly [string, string])[];
      readonly side?: 'yes' | 'no';
      readonly price_dollars?: string;
      readonly delta_fp?: string;
      readonly count_fp?: string;
      readonly ts_ms?: number;
    };
  };
}

describe.skipIf(isMissing)('imports of whole recordings of Kalshi', () => {
  it.each([
    ['101900-00', ['10']],
    ['102000-00', ['10', '11']],
  ])('give the best prices and the turnover of %s', async (window, days) => {
    const paths = days.map((day) =>
      join(RAW, 'kalshi', `gold15m_KXGOLD15M-26AUG${window}_2026-08-${day}.ndjson.gz`),
    );
    const { lines, markets } = await importFiles(scratchFolder(), paths);
    const books = lines.filter(({ type }) => type === 'book');
    const ladders = { yes: new Map<string, number>(), no: new Map<string, number>() };
    const lastOf = new Map<number, Touch>();
    const closeAt = Number(markets[0]!['close_t'] ?? Infinity);
    let [at, traded] = [0, 0];
    for (const path of paths)
      for await (const read of linesOf(rawFiles([path])[0]!))
        for (const { value } of read) {
          const { event, recv_ms: received } = value as KalshiFrame;
          const { type, msg } = event;
          at = Math.max(at, msg.ts_ms ?? received);
          if (at >= closeAt) continue;
          if (type === 'trade') traded += Number(msg.count_fp);
          if (type === 'orderbook_snapshot')
            for (const [side, levels] of [
              ['yes', msg.yes_dollars_fp ?? []],
              ['no', msg.no_dollars_fp ?? []],
            ] as const)
              ladders[side] = new Map(levels.map(([price, size]) => [price, Number(size)]));
          if (type === 'orderbook_delta') {
            const ladder = ladders[msg.side!];
            const size = (ladder.get(msg.price_dollars!) ?? 0) + Number(msg.delta_fp);
            ladder.set(msg.price_dollars!, Math.round(size * 100) / 100);
          }
          const best = (side: 'yes' | 'no'): Level | null => {
            const prices = [...ladders[side]]
              .filter(([, size]) => size > 0)
              .toSorted((a, b) => Number(b[0]) - Number(a[0]));
            const [first] = prices;
            if (first === undefined) return null;
            const price = Math.round(Number(first[0]) * 100_000);
            return { price: side === 'yes' ? price : 100_000 - price, shares: first[1] };
          };
          if (type !== 'trade') lastOf.set(at, { bid: best('yes'), ask: best('no') });
        }
    const wrong = books.filter(({ t, bid, ask }) => {
      const touch = lastOf.get(t);
      return touch !== undefined && !(isNear(levelOf(bid), touch.bid) && isNear(levelOf(ask), touch.ask));
    });
    expect(books.filter(({ t }) => lastOf.has(t)).length).toBeGreaterThan(0.99 * books.length);
    expect(wrong.slice(0, 3).map(({ t, bid, ask }) => ({ t, bid, ask, touch: lastOf.get(t) }))).toEqual([]);
    const shares = lines
      .filter(({ type }) => type === 'trade')
      .reduce((sum, one) => sum + Number(one['shares']), 0);
    expect(shares).toBeCloseTo(traded, 1);
  });
});
