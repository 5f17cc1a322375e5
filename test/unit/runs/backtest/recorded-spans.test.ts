import { describe, expect, it } from 'vitest';
import { spansOf } from '../../../../src/runs/backtest/recorded-events.js';
import type { RecordingSource } from '../../../../src/storage/index.js';

/** Each of its events ends at its number. */
const recording = (name: string, ...events: number[]) =>
  ({
    name,
    markets: events.map((event) => ({ eventId: String(event), lastAt: event })),
  }) as unknown as RecordingSource;

describe('what an event is about', () => {
  const aboutOf = (...recordings: RecordingSource[]) =>
    [...spansOf(recordings)].map(([event, { underlying }]) => [event, underlying]);

  it('is the folder of its recording, in however many folders recordings lie', () => {
    const found = aboutOf(
      recording('/data/gold/08-00.ndjson.gz', 1),
      recording('/data/gold/08-15.ndjson.gz', 2),
      recording('/data/racing/win.ndjson.gz', 3, 4),
    );
    expect(found).toEqual([
      ['1', 'gold'],
      ['2', 'gold'],
      ['3', 'racing'],
      ['4', 'racing'],
    ]);
  });

  it('is its folder for the events of a single recording, too', () => {
    expect(aboutOf(recording('/data/gold/08-00.ndjson.gz', 1, 2))).toEqual([
      ['1', 'gold'],
      ['2', 'gold'],
    ]);
  });
});

describe('until when an event is recorded', () => {
  it('is the end of its last market in any recording, not of the recording', () => {
    const markets = [
      { eventId: '1', lastAt: 50 },
      { eventId: '1', lastAt: 70 },
      { eventId: '2', lastAt: 900 },
    ];
    const long = { name: '/data/gold/a.ndjson.gz', markets } as unknown as RecordingSource;
    const found = spansOf([long, recording('/data/gold/b.ndjson.gz', 1)]);
    expect([...found].map(([event, { until }]) => [event, until])).toEqual([
      ['1', 70],
      ['2', 900],
    ]);
  });
});
