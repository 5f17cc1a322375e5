import { join } from 'node:path';
import { queryObjects } from 'node:v8';
import { expect, it } from 'vitest';
import { planSweep } from '../../src/runs/sweep/plan.js';
import { linesOfMarket, recordingOf } from '../support/tape/neutral-lines.js';
import { ROOT } from '../support/project/small-house.js';

const { book } = linesOfMarket(3001);
const ROWS = 10_000;
const MOST = 1_000_000;

const lasting = (rows: number): string =>
  recordingOf(
    Array.from({ length: rows }, (_, at) => book(at * 1_000, [[0.48, 100 + at]], [[0.6, 100]])),
    `${rows}.ndjson`,
  );

/** The most columns of decoded blocks that a sweep holds at a time, while its pieces are read as its jobs do. */
async function columnsHeld(rows: number, keptMost: number): Promise<number> {
  const { traded } = await planSweep({
    file: join(ROOT, 'config', 'sweep.yaml'),
    environment: {},
    overrides: [`backtest.recordings=["${lasting(rows)}"]`],
    keptMost,
  });
  let [read, most] = [0, 0];
  for (const { recordings } of traded)
    for (const recording of recordings)
      for await (const block of recording.blocks()) {
        read += block.rows;
        if (block.at.at(-1) !== recording.lastAt) continue;
        most = Math.max(most, queryObjects(SharedArrayBuffer, { format: 'count' }));
      }
  expect(read).toBeGreaterThanOrEqual(rows);
  return most;
}

it(
  'a sweep holds no more of a recording however long it is, unless it may',
  { timeout: 300_000 },
  async () => {
    const short = await columnsHeld(ROWS, MOST);
    expect(await columnsHeld(4 * ROWS, MOST)).toBeLessThanOrEqual(short);
    expect(await columnsHeld(4 * ROWS, Infinity)).toBeGreaterThan(2 * short);
  },
);
