/**
 * The door for strategies, exported as `oddsmith/sdk`. Files in `strategies/` import this and nothing else.
 *
 * The Rx operators are those that are deterministic under the engine's scheduler; time operators take it as
 * their last argument.
 */
export { defineStrategy, defineStreamStrategy } from './define.js';
export { param } from './parameters.js';
export { NO_QUOTES, passiveAsk, passiveBid, quoteAt } from './quoting.js';
export type {
  BookLevelView,
  BookView,
  EventView,
  FairValue,
  InventoryView,
  Ladder,
  MarketView,
  PlainJson,
  Quote,
  QuoteStrategy,
  Strategy,
  StrategyContext,
  StreamedIntent,
  StreamStrategy,
  WorkingQuote,
} from './contract.js';
export type { Step } from '../domain/intent.js';
export type { ParameterDeclarations, ParameterValues } from './parameters.js';
export {
  auditTime,
  combineLatest,
  debounceTime,
  delay,
  distinctUntilChanged,
  filter,
  groupBy,
  map,
  merge,
  mergeMap,
  Observable,
  of,
  pairwise,
  sampleTime,
  scan,
  share,
  startWith,
  switchMap,
  takeUntil,
  tap,
  throttleTime,
  timer,
  withLatestFrom,
} from 'rxjs';
