import type { BotSettings } from '../../settings/index.js';

/** Settings as a backtest needs them: without any key, token or account of a person. */
export function withoutKeys(settings: BotSettings): BotSettings {
  const { venue, exchange, guard, http } = settings;
  return {
    ...settings,
    venue: venue && { ...venue, publicKey: '', privateKey: '' },
    exchange: exchange && { ...exchange, adminToken: '', accounts: [] },
    guard: { ...guard, publicKey: null, privateKey: null },
    http: { ...http, token: null },
  };
}
