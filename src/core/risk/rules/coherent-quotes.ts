import { SHARE_ONE } from '../../../domain/units.js';
import type { Position } from '../../../domain/vocabulary.js';
import type { RiskLimits } from '../limits.js';
import type { Proposal } from '../proposal.js';
import type { Refusal } from '../refusal.js';
import type { RiskRule, RiskView } from '../rule.js';

/**
 * Own quotes on outcomes that exclude each other never add up to a certain loss: a share bought in every outcome that is bid
 * for costs less than the one that wins pays, and so do short shares where one of the outcomes is sure to win (market-making
 * formulas, "Binary outcomes"). What leads the position back towards zero is always allowed.
 */
export function coherentQuotes({ coherentQuotes: areKept }: Pick<RiskLimits, 'coherentQuotes'>): RiskRule {
  return {
    name: 'coherent-quotes',
    check(proposal, view) {
      if (!areKept) return null;
      return objectionTo('long', proposal, view) ?? objectionTo('short', proposal, view);
    },
  };
}

function objectionTo(position: Position, proposal: Proposal, view: RiskView): Refusal | null {
  const dearest = position === 'long' ? proposal.dearestLong : proposal.dearestShort;
  if (dearest === 0) return null;
  const room = view.quoteRoom(position);
  if (room === null) return null;
  const found = dearest * SHARE_ONE;
  if (found < room || leadsBack(position, proposal, view)) return null;
  return {
    rule: 'coherent-quotes',
    unit: 'money',
    found,
    limit: room - 1,
    text: `price of a ${position} share beside the quotes on the other outcomes, fees put by`,
    awaitsQuotes: true,
  };
}

/**
 * Sales of no more than what is held net: they cannot sell more than is held, however many of them stand. And purchases that do
 * not lead beyond zero, whatever else fills.
 */
function leadsBack(
  position: Position,
  { bought, sold, locked }: Pick<Proposal, 'bought' | 'sold' | 'locked'>,
  view: RiskView,
): boolean {
  const isLong = position === 'long';
  const held = view.heldRange();
  const filled = view.netRange();
  const areSales = locked === 0;
  if (areSales && (isLong ? held.high + bought <= 0 : held.low - sold >= 0)) return true;
  return isLong ? filled.high + bought <= 0 : filled.low - sold >= 0;
}
