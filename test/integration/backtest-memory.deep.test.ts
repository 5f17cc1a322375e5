import { join } from 'node:path';
import { queryObjects } from 'node:v8';
import { expect, it } from 'vitest';
import { ScenarioSession } from '../../src/runs/backtest/scenario-session.js';
import { setupOf } from '../../src/runs/backtest/backtest-setup.js';
import { MergedRecordings } from '../../src/runs/backtest/merged-recordings.js';
import type { Micros } from '../../src/domain/units.js';
import { loadBotSettings } from '../../src/settings/index.js';
import {
  openRecording,
  type RecordingSource,
  recordingWindows,
  type TapeBlock,
} from '../../src/storage/index.js';
import { ROOT } from '../support/project/small-house.js';

const CONFIG = join(ROOT, 'config', 'backtest.yaml');
const RECORDING = join(ROOT, 'config', 'recordings', 'synthetic-rain.ndjson.gz');
const SECOND = 1_000_000;
/** How often the recording follows itself, and from when on nothing may pile up any more. */
const TIMES = 4;
const SETTLED = 2;

/** What others do before the end of the recording, again and again, made as it is asked for. */
async function endless(): Promise<RecordingSource> {
  const whole = await openRecording(RECORDING);
  const span = { from: whole.firstAt, to: whole.lastAt - 60 * SECOND };
  const once = (await recordingWindows(whole, [span]))[0]!;
  const length = once.lastAt - once.firstAt + SECOND;
  const later = (block: TapeBlock, by: number): TapeBlock => ({
    ...block,
    at: block.at.map((at) => at + by),
  });
  return {
    ...once,
    rows: once.rows * TIMES,
    lastAt: (once.firstAt + TIMES * length) as Micros,
    *blocks() {
      for (let turn = 0; turn < TIMES; turn++)
        for (const block of once.blocks() as Iterable<TapeBlock>) yield later(block, turn * length);
    },
  };
}

it('a backtest holds no more objects however long the tape is', async () => {
  const recording = await endless();
  const { settings, source } = loadBotSettings(CONFIG, {});
  const setup = setupOf(settings, settings.backtest!, [recording]);
  const task = {
    scenario: 'expected',
    runId: 'long',
    analyse: true,
    decisionsFile: null,
    fillsFile: null,
  } as const;
  const session = await ScenarioSession.open(task, setup, source);
  const held: number[] = [];
  let rows = 0;
  for await (const range of new MergedRecordings([recording], setup.markets).ranges()) {
    await session.take(range, () => undefined);
    rows += range.to - range.from;
    if (rows % (recording.rows / TIMES) === 0) held.push(queryObjects(Object, { format: 'count' }));
  }
  const { totals } = await session.finish();
  expect(totals.fills).toBeGreaterThan(10 * TIMES);
  expect(held).toHaveLength(TIMES);
  const [settled, last] = [held[SETTLED - 1]!, held.at(-1)!];
  expect(last - settled).toBeLessThan(recording.rows / TIMES / 100);
}, 300_000);
