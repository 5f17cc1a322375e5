/** Requests of a screen: they take time, they may come too late, and a market has one at a time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StrategyInstance } from '../../../../src/core/strategy/instance.js';
import { MatchingBook } from '../../../../src/exchange/matching/matching-book.js';
import { setupOf } from '../../../../src/runs/backtest/backtest-setup.js';
import { runBacktest } from '../../../../src/runs/backtest/run-backtest.js';
import { MergedRecordings } from '../../../../src/runs/backtest/merged-recordings.js';
import { openScreen, screenPiece, stepsOf } from '../../../../src/runs/screen/screen-piece.js';
import type { Screen, ScreenTotals } from '../../../../src/runs/screen/screen.js';
import { ScreenedMarket } from '../../../../src/runs/screen/screened-market.js';
import { loadBotSettings, SCENARIOS } from '../../../../src/settings/index.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { openRecording } from '../../../../src/storage/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { ROOT } from '../../../support/project/small-house.js';
import { BEGIN, linesOfMarket, recordingOf } from '../../../support/tape/neutral-lines.js';

const REQUEST_MS = 50;
const RESPONSE_MS = 30;
const FEED_MS = 10;
/** After the six reads with which a bot begins. */
const BEGUN_MS = 6 * (REQUEST_MS + RESPONSE_MS);

const { book, trade, status } = linesOfMarket(3001);
/** Two levels a side: the best one is ours where we are alone at it. */
const books = (t: number, bid: number, ask: number) =>
  book(
    t,
    [
      [bid, 500],
      [bid - 0.01, 500],
    ],
    [
      [ask, 500],
      [ask + 0.01, 500],
    ],
  );

afterEach(() => vi.restoreAllMocks());

/** A recording that tells each order, and no status: three levels a side, then a buyer who takes two levels of asks. */
const ORDERS = [
  'seq,t_ns,action,order_id,side,price,size',
  ...[5_000, 4_900, 4_800].map((price, at) => `${at},${1_000_000 + at},A,${at + 1},B,${price},100`),
  ...[5_400, 5_500, 5_600].map((price, at) => `${at + 3},${1_000_010 + at},A,${at + 4},S,${price},100`),
  '6,6000000000,E,4,S,5400,100',
  '7,6000000001,E,5,S,5500,100',
  '8,9000000000,A,9,B,4700,10',
].join('\n');

/** @returns when requests left, milliseconds of the recording, and how many orders the venue changed */
async function screened(lines: readonly string[]) {
  const { settings, source } = loadBotSettings(join(ROOT, 'config/backtest.yaml'), {}, [
    `backtest.recordings=["${recordingOf([status(0, 'open'), ...lines])}"]`,
    'backtest.markets=recorded',
    `backtest.latency={ feedMs: ${FEED_MS}, requestMs: ${REQUEST_MS}, responseMs: ${RESPONSE_MS} }`,
    'quoting.minRestMs=0',
  ]);
  const recordings = [await openRecording(settings.backtest!.recordings[0]!)];
  const setup = setupOf(settings, settings.backtest!, recordings);
  const steps = stepsOf(setup);
  const screen = await openScreen(setup, source, 'expected', steps.looked);
  const { latency, engine } = screen['options'];
  const left: number[] = [];
  const request = latency.request.bind(latency);
  vi.spyOn(latency, 'request').mockImplementation(() => {
    left.push(screen['now'] / 1_000 - BEGIN);
    return request();
  });
  const updates = vi.spyOn(MatchingBook.prototype, 'replace');
  for await (const range of new MergedRecordings(recordings, setup.markets).ranges())
    screen.take(steps.take(range));
  screen.take(steps.finish());
  const totals = screen.finish();
  const pauseMs = Math.max(engine.scheduler.firstPauseMs, 500);
  return { left, updates: updates.mock.calls.length, pauseMs, totals };
}

describe('a recording that tells each order', () => {
  it('is screened as the engine trades it', async () => {
    const file = join(scratchFolder(), 'orders.csv');
    writeFileSync(file, ORDERS);
    const { settings, source } = loadBotSettings(join(ROOT, 'config/backtest.yaml'), {}, [
      `backtest.recordings=["${file}"]`,
      'backtest.markets=recorded',
    ]);
    const recordings = [await openRecording(file)];
    const [totals] = await screenPiece([settings], source.file, recordings);
    const { scenarios } = await runBacktest({ settings, source, recordings });
    const { fills, profit } = scenarios.find(({ scenario }) => scenario === 'optimistic')!;
    expect(fills).toBeGreaterThan(0);
    expect(totals![SCENARIOS.indexOf('optimistic')]).toEqual({ fills, profit, faults: [] });
  });
});

/** A market whose prices wander, with trades. */
function wandering(): readonly string[] {
  const random = seededRandom('screen');
  const lines: string[] = [];
  let bid = 40;
  for (let at = 0; at < 300; at++) {
    bid = Math.max(20, Math.min(70, bid + random.below(3) - 1));
    const t = at * 60 + random.below(40);
    const shares = (): number => 20 + random.below(60);
    const side = (first: number, step: number): [number, number][] =>
      Array.from({ length: 4 }, (_, level) => [(first + step * level) / 100, shares()]);
    lines.push(book(t, side(bid, -1), side(bid + 3, 1)));
    if (at % 3 === 0)
      lines.push(
        trade(t + 10, (bid + 3 * (at % 2)) / 100, 5 + random.below(60), at % 2 === 0 ? 'ask' : 'bid'),
      );
  }
  return lines;
}

