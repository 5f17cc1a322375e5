export type { AlertRules, ReceiverSettings, RuleName } from './alerts-schema.js';
export {
  type BacktestSettings,
  type FillSettings,
  type ScenarioName,
  SCENARIOS,
  scenariosOf,
} from './backtest-schema.js';
export { secretsOf } from './bot-problems.js';
export type { CanarySettings } from './canary-schema.js';
export type { FairSourceSettings } from './fair-values-schema.js';
export { type BotSettings, configurationJsonSchema, firstTickOf } from './bot-schema.js';
export {
  isStandIn,
  keyPairsOf,
  privateKeysOf,
  type TradingAccount,
  tradingAccounts,
} from './exchange-accounts.js';
export { type ItemReading, readExchangeEvent, readExchangeMarket } from './exchange-problems.js';
export type { ExchangeEventSettings, ExchangeSettings, ParticipantSettings } from './exchange-schema.js';
export {
  checkBotSettings,
  type Environment,
  isExchangeFile,
  type Loaded,
  loadBotSettings,
  loadExchangeSettings,
  loadKeylessSettings,
  loadListenerSettings,
  recheckedSettings,
} from './load.js';
export { PAPER_ACCOUNT, paperScenarioOf } from './paper-schema.js';
export { describeProblem, type Problem, SettingsError } from './problems.js';
export {
  type Chosen,
  chosenMarkets,
  type ChosenMarket,
  expanded,
  isSelecting,
  NOTHING_CHOSEN,
} from './selection.js';
export {
  eachShard,
  mostEvents,
  ofShard,
  type Shard,
  shardOfEvent,
  venueOfShard,
  wholeAccount,
} from './sharding.js';
export type { LeaseSettings, ShardingSettings } from './sharding-schema.js';
export { SettingsSource, type UnsetKey } from './source.js';
export type { SweepSettings } from './sweep-schema.js';
export { venueRulesSchema, type VenueRules, type VenueSettings } from './venue-schema.js';
