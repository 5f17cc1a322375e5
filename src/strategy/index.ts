export type {
  BookLevelView,
  BookView,
  EventView,
  FairValue,
  InventoryView,
  MarketView,
  PlainJson,
  Strategy,
  WorkingQuote,
} from './contract.js';
export type { FaultCode, StrategyFault } from './fault.js';
export {
  type ContextWithoutInstance,
  type Decision,
  type InstanceOptions,
  StrategyInstance,
} from './instance.js';
export {
  checkParameters,
  describeParameter,
  type ParameterCheck,
  type ParameterDeclaration,
  type ParameterIssue,
} from './parameters.js';
export { type AnyStrategy, asStrategy } from './registry.js';
