/**
 * Oddsmith inside a program of your own: `import { startDemo } from 'oddsmith'`. Strategies import `oddsmith/sdk`, the
 * matching book alone is `oddsmith/matching`.
 */
export type { RunAnalysis } from './analytics/analysis.js';
export { compareRuns, type RunComparison } from './analytics/comparison.js';
export { Bot } from './runs/live/bot.js';
export type { GivenFairValue } from './runs/fair-values/stated-values.js';
export type { BotOptions } from './runs/live/connections.js';
export { type Demo, type DemoOptions, startDemo } from './runs/demo.js';
export { type ExchangeRunOptions, runExchange, type RunningExchange } from './runs/exchange/exchange.js';
export type { EndEffect } from './domain/effects.js';
export type { MarketRules } from './domain/inputs.js';
export {
  EXIT,
  type ExitCode,
  InvariantError,
  KeysRefusedError,
  OddsmithError,
  UsageError,
  VenueUnreachableError,
} from './domain/errors.js';
export type { EngineView, FillView, MarketStateView } from './core/engine/observing/view.js';
export type { Clock } from './core/ports/clock.js';
export type { Random } from './core/ports/random.js';
export { readReport, type WrittenReport, writeReport } from './report/report-files.js';
export { reportOf, type RunReport } from './report/run-report.js';
export { seededRandom } from './storage/clocks/seeded-random.js';
export { SystemClock } from './storage/clocks/system-clock.js';
export {
  type BotSettings,
  checkBotSettings,
  type ExchangeSettings,
  loadBotSettings,
  loadExchangeSettings,
  SettingsError,
  SettingsSource,
} from './settings/index.js';
export { createLogger, type Logger } from './ops/telemetry/logger.js';
