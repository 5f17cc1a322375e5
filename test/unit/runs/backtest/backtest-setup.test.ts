import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordedEvents } from '../../../../src/runs/backtest/recorded-events.js';
import { backtestId } from '../../../../src/runs/backtest/backtest-setup.js';
import { loadBotSettings } from '../../../../src/settings/index.js';
import { openRecording } from '../../../../src/storage/index.js';
import { linesOfMarket, recordingOf } from '../../../support/tape/neutral-lines.js';
import { ROOT } from '../../../support/project/small-house.js';

const { settings } = loadBotSettings(join(ROOT, 'config/backtest.yaml'), {});

/** A recording beside which this is noted; null: nothing. */
async function noted(note: object | null) {
  const file = recordingOf([linesOfMarket(3001).book(0, [[0.5, 1]], [])]);
  const notes = [{ market: 3001, file: 'recording.ndjson', ...note }];
  if (note !== null) writeFileSync(join(dirname(file), 'markets.json'), JSON.stringify(notes));
  return [await openRecording(file)];
}

describe('what determines a backtest', () => {
  it('is what is noted beside its recordings, too', async () => {
    const idOf = async (note: object | null) => backtestId(settings, [], await noted(note), null);
    const id = await idOf({ exclusive: true });
    expect(await idOf({ exclusive: true })).toBe(id);
    expect(await idOf({ exclusive: false })).not.toBe(id);
    expect(await idOf(null)).not.toBe(id);
  });

  it('is told of each event, so that other notes are another event to compare with', async () => {
    const notesOf = async (note: object | null) => [...recordedEvents(await noted(note)).values()][0]!.notes;
    expect(await notesOf(null)).toBeNull();
    expect(await notesOf({ exclusive: true })).not.toEqual(await notesOf({ exclusive: false }));
  });
});
