/** A strategy is asked again when anything that it looks at has changed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import type { ContextWithoutInstance } from '../../src/core/strategy/context.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

const START = 1_786_400_000_000;
const FEED_MS = 20;

const book = (seconds: number, market: number, bid: number, ask: number, shares = 100) => ({
  t: START + seconds * 1_000,
  type: 'book',
  event: 1,
  market,
  bid: [[bid, 100]],
  ask: [[ask, shares]],
});
const trade = (seconds: number) => ({
  t: START + seconds * 1_000,
  type: 'trade',
  event: 1,
  market: 11,
  price: 0.6,
  shares: 5,
  taker_side: 'bid',
});
const status = (seconds: number, market: number, resolution: string | null) => ({
  t: START + seconds * 1_000,
  type: 'status',
  event: 1,
  market,
  status: resolution === null ? 'open' : 'resolved',
  resolution,
});
const opened = [status(0, 11, null), status(0, 12, null)];
const resolved = [status(60, 11, 'long'), status(60, 12, 'short')];

const head = "import { defineStrategy, NO_QUOTES, quoteAt } from 'oddsmith/sdk';";
/** Offers shares of the first outcome, and looks at the other one. */
const LOOKING = `${head}
export default defineStrategy({
  name: 'looking',
  params: {},
  quote({ market, event, inventory }) {
    if (event.markets.length !== 2) throw new Error('both outcomes are quoted');
    if (market.id !== '11' || inventory.net < -50) return NO_QUOTES;
    return { bids: [], asks: [quoteAt(0.59, 50, { fixed: 0.59 })] };
  },
});
`;
const TICKING = `${head}
export default defineStrategy({
  name: 'ticking',
  params: {},
  quote({ event }) {
    return event.msToClose === 0 ? { ...NO_QUOTES, wakeInMs: 1 } : NO_QUOTES;
  },
});
`;
const WAKING = `${head}
export default defineStrategy({ name: 'waking', params: {}, quote: () => ({ ...NO_QUOTES, wakeInMs: 300 }) });
`;

/** Offers shares of the first outcome, and has its fills judged. */
const JUDGING = `${head}
export default defineStrategy({
  name: 'judging',
  params: {},
  signals: { turned: { kind: 'markOut', horizonMs: 3000 }, flow: { kind: 'orderFlow' } },
  quote({ market, inventory }) {
    if (market.id !== '11' || inventory.net < -50) return NO_QUOTES;
    return { bids: [], asks: [quoteAt(0.59, 50, { fixed: 0.59 })] };
  },
});
`;
const NEEDING = `${head}
export default defineStrategy({
  name: 'needing',
  params: {},
  signals: {
    pace: { kind: 'volatility', sampleMs: 7000, required: true },
    centre: { kind: 'microprice', required: true, maxAgeMs: 2000 },
  },
  quote: () => NO_QUOTES,
});
`;

/** One call of the strategy. */
interface Call {
  readonly market: string;
  /** Milliseconds since the start of the recording. */
  readonly at: number;
  /** Of the other outcome. */
  readonly mid: number | null;
  readonly inventory: number;
  readonly fills: ContextWithoutInstance['fills'];
  readonly signals: ContextWithoutInstance['signals'];
}

/** A look at a market, and why the strategy was not asked. */
type Look = Call & { readonly halt: string | null };

/** The calls of a strategy in the pessimistic scenario. */
const callsOf = async (strategy: string, lines: readonly object[]): Promise<readonly Call[]> =>
  (await looksOf(strategy, lines)).filter(({ halt }) => halt === null);

