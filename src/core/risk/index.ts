export { type Cautions, type LossCaution, mergedCautions, NO_CAUTIONS } from './cautions.js';
export {
  type ApprovedOrders,
  approveOrder,
  approveReplacement,
  approveTogether,
  type GateKeeping,
  rulesOf,
} from './gate.js';
export { KillSwitch } from './kill-switch.js';
export type { RiskLimits } from './limits.js';
export { haveLossesMoved, type LossLimits, type LossSteps, lossStepsOf, LossWatch } from './loss-watch.js';
export { Proposal, type Reckoning, type Wanted } from './proposal.js';
export { describeRefusal, type Refusal } from './refusal.js';
export { beyondCollar } from './rules/price-collar.js';
export { TakingWatch } from './taking-watch.js';
export type { NetRange, RiskRule, RiskView } from './rule.js';
export { fillsCountMs, WindowMemory } from './window-memory.js';
export { NO_WINDOWS, type WindowNews, type Windows } from './windows.js';
