import { describe, expect, it } from 'vitest';
import type { StopFigures } from '../../../../src/analytics/guard-stops.js';
import { failuresOf, type ScenarioCourse, stopRulesOf } from '../../../../src/runs/sweep/failures.js';

const CLEAN: ScenarioCourse = { outcome: 'clean', stops: [], strategyFaults: [] };
const FAULT = 'strategy instance rain was stopped: boom';

const stopBy = (rule: string): StopFigures => ({
  rule,
  scope: 'all',
  id: null,
  text: `why ${rule}`,
  times: 1,
  firstAt: 1,
  lastAt: 1,
});

describe('a failure of a configuration', () => {
  it('is a strategy that was stopped, a venue that let it trade no more, and an end that was not clean', () => {
    const course: ScenarioCourse = {
      outcome: 'orders-may-remain',
      stops: [stopBy('venue-refusal')],
      strategyFaults: [FAULT],
    };
    expect(failuresOf(course)).toEqual([
      FAULT,
      'stopped by venue-refusal: why venue-refusal',
      'the run did not end clean: orders-may-remain',
    ]);
    expect(stopRulesOf(course)).toEqual(['venue-refusal', 'strategy-fault', 'orders-may-remain']);
  });

  it('is none of the limits of its file, which are told all the same', () => {
    const rules = ['loss-limit', 'drawdown-limit', 'taking-limit', 'fill-breaker', 'mark-out-stopped'];
    const course = { ...CLEAN, stops: rules.map(stopBy) };
    expect(failuresOf(course)).toEqual([]);
    expect(stopRulesOf(course)).toEqual(rules);
    expect(stopRulesOf(CLEAN)).toEqual([]);
  });
});
