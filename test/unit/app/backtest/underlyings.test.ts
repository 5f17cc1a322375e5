import { describe, expect, it } from 'vitest';
import { underlyingsOf } from '../../../../src/app/backtest/underlyings.js';
import type { RecordingSource } from '../../../../src/tape/index.js';

const recording = (name: string, ...events: number[]) =>
  ({ name, markets: events.map((eventId) => ({ eventId })) }) as unknown as RecordingSource;

describe('what events are about', () => {
  it('is the folder of their recording, in however many folders recordings lie', () => {
    const found = underlyingsOf([
      recording('/data/gold/08-00.ndjson.gz', 1),
      recording('/data/gold/08-15.ndjson.gz', 2),
      recording('/data/racing/win.ndjson.gz', 3, 4),
    ]);
    expect([...found]).toEqual([
      [1, 'gold'],
      [2, 'gold'],
      [3, 'racing'],
      [4, 'racing'],
    ]);
  });

  it('is not known of the events of a single recording', () => {
    expect([...underlyingsOf([recording('/data/gold/08-00.ndjson.gz', 1, 2)])]).toEqual([]);
  });
});
