/** What becomes of money when markets close and are decided, and of decisions when the seed is another. */
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { runBacktest, type BacktestResult } from '../../src/runs/backtest/run-backtest.js';
import { EXIT } from '../../src/domain/errors.js';
import { checkConfiguration } from '../../src/cli/commands/config.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { type Level, linesOfMarket, recordingOf } from '../support/tape/neutral-lines.js';
import { ROOT } from '../support/project/small-house.js';
import { backtest } from '../support/screen/told-command.js';

const BIDS: readonly Level[] = [[0.5, 10]];
const ASKS: readonly Level[] = [[0.6, 10]];
const WINNER = linesOfMarket(3001);
const OTHER = linesOfMarket(3002);

/** Two runners of one event, whose books stand; somebody sells both at 0.53, through our bids. */
const FILLED = [
  ...[WINNER, OTHER].map(({ book }) => book(0, BIDS, ASKS)),
  ...[WINNER, OTHER].map(({ book }) => book(1_000, [[0.51, 10]], ASKS)),
  ...[WINNER, OTHER].map(({ trade }) => trade(5_000, 0.53, 20, 'ask')),
];
const CLOSED = [WINNER, OTHER].map(({ status }) => status(6_000, 'closed'));

const THROWING = fileURLToPath(new URL('../support/strategies/throwing.ts', import.meta.url));
const SETTINGS = [
  'instances.0.params={halfSpread: 0.02, shares: 20, levels: 1, maxInventory: 1000}',
  'backtest.markets=recorded',
  'backtest.balance=1000',
];

const backtestOf = (lines: readonly string[], ...overrides: readonly string[]): Promise<BacktestResult> =>
  runBacktest({
    ...loadBotSettings(join(ROOT, 'config/backtest.yaml'), {}, [
      `backtest.recordings=["${recordingOf(lines)}"]`,
      ...SETTINGS,
      ...overrides,
    ]),
    analyse: true,
  });

/** Of the pessimistic scenario. */
const figuresOf = ({ analyses }: BacktestResult, id: number) =>
  analyses[0]!.markets.find(({ marketId }) => marketId === String(id))!;

describe('a decided event', () => {
  it.each([
    ['long', 20 * (1 - 0.53)],
    ['short', -20 * 0.53],
  ] as const)('pays one for each share that came true: %s', async (resolution, profit) => {
    const decided = [WINNER.resolved(9_000, resolution), OTHER.resolved(9_000, 'short')];
    const winner = figuresOf(await backtestOf([...FILLED, ...CLOSED, ...decided]), 3001);
    expect(winner).toMatchObject({ resolution, inventory: { highest: 20 } });
    expect(winner.profit.executable).toBeCloseTo(profit, 9);
  });

  it('returns the stake of a void runner and pays out the others', async () => {
    const decided = [WINNER.resolved(9_000, 'long'), OTHER.voided(9_000)];
    const result = await backtestOf([...FILLED, ...CLOSED, ...decided]);
    const returned = figuresOf(result, 3002);
    expect(returned).toMatchObject({ resolution: 'void', inventory: { highest: 20 }, fills: { count: 1 } });
    expect(returned.profit.executable).toBeCloseTo(0, 9);
    expect(result.scenarios[0]).toMatchObject({ fills: 2, openValue: 0, profit: 9.4 });
  });
});

describe('two winners of one event', () => {
  const decided = [WINNER.resolved(9_000, 'long'), OTHER.resolved(9_000, 'long')];
  const lines = [...FILLED, ...CLOSED, ...decided];
  const configured = (mode: string) =>
    backtestOf(
      lines,
      'backtest.markets=configured',
      `events=[{ id: 300, resolutionMode: ${mode}, markets: [{ id: 3001 }, { id: 3002 }] }]`,
      'instances.0.markets=[3001, 3002]',
    );

  it('are refused before anything is traded where outcomes exclude each other, with what to set', async () => {
    await expect(configured('exclusive')).rejects.toThrow(
      /recording\.ndjson:10\D.*market 3002 resolves long, and so does market 3001 of the same event 300.*set resolutionMode: non_exclusive for event 300/s,
    );
  });

  it('are both paid where several may come true', async () => {
    const { scenarios } = await configured('non_exclusive');
    expect(scenarios[0]).toMatchObject({ fills: 2, openValue: 0 });
    expect(scenarios[0]!.profit).toBeCloseTo(2 * 20 * (1 - 0.53), 9);
  });

  it('are refused where notes beside the recording say that they exclude each other', async () => {
    const file = recordingOf(lines);
    const note = (market: number) => ({ event: 300, market, file: basename(file), exclusive: true });
    writeFileSync(join(dirname(file), 'markets.json'), JSON.stringify([note(3001), note(3002)]));
    const noted = backtestOf(lines, `backtest.recordings=["${file}"]`);
    await expect(noted).rejects.toThrow(/markets\.json .*"exclusive": false/);
  });
});

