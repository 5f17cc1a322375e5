import type { BotSettings } from '../../settings/index.js';

/**
 * Settings as a backtest needs them: without any key, token or account of a person. That a guard has keys of its own is
 * still seen, for it leaves the bot its allowance.
 */
export function withoutKeys(settings: BotSettings): BotSettings {
  const { venue, exchange, guard, http } = settings;
  return {
    ...settings,
    venue: venue && { ...venue, publicKey: '', privateKey: '' },
    exchange: exchange && { ...exchange, adminToken: '', accounts: [] },
    guard: { ...guard, publicKey: blank(guard.publicKey), privateKey: blank(guard.privateKey) },
    http: { ...http, token: null },
  };
}

const blank = (key: string | null): '' | null => (key === null ? null : '');
