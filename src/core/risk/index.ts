export { type RiskState, type KeptLoss, NO_RISK_STATE } from './risk-state.js';
export { approveOrder, approveReplacement, type GateKeeping, rulesOf, type Verdict } from './gate.js';
export { fillsCountMs, NO_WINDOWS, WindowMemory, type WindowNews, type Windows } from './guard-windows.js';
export { KillSwitch } from './kill-switch.js';
export type { RiskLimits } from '../../domain/risk-limits.js';
export {
  haveLossesMoved,
  type LossLimits,
  type LossSteps,
  lossStepsOf,
  LossWatch,
  TakingWatch,
} from './loss-watch.js';
export { beyondCollar } from './order-rules.js';
export { type Proposal, proposalOf, type RiskTerms } from './proposal.js';
export { describeRefusal, type NetRange, type Refusal, type RiskView } from './rule.js';