describe('which outcomes exclude each other', () => {
  const NOTHING = 'null';
  /** Markets as configured, with a word for their event, beside a recording whose notes have one. */
  async function staged(configured: string, exclusive: boolean | null, extra = '') {
    const file = recordingOf(FILLED);
    const note = (market: number) => ({ event: 300, market, file: basename(file), exclusive });
    writeFileSync(join(dirname(file), 'markets.json'), JSON.stringify([note(3001), note(3002)]));
    const result = await backtestOf(
      FILLED,
      `backtest.recordings=["${file}"]`,
      'backtest.markets=configured',
      `events=[{ id: 300, resolutionMode: ${configured}, markets: [{ id: 3001 }, { id: 3002 }]${extra} }]`,
      'instances.0.markets=[3001, 3002]',
    );
    const { exchange, notes } = result.setup;
    return { mode: exchange.events[0]!.resolutionMode, notes, fills: result.scenarios[0]!.fills };
  }

  it.each([
    [NOTHING, true, 'exclusive'],
    [NOTHING, false, 'non_exclusive'],
    [NOTHING, null, 'non_exclusive'],
    ['exclusive', null, 'exclusive'],
    ['exclusive', true, 'exclusive'],
    ['non_exclusive', false, 'non_exclusive'],
  ] as const)('configured %s and noted %s, the venue says %s', async (configured, noted, mode) => {
    // Two bids at 0.53 are a certain loss where they exclude each other.
    const fills = mode === 'exclusive' ? 1 : 2;
    expect(await staged(configured, noted)).toMatchObject({ mode, fills });
  });

  it('is refused before anything is traded where the notes say that more can be lost', async () => {
    const text = /markets\.json .*several markets of event 300 .*set resolutionMode: non_exclusive/;
    await expect(staged('exclusive', false)).rejects.toThrow(text);
    await expect(staged(NOTHING, false, ', exhaustive: true')).rejects.toThrow(text);
  });

  it('is noted where the notes say that less can be lost', async () => {
    const { mode, notes } = await staged('non_exclusive', true);
    expect([mode, notes]).toEqual([
      'non_exclusive',
      [
        expect.stringMatching(
          /outcomes of event 300 exclude each other, the configuration that they need not/,
        ),
      ],
    ]);
  });
});

describe('a resolution that two files tell', () => {
  it('pays once', async () => {
    const [long, short] = [WINNER.resolved(9_000, 'long'), OTHER.resolved(9_000, 'short')];
    const once = await backtestOf([...FILLED, ...CLOSED, long, short]);
    const twice = await backtestOf([...FILLED, ...CLOSED, long, long, short]);
    expect(twice.scenarios.map(({ profit }) => profit)).toEqual(once.scenarios.map(({ profit }) => profit));
  });
});

describe('an event that the recording closes', () => {
  const CROSSED = WINNER.trade(7_000, 0.53, 40, 'ask');
  const BEFORE = FILLED.slice(0, 4);

  it('does not trade until the recording opens it again', async () => {
    const fills = async (...lines: readonly string[]) => {
      const { count } = figuresOf(await backtestOf([...BEFORE, ...lines]), 3001).fills;
      return count;
    };
    const closed = WINNER.status(6_000, 'closed');
    const opened = WINNER.status(6_500, 'open');
    const after = WINNER.book(8_000, BIDS, ASKS);
    expect(await fills(CROSSED, after)).toBe(1);
    expect(await fills(closed, CROSSED, after)).toBe(0);
    expect(await fills(closed, opened, CROSSED, after)).toBe(1);
  });

  it('is not quoted from then on', async () => {
    const lines = [...BEFORE, WINNER.status(6_000, 'closed'), WINNER.book(60_000, [[0.4, 10]], ASKS)];
    const closed = figuresOf(await backtestOf(lines), 3001).quoting;
    const open = figuresOf(await backtestOf(lines.toSpliced(4, 1)), 3001).quoting;
    expect(closed.uptime).toBeLessThan(0.15);
    expect(open.uptime).toBeGreaterThan(0.9);
  });
});

