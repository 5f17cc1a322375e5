/**
 * The door for strategies, exported as `oddsmith/sdk`. Files in `strategies/` import this and nothing else.
 *
 * The Rx operators are those that are deterministic inside the engine's steps; the ones that wait take the engine's
 * scheduler as their last argument.
 */
export { defineEventStrategy, defineStrategy, defineStreamStrategy } from './quoting.js';
export {
  defineModifier,
  movedAway,
  shrunk,
  withModifiers,
  type Modified,
  type Modifier,
  type ModifierUse,
  type Sides,
} from './modifiers.js';
export { param } from './parameters.js';
export {
  NO_QUOTES,
  passiveAsk,
  passiveBid,
  quoteAt,
  reachesMinimum,
  type TouchView,
  twoSided,
  type Wish,
} from './quoting.js';
export { unwindTakes, type Unwinding } from './unwinding.js';
export * from './models/index.js';
export type {
  BookLevelView,
  BookView,
  EventContext,
  EventLadders,
  EventStrategy,
  EventView,
  FairValue,
  FillView,
  InventoryView,
  Ladder,
  MarketView,
  OutcomeContext,
  PlainJson,
  Quote,
  QuoteStrategy,
  RoomView,
  ScenarioView,
  SignalView,
  Strategy,
  StrategyContext,
  StreamContext,
  StreamedIntent,
  StreamStrategy,
  Take,
  TradeView,
  WorkingQuote,
} from './contract.js';
export type { SignalDeclaration, SignalDeclarations } from './signals/kinds.js';
export type { Step } from '../../domain/intent.js';
export type { FieldValues, ParameterDeclarations, ParameterValues } from './parameters.js';
export { auditTime, debounceTime, delay, interval, sampleTime, throttleTime, timer } from './quoting.js';
export {
  combineLatest,
  distinctUntilChanged,
  EMPTY,
  filter,
  groupBy,
  map,
  merge,
  mergeMap,
  NEVER,
  Observable,
  of,
  pairwise,
  scan,
  share,
  startWith,
  switchMap,
  takeUntil,
  tap,
  withLatestFrom,
} from 'rxjs';
