import { describe, expect, it } from 'vitest';
import { nearest } from '../../../src/domain/nearest.js';

const KEYS = ['halfSpread', 'levels', 'levelGap', 'shares', 'maxInventory'];

describe('the nearest known word', () => {
  it.each([
    ['halfSpred', 'halfSpread'],
    ['halfspread', 'halfSpread'],
    ['half-spread', 'halfSpread'],
    ['lveels', 'levels'],
    ['leves', 'levels'],
    ['levelgap', 'levelGap'],
    ['share', 'shares'],
    ['maxInvetnory', 'maxInventory'],
  ])('for %s is %s', (word, meant) => {
    expect(nearest(word, KEYS)).toBe(meant);
  });

  it.each(['', 'spread', 'x', 'gamma', 'delay'])('is none for %j', (word) => {
    expect(nearest(word, KEYS)).toBeNull();
  });

  it('is the closest of several close ones, the first of equals', () => {
    expect(nearest('levelGaps', KEYS)).toBe('levelGap');
    expect(nearest('cat', ['bat', 'cut'])).toBe('bat');
  });
});