describe('another seed', () => {
  const MOVING = Array.from({ length: 200 }, (_, at) => {
    const best = 0.5 - (at % 7) / 100;
    return [
      WINNER.trade(at * 300 + 200, best + 0.04, 5, at % 2 === 0 ? 'ask' : 'bid'),
      WINNER.book(at * 300 + 200, [[best, 40]], [[Number((best + 0.1).toFixed(2)), 40]]),
    ];
  }).flat();
  const run = async (...overrides: readonly string[]) => {
    const { scenarios } = await backtestOf(MOVING, ...overrides);
    return scenarios;
  };

  it('changes no decision, request or fill while nothing is drawn', async () => {
    const seven = await run('seed=7');
    expect(seven[2]!.fills).toBeGreaterThan(0);
    expect(await run('seed=8')).toEqual(seven);
    const certain = 'backtest.latency={feedMs: [25, 25], requestMs: [25, 25, 25], responseMs: 25}';
    expect(await run('seed=8', certain)).toEqual(seven);
  });

  it('changes what is drawn', async () => {
    const drawn = 'backtest.latency={feedMs: [1, 5, 200], requestMs: 25, responseMs: 25}';
    const seven = await run('seed=7', drawn);
    expect(await run('seed=7', drawn)).toEqual(seven);
    expect(await run('seed=8', drawn)).not.toEqual(seven);
  });
});

describe('what a backtest says beside its figures', () => {
  it('names a strategy that was stopped, and why', async () => {
    const result = await backtestOf(FILLED, `instances.0.strategy=${THROWING}`, 'instances.0.params={}');
    expect(result.faults).toEqual([
      'strategy instance rain was stopped: Error: no idea (throwing.ts:8:11) (pessimistic, expected, optimistic)',
    ]);
    expect((await backtestOf(FILLED)).faults).toEqual([]);
  });

  it('does not end as if that was a result', async () => {
    const throwing = `instances.0.strategy=${THROWING}`;
    const told = await backtest([recordingOf(FILLED)], ...SETTINGS, throwing, 'instances.0.params={}');
    expect(told.code).toBe(EXIT.internal);
    expect(told.text).toMatch(
      /^run bt-\w+: 0\.00, .*; not the figure of the strategy alone: a strategy was stopped\n/,
    );
    expect((await backtest([recordingOf(FILLED)], ...SETTINGS)).code).toBe(EXIT.clean);
  });

  it('names what refused a part of the orders, and how often: the rest of each stood', async () => {
    const result = await backtestOf(FILLED, 'instances.0.limits.maxPositionShares=5');
    const { refusals } = result;
    expect(figuresOf(result, 3001).inventory.highest).toBe(5);
    expect(refusals).toEqual([
      expect.stringMatching(
        /^orders refused by position-limit: [1-9]\d* \(pessimistic\), [1-9]\d* \(expected\), [1-9]\d* \(optimistic\)$/,
      ),
    ]);
    expect((await backtestOf(FILLED)).refusals).toEqual([]);
  });

  it('names configured markets that no recording shows', async () => {
    const { setup } = await backtestOf(
      [WINNER.book(0, BIDS, ASKS)],
      'backtest.markets=configured',
      'events.0.markets=[{ id: 3001 }, { id: 3002 }]',
    );
    expect(setup.notes).toContain('market 3002 is in no recording and was not traded');
  });

  it('says that nobody traded where no trade is recorded, and what the figures rest on', async () => {
    const { setup, scope } = await backtestOf([WINNER.book(0, BIDS, ASKS), WINNER.book(60_000, BIDS, ASKS)]);
    expect(setup.notes).toEqual([
      'no trades are recorded: resting orders fill only where a level of the book crosses them',
    ]);
    expect(scope).toMatchObject({ seconds: 60, markets: 1, trades: 0, currency: 'OOM' });
  });
});

describe('the check of a configuration', () => {
  it('takes one that only backtests', async () => {
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await checkConfiguration(join(ROOT, 'config/backtest.yaml'))).toBe(0);
    expect(print.mock.calls.join('')).toMatch(/valid; .*\n {2}for backtest and sweep alone/);
    print.mockRestore();
  });
});
