export { approveOrder, approveReplacement, type GateKeeping, rulesOf, type Verdict } from './gate.js';
export { type KillReason, KillSwitch } from './kill-switch.js';
export type { RiskLimits } from './limits.js';
export type { NetRange, OrderProposal, Refusal, RiskRule, RiskView } from './rule.js';
