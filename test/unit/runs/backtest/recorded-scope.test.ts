import { describe, expect, it } from 'vitest';
import { recordedScope, scopeNotes } from '../../../../src/runs/backtest/recorded-events.js';
import type { RecordingSource } from '../../../../src/storage/index.js';

const SETTINGS = { events: [{ markets: [{ id: 11 }, { id: 12 }] }], currency: 'OOM' } as never;

/** A recording of markets from one second to another. */
const recording = (trades: number, firstAt: number, lastAt: number, ...markets: readonly number[]) =>
  ({
    markets: markets.map((marketId) => ({
      marketId,
      books: 100,
      trades,
      firstAt: firstAt * 1e6,
      lastAt: lastAt * 1e6,
    })),
  }) as unknown as Pick<RecordingSource, 'markets'>;

describe('what a backtest had to go by', () => {
  it('is what is recorded of the markets that are traded, a market in two files being one', () => {
    const recordings = [recording(3, 10, 20, 11, 12, 99), recording(4, 30, 90, 11)];
    expect(recordedScope(SETTINGS, recordings, undefined)).toEqual({
      seconds: 70,
      markets: 2,
      books: 300,
      trades: 10,
      currency: 'OOM',
      quoted: null,
    });
  });

  it('is told in a sentence where nobody traded, and where none of the markets is recorded it is not', () => {
    expect(scopeNotes(SETTINGS, [recording(0, 1, 2, 11)])).toEqual([
      'no trades are recorded: resting orders fill only where a level of the book crosses them',
    ]);
    expect(scopeNotes(SETTINGS, [recording(0, 1, 2, 11), recording(1, 3, 4, 12)])).toEqual([]);
    expect(scopeNotes(SETTINGS, [recording(0, 1, 2, 99)])).toEqual([]);
  });
});
