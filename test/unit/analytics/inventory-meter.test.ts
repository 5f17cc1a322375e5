import { describe, expect, it } from 'vitest';
import { InventoryMeter } from '../../../src/analytics/quoting-meter.js';
import { shares } from '../../../src/domain/units.js';

const SECOND = 1_000_000;

describe('the half-life of an inventory', () => {
  it('is none of a single fill that is held to the end', () => {
    const meter = new InventoryMeter(0);
    meter.set(5 * SECOND, shares(1_000));
    expect(meter.figures(60 * SECOND)).toMatchObject({ last: 10, halfLifeSeconds: null });
  });

  it('is none of what only grows, in however many fills', () => {
    const meter = new InventoryMeter(0);
    for (let fill = 1; fill <= 20; fill++) meter.set(fill * 3 * SECOND, shares(fill * 100));
    expect(meter.figures(600 * SECOND).halfLifeSeconds).toBeNull();
  });

  it('is that of an inventory that comes and goes', () => {
    const meter = new InventoryMeter(0);
    for (let fill = 1; fill <= 20; fill++) meter.set(fill * 10 * SECOND, shares(fill % 2 === 0 ? 0 : 1_000));
    // Of ten seconds each: it stays nine times of ten, so phi is 0.8.
    expect(meter.figures(210 * SECOND).halfLifeSeconds).toBeCloseTo(-Math.LN2 / Math.log(0.8), 0);
  });
});
