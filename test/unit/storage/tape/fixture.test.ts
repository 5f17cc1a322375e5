import { describe, expect, it } from 'vitest';
import { orderId } from '../../../../src/domain/ids.js';
import type { Micros } from '../../../../src/domain/units.js';
import type { JournalRecord } from '../../../../src/core/ports/journal.js';
import { forFixture } from '../../../../src/storage/tape/cut.js';
import { type TapeLine, type TapeRecord, unplaced } from '../../../../src/storage/tape/records.js';

const COMMENT = {
  kind: 'frame',
  venueAt: null,
  event: 'market-comment',
  channel: 'event-873',
  payload: {
    id: 5,
    text: 'to the moon',
    user: {
      id: 7351,
      username: 'ann',
      picture: 'https://pictures.example/7351',
      wagers_count: 2,
      badges: [3],
    },
  },
} as unknown as TapeRecord;

describe('a fixture', () => {
  it('keeps of who commented nothing but the types', () => {
    expect(forFixture(COMMENT)).toMatchObject({
      payload: {
        id: 5,
        text: '',
        user: { id: 0, username: '', picture: '', wagers_count: 0, badges: [0] },
      },
    });
  });
});

describe('a fixture of a run with a strategy of its own', () => {
  it('names its file without the folders, however the configuration named it', () => {
    const own = { instance: 'mine', sha256: 'c0ffee', file: 'ann/secret/rain.ts' };
    const bundled = {
      instance: 'other',
      sha256: 'c0ffee',
      file: 'dist/fixed-spread.js',
      strategy: 'fixed-spread',
    };
    for (const strategy of ['../secret/rain.ts', 'ann/secret/rain.ts', './rain.ts']) {
      const head = { kind: 'head', strategies: [{ ...own, strategy }, bundled] };
      expect(forFixture(head as unknown as TapeRecord)).toMatchObject({
        strategies: [
          { ...own, strategy: 'rain.ts', file: 'rain.ts' },
          { ...bundled, file: 'fixed-spread.js' },
        ],
      });
    }
  });
});

describe('a fixture of a run that took over what earlier ones left', () => {
  it('names none of them, and keeps the requests and orders that are open', () => {
    const order = { kind: 'own-orders', orderIds: [orderId(3)] } as const;
    const request = { kind: 'cancel-orders', orderIds: [orderId(3)] } as const;
    const asked = { kind: 'request', requestId: 4, at: 5 as Micros, request, body: '{}' } as const;
    const recovered: readonly JournalRecord[] = [
      { kind: 'run', runId: '20261120-144926-3b9473', at: 1 as Micros, configHash: 'c0ffee' },
      { ...asked, key: '20261120-144926-3b9473-4' },
      { ...asked, requestId: 6, key: null },
      order,
    ];
    const start = { kind: 'start', engine: { runId: '20261121-090000-aaaaaa', recovered } };
    const kept = forFixture(start as unknown as TapeRecord);
    expect(kept).toMatchObject({
      engine: {
        runId: 'fixture',
        recovered: [
          { kind: 'run', runId: 'fixture', at: 1, configHash: '' },
          { ...asked, key: 'fixture-4' },
          { ...asked, requestId: 6, key: null },
          order,
        ],
      },
    });
    expect(JSON.stringify(kept)).not.toMatch(/2026112|c0ffee/);
  });
});

describe('a line on another tape', () => {
  it('leaves its place on the first one behind', () => {
    const line = { sum: '90d80fea', n: 3, at: 1 as Micros, mono: 2, ...COMMENT } as TapeLine;
    expect(unplaced(line)).toEqual(COMMENT);
  });
});
