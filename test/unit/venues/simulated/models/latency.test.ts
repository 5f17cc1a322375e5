import { describe, expect, it } from 'vitest';
import { sampledLatency } from '../../../../../src/venues/simulated/models/latency.js';
import { seededRandom } from '../../../../../src/storage/clocks/seeded-random.js';

const ways = { feed: [10], request: [1, 2, 9], response: [0, 100] } as const;

describe('latency', () => {
  it('is constant for a single quantile, in microseconds', () => {
    const latency = sampledLatency(ways, seededRandom(1));
    expect([latency.feed(), latency.feed()]).toEqual([10_000, 10_000]);
  });

  it('is drawn between the least and the most, half of it below the median', () => {
    const latency = sampledLatency(ways, seededRandom(1));
    const drawn = Array.from({ length: 4_000 }, () => latency.request());
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(9_000);
    const below = drawn.filter((micros) => micros < 2_000).length / drawn.length;
    expect(below).toBeGreaterThan(0.46);
    expect(below).toBeLessThan(0.54);
  });

  it('has draws of its own for each way', () => {
    const busy = sampledLatency(ways, seededRandom(1));
    const calm = sampledLatency(ways, seededRandom(1));
    for (let count = 0; count < 10; count++) busy.request();
    expect(busy.response()).toBe(calm.response());
  });

  it.each([[[]], [[-1, 2]], [[3, 2]]])('refuses quantiles %j', (request) => {
    expect(() => sampledLatency({ ...ways, request }, seededRandom(1))).toThrow(RangeError);
  });
});
