/** The rules that judge an order together with everything else that may fill. */
import { type Money, SHARE_ONE, type Shares } from '../../domain/units.js';
import type { RiskLimits } from '../../domain/risk-limits.js';
import type { Refusal, RiskRule, RiskView } from './rule.js';
import type { Proposal } from './proposal.js';

/**
 * Net shares of a market stay within the limit whatever fills. An order that leads back towards zero is allowed
 * beyond the limit too: refusing it would keep the excess.
 */
export function positionLimit({ maxPositionShares }: Pick<RiskLimits, 'maxPositionShares'>): RiskRule {
  return {
    name: 'position-limit',
    check({ bought, sold }, view) {
      const { low, high } = view.netRange();
      if (bought > 0 && high + bought > maxPositionShares)
        return positionRefusal(high + bought, maxPositionShares, 'long');
      if (sold > 0 && sold - low > maxPositionShares)
        return positionRefusal(sold - low, maxPositionShares, 'short');
      return null;
    },
  };
}

const positionRefusal = (found: number, limit: Shares, way: 'long' | 'short'): Refusal => ({
  rule: 'position-limit',
  unit: 'shares',
  found,
  limit,
  text: `${way} position in the market if everything fills`,
});

/** Working bids together lock no more cash than this. Orders that lock nothing are always allowed. */
export function capitalLocked({ maxLocked }: Pick<RiskLimits, 'maxLocked'>): RiskRule {
  return {
    name: 'capital-locked',
    check({ locked }, view) {
      if (maxLocked === null || locked === 0) return null;
      const found = view.locked() + locked;
      if (found <= maxLocked) return null;
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

/**
 * The worst case over the outcomes of an event stays within the limit, counting all orders that may fill. An order is
 * always allowed when it costs nothing in the outcomes that are beyond the limit.
 */
export function eventLoss({ maxEventLoss }: Pick<RiskLimits, 'maxEventLoss'>): RiskRule {
  return lossRule('event-loss', maxEventLoss, () => 0, 'worst case of the event if everything fills');
}

/** The same of all events of a category together, each in its own worst case. */
export function categoryLoss({ maxCategoryLoss }: Pick<RiskLimits, 'maxCategoryLoss'>): RiskRule {
  const elsewhere = (view: RiskView) => view.lossElsewhere('category');
  return lossRule('category-loss', maxCategoryLoss, elsewhere, 'worst cases of the category together');
}

/** The same of all events of the run. */
export function accountLoss({ maxAccountLoss }: Pick<RiskLimits, 'maxAccountLoss'>): RiskRule {
  const elsewhere = (view: RiskView) => view.lossElsewhere('account');
  return lossRule('account-loss', maxAccountLoss, elsewhere, 'worst cases of all events together');
}

/** @param elsewhere what other events count; null: the rule does not concern this event */
function lossRule(
  name: string,
  limit: Money | null,
  elsewhere: (view: RiskView) => number | null,
  text: string,
): RiskRule {
  return {
    name,
    check(proposal, view) {
      const others = limit === null ? null : elsewhere(view);
      if (limit === null || others === null) return null;
      const found = others + view.eventLossWith(proposal);
      if (found <= limit || others + view.eventLossWhereItCosts(proposal) <= limit) return null;
      return { rule: name, unit: 'money', found, limit, text };
    },
  };
}

/**
 * Own quotes on outcomes that exclude each other never add up to a certain loss. A share bought in every outcome that is
 * bid for costs less than the winning share pays, and so do short shares where one of the outcomes is sure to win
 * (market-making formulas, "Binary outcomes"). An order that leads the position back towards zero is always allowed.
 */
export function coherentQuotes({ coherentQuotes: areKept }: Pick<RiskLimits, 'coherentQuotes'>): RiskRule {
  return {
    name: 'coherent-quotes',
    check(proposal, view) {
      const { buys, shareCost } = proposal;
      if (!areKept || shareCost === 0) return null;
      const room = view.quoteRoom(buys);
      const found = shareCost * SHARE_ONE;
      if (room === null || found < room || leadsBack(proposal, view)) return null;
      return {
        rule: 'coherent-quotes',
        unit: 'money',
        found,
        limit: room - 1,
        text: `price of a ${buys} share beside the quotes on the other outcomes, fees put by`,
        awaitsQuotes: true,
      };
    },
  };
}

/**
 * A sale leads back when it sells no more than is held net: sales together never exceed the holding. A purchase leads
 * back when the position stays on its side of zero whatever else fills.
 */
function leadsBack({ order, bought, sold }: Proposal, view: RiskView): boolean {
  const { low, high } = order.side === 'ask' ? view.heldRange() : view.netRange();
  return bought > 0 ? high + bought <= 0 : low - sold >= 0;
}
