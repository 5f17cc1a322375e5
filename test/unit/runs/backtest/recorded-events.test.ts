import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gridNotes, unnoted, withRecordedEvents } from '../../../../src/runs/backtest/recorded-events.js';
import { notesBeside } from '../../../../src/runs/backtest/recording-notes.js';
import { loadBotSettings } from '../../../../src/settings/index.js';
import { openRecording } from '../../../../src/storage/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
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

describe('a recording that markets.json beside it does not name', () => {
  const saidOf = async (notes: readonly object[] | null) => {
    const { book } = linesOfMarket(3001);
    const file = recordingOf([book(0, [[0.5, 1]], [[0.9, 1]])]);
    if (notes !== null) writeFileSync(join(dirname(file), 'markets.json'), JSON.stringify(notes));
    return unnoted([await openRecording(file)]);
  };

  it('is told of, as is an entry that cannot be read', async () => {
    expect(await saidOf(null)).toEqual([]);
    expect(await saidOf([{ market: 3001, file: 'recording.ndjson' }])).toEqual([]);
    const renamed = await saidOf([{ market: 3001, file: 'before.ndjson' }]);
    expect(renamed).toEqual([
      'recording.ndjson: markets.json beside it has no entry with this file name for market 3001, so tick, times and exclusivity are not known; was the file renamed?',
    ]);
    expect(await saidOf([{ market: 3001, file: 'recording.ndjson', tick: -1 }])).toEqual(renamed);
  });
});

it('notes that changed are read again', () => {
  const folder = scratchFolder();
  const list = join(folder, 'markets.json');
  const titleOf = (title: string) => {
    writeFileSync(
      list,
      JSON.stringify([
        { market: 1, file: 'a.ndjson', title },
        { market: 2, file: 'b.ndjson' },
      ]),
    );
    return [...notesBeside(join(folder, 'a.ndjson'))].map(([id, note]) => [id, note.title]);
  };
  expect(titleOf('Rain')).toEqual([['1', 'Rain']]);
  expect(titleOf('Sunshine')).toEqual([['1', 'Sunshine']]);
});