/** A market whose best prices stay, with other shares behind them. */
function leaning(): readonly string[] {
  const random = seededRandom('leaning');
  return Array.from({ length: 300 }, (_, at) => {
    const shares = (): number => 5 + random.below(400);
    const side = (first: number, step: number): [number, number][] => [
      [first, 20],
      [first + step, shares()],
      [first + 2 * step, shares()],
    ];
    const line = book(at * 200, side(0.4, -0.01), side(0.6, 0.01));
    return at % 3 === 0
      ? [line, trade(at * 200 + 90, 0.5, 3 + random.below(9), at % 2 === 0 ? 'ask' : 'bid')]
      : [line];
  }).flat();
}

/** It looks at the signal alone, and the signal at three levels a side. */
const DEEP = `import { defineStrategy, NO_QUOTES, quoteAt } from 'oddsmith/sdk';
export default defineStrategy({
  name: 'deep',
  params: {},
  signals: { deep: { kind: 'microprice', levels: 3 } },
  quote({ signals }) {
    const { deep } = signals;
    if (deep === null) return NO_QUOTES;
    return {
      bids: [quoteAt(Math.floor(deep.value * 100) / 100, 10, { fair: deep.value })],
      asks: [quoteAt(Math.ceil(deep.value * 100) / 100 + 0.01, 10, { fair: deep.value })],
    };
  },
});
`;

describe('what a screen leaves out', () => {
  const totalsOf = async (
    prepare: (screen: Screen) => void,
    lines = wandering(),
    overrides: readonly string[] = [],
  ) => {
    const { settings, source } = loadBotSettings(join(ROOT, 'config/backtest.yaml'), {}, [
      `backtest.recordings=["${recordingOf([status(0, 'open'), ...lines])}"]`,
      'backtest.markets=recorded',
      ...overrides,
    ]);
    const recordings = [await openRecording(settings.backtest!.recordings[0]!)];
    const setup = setupOf(settings, settings.backtest!, recordings);
    const totals: ScreenTotals[] = [];
    for (const scenario of SCENARIOS) {
      const steps = stepsOf(setup);
      const screen = await openScreen(setup, source, scenario, steps.looked);
      prepare(screen);
      for await (const range of new MergedRecordings(recordings, setup.markets).ranges())
        screen.take(steps.take(range));
      screen.take(steps.finish());
      totals.push(screen.finish());
    }
    return totals;
  };
  it('of the book concerns no order of ours', async () => {
    const usual = await totalsOf(() => undefined);
    expect(Math.min(...usual.map(({ fills }) => fills))).toBeGreaterThan(10);
    vi.spyOn(ScreenedMarket.prototype, 'isConcerned').mockReturnValue(true);
    expect(await totalsOf(() => undefined)).toEqual(usual);
  });

  it('of the questions would have the same answer', async () => {
    const asked = vi.spyOn(StrategyInstance.prototype, 'decide');
    const usual = await totalsOf(() => undefined);
    const usually = asked.mock.calls.length;
    const totals = await totalsOf((screen) => {
      for (const { instance } of screen['options'].engine.instances) instance.remembers = true;
    });
    expect(totals).toEqual(usual);
    expect(asked.mock.calls.length - usually).toBeGreaterThan(usually);
  });

  it('of the questions would have the same answer, where a signal reads behind the best levels', async () => {
    const file = join(scratchFolder(), 'deep.ts');
    writeFileSync(file, DEEP);
    const deep = [`instances.rain.strategy=${file}`, 'instances.rain.params={}'];
    const usual = await totalsOf(() => undefined, leaning(), deep);
    expect(Math.min(...usual.map(({ fills }) => fills))).toBeGreaterThan(10);
    const totals = await totalsOf(
      (screen) => {
        for (const { instance } of screen['options'].engine.instances) instance.remembers = true;
      },
      leaning(),
      deep,
    );
    expect(totals).toEqual(usual);
  });
});

describe('the requests of a screen', () => {
  const first = books(0, 0.48, 0.52);
  /** Bid and ask move down by a cent. */
  const moved = books(5_000, 0.47, 0.51);
  const last = status(15_000, 'closed');
  const movedAt = 5_000 + FEED_MS;
  const answeredAt = movedAt + REQUEST_MS + RESPONSE_MS;

  it('are refused where the order was filled before, and the market pauses as in the engine', async () => {
    const { left, updates, pauseMs, totals } = await screened([
      first,
      moved,
      trade(movedAt + REQUEST_MS - 20, 0.48, 100, 'ask'),
      last,
    ]);
    expect(totals.fills).toBe(1);
    // The ask was moved, the bid was not; the new bid waits for the end of the pause.
    expect(updates).toBe(1);
    expect(left.slice(0, 3)).toEqual([BEGUN_MS, movedAt, answeredAt + pauseMs]);
  });

  it('bring no pause where they arrive in time', async () => {
    const { left, updates } = await screened([first, moved, books(5_300, 0.46, 0.5), last]);
    expect(updates).toBe(4);
    expect(left.slice(0, 3)).toEqual([BEGUN_MS, movedAt, 5_300 + FEED_MS]);
  });

  it('of one market never overlap', async () => {
    const lines = Array.from({ length: 100 }, (_, at) =>
      books(at * 25, 0.4 - (at % 7) / 100, 0.6 - (at % 7) / 100),
    );
    const { left } = await screened(lines);
    const gaps = left.slice(1).map((at, before) => at - left[before]!);
    expect(gaps.length).toBeGreaterThan(20);
    expect(Math.min(...gaps)).toBe(REQUEST_MS + RESPONSE_MS);
  });
});
