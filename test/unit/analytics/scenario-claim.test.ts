import { describe, expect, it } from 'vitest';
import {
  judgePairs,
  type RunComparison,
  claimOf,
  type ScenarioComparison,
} from '../../../src/analytics/comparison.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';

/** Two runs that differ by about so much in each event. */
function shown(scenario: string, difference: number, events = 40): ScenarioComparison {
  const chance = seededRandom(7);
  const pairs = Array.from({ length: events }, (_, at) => ({
    eventId: String(at),
    title: '',
    cluster: String(at),
    base: 0,
    other: difference + chance.uniform() - 0.5,
  }));
  const judgement = judgePairs(pairs, { random: seededRandom(1), tried: 2 });
  const comparison: RunComparison = {
    base: 'one',
    other: 'two',
    currency: 'OOM',
    pairs,
    notes: [`of ${scenario}`],
    ...judgement,
  };
  return { scenario, comparison };
}

describe('claimOf', () => {
  it('claims what all scenarios show, with the figures of the one in which the runs are nearest', () => {
    const far = shown('pessimistic', 5);
    const near = shown('expected', 2);
    const claim = claimOf([far, near]);
    expect(claim.verdict).toBe('other is better');
    expect(claim.meanDifference).toBe(near.comparison.meanDifference);
    expect(claim.interval).toEqual(near.comparison.interval);
    expect(claim.notes).toEqual([
      'compared in the expected scenario, where the two are nearest',
      'of expected',
    ]);
  });

  it('claims the weakest verdict, however near the runs are in another scenario', () => {
    const wide = shown('pessimistic', 0.01);
    const loud = { ...wide.comparison, meanDifference: 9 };
    const claim = claimOf([{ ...wide, comparison: loud }, shown('expected', 1), shown('optimistic', 2)]);
    expect(claim.verdict).toBe('no difference shown');
    expect(claim.meanDifference).toBe(9);
    expect(claim.notes[0]).toBe(
      'compared in the pessimistic scenario, which claims the least: no difference shown in pessimistic; other is better in expected, optimistic',
    );
  });

  it('claims nothing where one scenario shows the other better and one worse, and names both', () => {
    const claim = claimOf([shown('pessimistic', -1), shown('expected', 0), shown('optimistic', 2)]);
    expect(claim.verdict).toBe('no conclusion');
    expect(claim.interval).toBeNull();
    expect(claim.text).toBe(
      'no conclusion: the scenarios contradict each other, other is worse in pessimistic; no difference shown in expected; other is better in optimistic; 40 independent events (days and underlyings), 2 configurations tried',
    );
    expect(claim.notes).toEqual([
      'the figures are of the expected scenario, where the two are nearest',
      'of expected',
    ]);
  });

  it('has no conclusion where one scenario has none', () => {
    const claim = claimOf([shown('pessimistic', 3, 29), shown('expected', 1)]);
    expect(claim.verdict).toBe('no conclusion');
    expect(claim.text).toContain('29 independent events');
  });

  it('does not take a scenario in which no event is shared for one in which the runs are equal', () => {
    const none = shown('pessimistic', 0, 0);
    const claim = claimOf([none, shown('expected', 1)]);
    expect([claim.verdict, claim.pairs.length]).toEqual(['other is better', 40]);
    expect(claim.notes).toEqual([
      'compared in the expected scenario, where the two are nearest',
      'of expected',
      'the two share no event in the pessimistic scenario',
    ]);
    expect(claimOf([none, none])).toBe(none.comparison);
  });

  it('says nothing of scenarios of live runs', () => {
    expect(claimOf([shown('live', 1)]).notes).toEqual(['of live']);
  });
});
