import { describe, expect, it } from 'vitest';
import type { Micros } from '../../../src/domain/units.js';
import { forFixture } from '../../../src/tape/own/fixture.js';
import { type TapeLine, type TapeRecord, unplaced } from '../../../src/tape/own/records.js';

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

describe('a line on another tape', () => {
  it('leaves its place on the first one behind', () => {
    const line = { sum: '90d80fea', n: 3, at: 1 as Micros, mono: 2, ...COMMENT } as TapeLine;
    expect(unplaced(line)).toEqual(COMMENT);
  });
});
