import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gridNotes, withRecordedEvents } from '../../../../src/runs/backtest/recorded-events.js';
import { loadBotSettings } from '../../../../src/settings/index.js';
import { openRecording } from '../../../../src/storage/index.js';
import { linesOfMarket, recordingOf } from '../../../support/tape/neutral-lines.js';
import { ROOT } from '../../../support/project/small-house.js';

/** One book at the given bid, with a note beside it that states a grid. @returns grid of its market, and what is said */
async function gridOf(bid: number, tick: number) {
  const file = recordingOf([linesOfMarket(3001).book(0, [[bid, 1]], [[0.9, 1]])]);
  writeFileSync(
    join(dirname(file), 'markets.json'),
    JSON.stringify([{ event: 300, market: 3001, file: 'recording.ndjson', tick }]),
  );
  const recordings = [await openRecording(file)];
  const { settings } = loadBotSettings(join(ROOT, 'config/backtest.yaml'), {});
  const { events } = withRecordedEvents(settings, recordings);
  return { tickSize: events[0]!.markets[0]!.tickSize, notes: gridNotes(recordings) };
}

describe('the grid of a recorded market', () => {
  it('is the one that is noted, where the prices lie on it', async () => {
    expect(await gridOf(0.5, 0.01)).toEqual({ tickSize: 100, notes: [] });
    expect(await gridOf(0.5, 0.001)).toEqual({ tickSize: 10, notes: [] });
  });

  it('is that of the prices, and said, where they contradict the note', async () => {
    const { tickSize, notes } = await gridOf(0.505, 0.01);
    expect(tickSize).toBe(10);
    expect(notes).toEqual([
      'recording.ndjson: prices of market 3001 lie on a grid of 0.001, which is taken; markets.json says 0.01',
    ]);
  });
});
