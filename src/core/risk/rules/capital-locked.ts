import type { RiskLimits } from '../limits.js';
import type { RiskRule } from '../rule.js';

/** Working bids lock no more cash than this together. Orders that lock nothing are always allowed. */
export function capitalLocked({ maxLocked }: Pick<RiskLimits, 'maxLocked'>): RiskRule {
  return {
    name: 'capital-locked',
    check(proposal, view) {
      if (maxLocked === null) return null;
      const found = view.lockedWith(proposal);
      if (found <= maxLocked || found <= view.locked()) return null;
      return {
        rule: 'capital-locked',
        unit: 'money',
        found,
        limit: maxLocked,
        text: 'cash locked by working bids',
      };
    },
  };
}