async function looksOf(strategy: string, lines: readonly object[]): Promise<readonly Look[]> {
  const folder = scratchFolder();
  const recording = join(folder, 'recording.ndjson');
  writeFileSync(recording, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  writeFileSync(join(folder, 'strategy.ts'), strategy);
  const file = join(folder, 'bot.yaml');
  writeFileSync(
    file,
    `events:
  - id: 1
    title: Who wins?
    markets: [{ id: 11, title: one }, { id: 12, title: other }]
instances:
  - name: one
    strategy: ./strategy.ts
    markets: [11, 12]
    limits: { maxPositionShares: 300, maxEventLoss: 200 }
backtest: { recordings: [${recording}], latency: { feedMs: ${FEED_MS} } }
`,
  );
  const looks: Look[] = [];
  await runBacktest({
    ...loadBotSettings(file, {}),
    watch: (scenario) => {
      if (scenario !== 'pessimistic') return {};
      let at = 0;
      return {
        took: (stamped) => void (at = stamped.at / 1_000 - START),
        looked: ({ marketId, halt, context }) => {
          const other = context.event.markets.find(({ id }) => id !== marketId)!;
          const { fills, signals } = context;
          const { weightedMid, inventory } = other;
          looks.push({ market: marketId, at, halt, mid: weightedMid, inventory, fills, signals });
        },
      };
    },
  });
  return looks;
}
const between = <C extends Call>(calls: readonly C[], market: string, from: number, to: number) =>
  calls.filter((call) => call.market === market && call.at > from * 1_000 && call.at < to * 1_000);

describe('a strategy is asked again', () => {
  const calm = [...opened, book(0, 11, 0.48, 0.52), book(0, 12, 0.48, 0.52)];

  it('when another outcome of its event moved that it looks at', async () => {
    const moves = [10, 20, 30].map((at) => book(at, 11, 0.48 + at / 100, 0.52 + at / 100));
    const quiet = LOOKING.replace(/asks: \[.*\] \}/, 'asks: [] }');
    const calls = await callsOf(quiet, [...calm, ...moves, ...resolved]);
    for (const at of [10, 20, 30]) {
      const [first] = between(calls, '12', at, at + 1);
      expect(first).toMatchObject({ at: at * 1_000 + FEED_MS, mid: expect.closeTo(0.5 + at / 100, 6) });
    }
  });

  it('when what it holds of another outcome changed', async () => {
    const wide = [book(0, 11, 0.4, 0.6), book(0, 12, 0.4, 0.6)];
    const calls = await callsOf(LOOKING, [
      ...opened,
      ...wide,
      trade(8),
      book(8, 11, 0.4, 0.6, 90),
      ...resolved,
    ]);
    const [before] = between(calls, '12', 0, 8).slice(-1);
    const [after] = between(calls, '12', 8, 9).filter(({ inventory }) => inventory !== 0);
    expect([before?.inventory, after?.inventory]).toEqual([0, -5]);
    expect(between(calls, '11', 8, 9).map(({ at }) => at)).toContain(after?.at);
  });

  it('at least once a second when it looks at the time', async () => {
    const calls = between(await callsOf(TICKING, [...calm, ...resolved]), '12', 5, 15);
    expect(calls.length).toBeGreaterThanOrEqual(9);
  });

  it('when a fill is to be judged, and shown the fill once', async () => {
    const wide = [book(0, 11, 0.4, 0.6), book(0, 12, 0.4, 0.6)];
    const lines = [...opened, ...wide, trade(8), book(8, 11, 0.4, 0.6, 90), ...resolved];
    const calls = between(await callsOf(JUDGING, lines), '11', 7, 20);
    const filled = calls.filter(({ fills }) => fills.length > 0);
    expect(filled.map(({ fills }) => fills)).toEqual([
      [{ side: 'ask', price: 0.59, shares: 5, liquidity: 'maker', midBefore: 0.5 }],
    ]);
    const judged = calls.find(({ signals }) => signals['turned'] !== null);
    expect(judged).toMatchObject({ at: filled[0]!.at + 3_000, fills: [] });
    expect(judged!.signals['turned']).toEqual({ value: 0, ageMs: 0, confidence: 0.2, count: 1 });
    expect(calls.slice(0, 2).map(({ at }) => at)).toEqual([filled[0]!.at, judged!.at]);
  });

  it('until a signal that it needs is missing, or too old', async () => {
    const oneSided = { ...book(10, 11, 0.48, 0.52), ask: [] };
    const looks = await looksOf(NEEDING, [
      ...opened,
      book(0, 11, 0.48, 0.52),
      book(0, 12, 0.48, 0.52),
      oneSided,
      ...resolved,
    ]);
    const at = (from: number, to: number) => between(looks, '11', from, to).at(-1)?.halt;
    expect([at(0, 6), at(6, 10), at(10, 12), at(12, 20)]).toEqual([
      'signal-missing-pace',
      null,
      null,
      'signal-expired-centre',
    ]);
    const expired = between(looks, '11', 12, 20).find(({ halt }) => halt === 'signal-expired-centre');
    expect(expired!.at).toBeCloseTo(12_000 + FEED_MS, 0);
  });

  it('never while nothing changes that it looks at', async () => {
    const still = WAKING.replace(', wakeInMs: 300', '');
    expect(between(await callsOf(still, [...calm, ...resolved]), '12', 6, 15)).toEqual([]);
  });

  it('when it said so', async () => {
    const calls = between(await callsOf(WAKING, [...calm, ...resolved]), '12', 5, 15);
    expect(calls.length).toBeGreaterThanOrEqual(30);
    const gaps = calls.slice(1).map(({ at }, index) => at - calls[index]!.at);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(301);
  });
});
