export { keyPairsOf, privateKeysOf } from './account-keys.js';
export { type BacktestSettings, type FillSettings, scenariosOf } from './backtest-schema.js';
export type { BotSettings, VenueRules, VenueSettings } from './bot-schema.js';
export { venueRulesSchema } from './bot-schema.js';
export { type ItemReading, readExchangeEvent, readExchangeMarket } from './exchange-items.js';
export type { ExchangeEventSettings, ExchangeSettings } from './exchange-schema.js';
export { configurationJsonSchema } from './json-schema.js';
export {
  checkBotSettings,
  isExchangeFile,
  type Environment,
  type Loaded,
  loadBotSettings,
  loadExchangeSettings,
  loadKeylessSettings,
  loadListenerSettings,
  secretsOf,
} from './load.js';
export type { ParticipantSettings } from './participant-schema.js';
export { describeProblem, type Problem, SettingsError } from './problems.js';
export { SettingsSource } from './source.js';
export type { SweepSettings } from './sweep-schema.js';
export { isStandIn, type TradingAccount, tradingAccounts } from './trading-accounts.js';
