import { describe, expect, it } from 'vitest';
import type { StopFigures } from '../../../../src/analytics/guard-figures.js';
import { failuresOf, type ScenarioCourse, stopRulesOf, withoutKeys } from '../../../../src/runs/sweep/job.js';
import { allowanceOf } from '../../../../src/runs/live/engine-options.js';
import { type BotSettings, loadBotSettings } from '../../../../src/settings/index.js';

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

const VENUE = { rateLimit: { perMinute: 2_000, perDay: 1_000_000 } } as never;

const settingsWith = (keys: { publicKey: string | null; privateKey: string | null }): BotSettings => {
  const { settings } = loadBotSettings('config/local.yaml', { ODDSMITH_PRIVATE_KEY: 'sk_maker' });
  return {
    ...settings,
    guard: { ...settings.guard, ...keys },
    http: { ...settings.http, token: 'sk_token' },
    fairValues: [
      {
        kind: 'url',
        name: 'odds',
        url: 'https://odds.example.org',
        everyMs: 5_000,
        token: 'sk_odds',
        markets: [],
        maxAgeMs: 1,
        whenStale: 'halt',
        signalsOnly: false,
      },
    ],
  };
};

describe('settings without keys', () => {
  it.each([
    ['keys of its own', { publicKey: 'pk_guard', privateKey: 'sk_guard' }],
    ['none', { publicKey: null, privateKey: null }],
  ])('have no secret left, and the allowance of before where the guard has %s', (_what, keys) => {
    const settings = settingsWith(keys);
    const left = withoutKeys(settings);
    expect(JSON.stringify(left)).not.toMatch(/sk_|pk_/);
    expect(allowanceOf(left, VENUE)).toEqual(allowanceOf(settings, VENUE));
  });
});
