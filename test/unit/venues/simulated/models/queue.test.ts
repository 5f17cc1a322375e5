import { describe, expect, it } from 'vitest';
import {
  type QueueModel,
  aheadAfter,
  front,
  log,
  power,
  riskAverse,
} from '../../../../../src/venues/simulated/models/queue.js';

/** The published walk: an order behind 100 of 100, then what its level's recording says. */
const WALK = [
  { level: 140 },
  { level: 110 },
  { trade: 20 },
  { level: 80 },
  { level: 50 },
  { trade: 30 },
  { level: 15 },
];

function walk(model: QueueModel): number[] {
  let ahead = model.join(100);
  let before = 100;
  let traded = 0;
  return WALK.map(({ level, trade }) => {
    if (trade !== undefined) {
      ahead = Math.max(0, ahead - trade);
      traded += trade;
    } else {
      ahead = aheadAfter(model, ahead, { before, after: level, traded });
      before = level;
      traded = 0;
    }
    return ahead;
  });
}

describe('queue models on the published walk', () => {
  it('risk-averse: a decrease is behind until the level is smaller than what is in front', () => {
    expect(walk(riskAverse)).toEqual([100, 100, 80, 80, 50, 20, 15]);
  });

  it('power of one: a decrease not explained by trades is split in proportion', () => {
    const published = [100, 78.571429, 58.571429, 53.246753, 33.279221, 3.279221, 2.951299];
    for (const [at, ahead] of walk(power(1)).entries()) expect(ahead).toBeCloseTo(published[at]!, 6);
  });

  it('front: nobody is ahead at any time', () => {
    expect(walk(front)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('queue models', () => {
  const models = { riskAverse, linear: power(1), cubic: power(3), log };

  it.each(Object.entries(models))('%s: an order that joins stands behind the whole level', (_, model) => {
    expect(model.join(70)).toBe(70);
  });

  it.each(Object.entries(models))('%s: neither part loses more than it has', (_, model) => {
    for (let ahead = 0; ahead <= 100; ahead += 10) {
      for (let decrease = 10; decrease <= 100; decrease += 10) {
        const left = aheadAfter(model, ahead, { before: 100, after: 100 - decrease, traded: 0 });
        expect(left).toBeGreaterThanOrEqual(Math.max(0, ahead - decrease));
        expect(left).toBeLessThanOrEqual(Math.min(ahead, 100 - decrease));
      }
    }
  });

  it('a higher power lets the larger side lose more', () => {
    expect(power(3).decrease(80, 100, 10)).toBeLessThan(power(1).decrease(80, 100, 10));
    expect(power(3).decrease(20, 100, 10)).toBeGreaterThan(power(1).decrease(20, 100, 10));
  });

  it('log splits nearly evenly while both sides are large', () => {
    expect(log.decrease(8_000_000, 10_000_000, 1000)).toBeCloseTo(8_000_000 - 500, -2);
  });

  it('a power that is not positive is refused', () => {
    expect(() => power(0)).toThrow(RangeError);
  });
});
