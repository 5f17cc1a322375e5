import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSweep } from '../../src/runs/sweep/run-sweep.js';
import { planSweep } from '../../src/runs/sweep/plan.js';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { MergedRecordings } from '../../src/runs/backtest/merged-recordings.js';
import type { EngineView } from '../../src/core/engine/observing/view.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { BlockBudget, openRecording } from '../../src/storage/index.js';
import { recordedSession } from '../support/tape/recorded-session.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { BEGIN, linesOfMarket, recordingOf } from '../support/tape/neutral-lines.js';
import { ROOT } from '../support/project/small-house.js';

const NO_FAULTS = { seed: 1, rules: [] };

const stateDir = mkdtempSync(join(tmpdir(), 'oddsmith-'));
const tape = join(stateDir, 'runs', 'tested-later');

beforeAll(async () => {
  const isEnough = ({ counts }: EngineView) => counts.fills >= 8;
  await recordedSession({ stateDir, runId: 'tested-later', faults: NO_FAULTS, isEnough });
}, 120_000);

afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

function settingsOn(tape: string, ...overrides: readonly string[]) {
  return loadBotSettings(join(ROOT, 'config/backtest.yaml'), {}, [
    `backtest.recordings=["${tape}"]`,
    'backtest.markets=recorded',
    'backtest.depth=null',
    ...overrides,
  ]);
}

describe('the tape of a run as input of a backtest', { timeout: 120_000 }, () => {
  it('is traded on, without what its own bot did', async () => {
    const { setup, scenarios } = await runBacktest(settingsOn(tape));
    expect(setup.settings.events.flatMap((event) => event.markets.map(({ title }) => title))).toContain(
      'Corby',
    );
    expect(setup.notes.join('\n')).toMatch(
      /own shares were subtracted from \d+ books\n.*: \d+ trades are inferred from books and turnover/,
    );
    expect(scenarios.map(({ outcome }) => outcome)).toEqual(['clean', 'clean', 'clean']);
    expect(scenarios[2]!.fills).toBeGreaterThan(0);
  });

  it('shows no trades but recorded ones where that is asked for', async () => {
    const { scenarios } = await runBacktest(settingsOn(tape, 'backtest.trades.model=recorded'));
    expect(scenarios[0]!.fills).toBe(0);
  });

  it('is swept over what is believed of trades, decoded once for each belief', async () => {
    const overrides = [
      `backtest.recordings=["${tape}"]`,
      'backtest.markets=recorded',
      'backtest.depth=null',
      'sweep.windows=2',
      'sweep.parameters={ backtest.trades.model: [recorded, inferred] }',
    ];
    const inputs = { file: join(ROOT, 'config/sweep.yaml'), environment: {}, overrides };
    const { jobs, baseJobs, traded } = await planSweep(inputs);
    const places = [...jobs, baseJobs].map((own) => own.map(({ piece }) => piece));
    expect(places).toEqual([
      [2, 3],
      [0, 1],
      [0, 1],
    ]);
    expect(traded[2]!.rows + traded[3]!.rows).toBeLessThan(traded[0]!.rows + traded[1]!.rows);
    const { result } = await runSweep({ ...inputs, out: scratchFolder() });
    expect(result.candidates.map(({ values }) => values)).toEqual([['recorded'], ['inferred']]);
  });

  it('is merged in time order with a recording of another event', async () => {
    const own = await openRecording(tape, { trades: 'inferred' });
    const { book } = linesOfMarket(3001);
    const times = [0, 1_000, 2_000].map((later) => Math.floor(own.firstAt / 1_000) - BEGIN + later);
    const rain = await openRecording(recordingOf(times.map((t) => book(t, [[0.5, 10]], [[0.6, 10]]))));
    const markets = [...own.markets, ...rain.markets].map((market, slot) => ({ ...market, slot }));
    const merged = new MergedRecordings([own, rain], markets);
    let rows = 0;
    let latest = 0;
    for await (const {
      rows: { block },
      from,
      to,
    } of merged.ranges()) {
      for (let row = from; row < to; row++) {
        expect(block.at[row]).toBeGreaterThanOrEqual(latest);
        latest = block.at[row]!;
      }
      rows += to - from;
    }
    expect(rows).toBe(own.rows + rain.rows);
  });

  it('is the same tape for the same bytes', async () => {
    const [one, again] = [
      await openRecording(tape),
      await openRecording(tape, { budget: new BlockBudget(0) }),
    ];
    expect(again.sha256).toBe(one.sha256);
    expect(again.shared.kept).toBeNull();
    let rows = 0;
    for await (const block of again.blocks()) rows += block.rows;
    expect(rows).toBe(one.rows);
  });
});
