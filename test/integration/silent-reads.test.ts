/** Reads that can only repeat what was read last are left out of a backtest, and no order differs by that. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { setupOf } from '../../src/runs/backtest/backtest-setup.js';
import { MergedRecordings } from '../../src/runs/backtest/merged-recordings.js';
import { openScenario } from '../../src/runs/backtest/scenario-session.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { openRecording } from '../../src/storage/index.js';
import { seededRandom } from '../../src/storage/clocks/seeded-random.js';
import { ROOT } from '../support/project/small-house.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

const ROWS = 120;
const LONGEST_SILENCE_MS = 900_000;

/** Bursts of books and trades around a wandering price, with silences of up to a quarter of an hour between them. */
function recordingOf(seed: number): string {
  const random = seededRandom(seed);
  const place = { event: 300, market: 3001 };
  let at = Date.UTC(2026, 0, 1);
  let cents = 50;
  const lines: object[] = [{ t: at, type: 'status', ...place, status: 'open', resolution: null }];
  for (let row = 0; row < ROWS; row++) {
    at += random.below(4) === 0 ? 1 + random.below(LONGEST_SILENCE_MS) : 1 + random.below(400);
    cents = Math.min(80, Math.max(20, cents + random.below(5) - 2));
    const side = (step: number) =>
      [1, 2, 3].map((level) => [(cents + step * level) / 100, 10 + random.below(90)] as const);
    if (random.below(3) === 0) {
      const taker_side = random.below(2) === 0 ? 'bid' : 'ask';
      const price = (cents + (taker_side === 'bid' ? 4 : -4)) / 100;
      lines.push({ t: at, type: 'trade', ...place, price, shares: 1 + random.below(40), taker_side });
    }
    lines.push({ t: at, type: 'book', ...place, bid: side(-1), ask: side(1) });
  }
  lines.push({ t: at + 1_000, type: 'status', ...place, status: 'resolved', resolution: 'long' });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

interface Lived {
  readonly orders: readonly string[];
  readonly inputs: number;
}

async function ordersOf(file: string, silentReads: 'left out' | 'lived'): Promise<Lived> {
  const orders: string[] = [];
  const observer = {
    decided: (line: string) => {
      const { kind, deadline, request } = JSON.parse(line) as Record<string, unknown>;
      if (!(kind as string).startsWith('read-')) orders.push(JSON.stringify({ deadline, request }));
    },
  };
  const { settings, source } = loadBotSettings(join(ROOT, 'config', 'backtest.yaml'), {}, []);
  const recording = await openRecording(file);
  const setup = setupOf(settings, settings.backtest!, [recording]);
  const scenario = await openScenario(setup, source, 'expected', 'test', () => ({ observer }), silentReads);
  for await (const range of new MergedRecordings([recording], setup.markets).ranges())
    Array.from(scenario.take(range));
  return { orders, inputs: scenario.finish().inputs };
}

it.each([1, 2, 3])('orders are the same with reads in silences and without them: seed %i', async (seed) => {
  const file = join(scratchFolder(), 'quiet.ndjson');
  writeFileSync(file, recordingOf(seed));
  const [lived, leftOut] = [await ordersOf(file, 'lived'), await ordersOf(file, 'left out')];
  expect(lived.orders.length).toBeGreaterThan(20);
  expect(leftOut.orders).toEqual(lived.orders);
  expect(leftOut.inputs).toBeLessThan(0.8 * lived.inputs);
});
