import { expect, it } from 'vitest';
import { axisTicks } from '../../../src/report/page/format.js';

/** Of the lowest picture, without its time axis. */
const LOWEST = 106;

it('every axis has two values at least, with room for their texts', () => {
  for (let top = 1; top < 2_000; top += 7)
    for (const bottom of [0, -0.08 * top, -top, -0.3 * top]) {
      const ticks = axisTicks(bottom, top, LOWEST);
      expect(ticks.length, `${bottom} to ${top}`).toBeGreaterThanOrEqual(2);
      const apart = ((ticks[1]! - ticks[0]!) / (top - bottom)) * LOWEST;
      expect(apart, `${bottom} to ${top}`).toBeGreaterThanOrEqual(14);
    }
});

it('an inventory between 80 short and 95 long has its size beside it', () => {
  expect(axisTicks(-94, 109, LOWEST)).toEqual([-50, 0, 50, 100]);
});

it('a high picture has more of them', () => {
  expect(axisTicks(0.4, 0.6, 316)).toHaveLength(11);
});
