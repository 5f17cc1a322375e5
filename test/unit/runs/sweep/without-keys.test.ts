import { describe, expect, it } from 'vitest';
import { allowanceOf } from '../../../../src/runs/live/engine-options.js';
import { withoutKeys } from '../../../../src/runs/sweep/without-keys.js';
import { type BotSettings, loadBotSettings } from '../../../../src/settings/index.js';

const VENUE = { rateLimit: { perMinute: 2_000, perDay: 1_000_000 } } as never;

const settingsWith = (keys: { publicKey: string | null; privateKey: string | null }): BotSettings => {
  const { settings } = loadBotSettings('config/local.yaml', { ODDSMITH_PRIVATE_KEY: 'sk_maker' });
  return {
    ...settings,
    guard: { ...settings.guard, ...keys },
    http: { ...settings.http, token: 'sk_token' },
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
