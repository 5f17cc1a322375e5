import { describe, expect, it } from 'vitest';
import { type Quota, QUOTAS, runOverload } from '../support/overload/run.js';

const SEED = 20_260_101;

describe.each(Object.keys(QUOTAS) as Quota[])('with more quotes to move than the %s allows', (quota) => {
  const ours = runOverload(quota, 'scheduler', SEED);

  it('quotes lag at most 1.15 times as far behind as with greedy choices from perfect sight', () => {
    const best = runOverload(quota, 'clairvoyant', SEED);
    expect(ours.mispricing / best.mispricing).toBeLessThanOrEqual(1.15);
    expect(ours.requests).toBeLessThanOrEqual(best.requests + 1);
  });

  it('they lag at most twice as far behind as with knowledge of how fair values will move', () => {
    const best = runOverload(quota, 'foresight', SEED);
    expect(ours.mispricing / best.mispricing).toBeLessThanOrEqual(2);
  });

  it('they lag less than half as far as when each market is sent by itself', () => {
    const naive = runOverload(quota, 'naive', SEED);
    expect(ours.mispricing).toBeLessThan(naive.mispricing / 2);
  });

  it('no request is spent that moves no quote nearer', () => {
    expect(ours.requests).toBeGreaterThan(1_000);
    expect(ours.useless).toBe(0);
  });
});
