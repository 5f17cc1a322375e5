import { describe, expect, it } from 'vitest';
import { fitPower, POWERS, type QueueProofs } from '../../../../src/runs/shadow/queue-fit.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';

/** Orders whose distance is least at an exponent each. */
const proofs = (best: readonly number[]): readonly QueueProofs[] =>
  best.map((power) => ({
    joined: 100,
    observations: 1,
    distance: Float64Array.from(POWERS, (one) => 100 * Math.abs(Math.log(one / power))),
    excess: new Float64Array(POWERS.length),
  }));

const fit = (best: readonly number[]) => fitPower(proofs(best), 0, seededRandom(1));

describe('the exponent of the power queue', () => {
  it('is the one nearest to what trades proved', () => {
    const figures = fit(Array.from({ length: 40 }, () => 2));
    expect(figures).toMatchObject({ power: 2, isEdge: false });
    expect(figures!.errorOfLog).toBeCloseTo(0, 12);
    expect(figures!.low).toBeCloseTo(2, 12);
  });

  it('is the less sure the more orders disagree', () => {
    const sure = fit(Array.from({ length: 40 }, (_, at) => (at % 8 === 0 ? 4 : 2)));
    const unsure = fit(Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 4 : 1)));
    expect(unsure!.errorOfLog).toBeGreaterThan(sure!.errorOfLog);
    expect(unsure!.low).toBeLessThanOrEqual(unsure!.power);
    expect(unsure!.high).toBeGreaterThanOrEqual(unsure!.power);
  });

  it('says when it may lie beyond what was tried', () => {
    expect(fit(Array.from({ length: 20 }, () => 100))).toMatchObject({ isEdge: true });
  });

  it('is unknown from few orders, or when none tells one from another', () => {
    expect(fit([1, 2, 4])).toBeNull();
    const flat = proofs(Array.from({ length: 20 }, () => 1)).map((one) => ({
      ...one,
      distance: new Float64Array(POWERS.length),
    }));
    expect(fitPower(flat, 0, seededRandom(1))).toBeNull();
  });
});
