import type { OperatorCommand } from '../../domain/inputs.js';
import { type Micros, PRICE_ONE } from '../../domain/units.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { EngineParts } from '../parts.js';

type SetTerms = Extract<OperatorCommand, { readonly command: 'set-terms' }>;

/**
 * The venue changed the tick, the amounts or the fees of a market. What was made by the old rules is dropped: the book
 * counts again once it was read on the new grid, and until then the market's quotes are withdrawn.
 * @returns the new terms; null when they cannot be, which a person is told
 */
export function changeTerms(parts: EngineParts, command: SetTerms, at: Micros): MarketTerms | null {
  const { marketId, changes } = command;
  const before = parts.terms.get(marketId);
  const terms = before === undefined ? null : { ...before, ...changes };
  if (terms === null || !arePossible(terms)) {
    parts.notices.warn('terms-refused', `no such terms: ${JSON.stringify(changes)}`, marketId, at);
    return null;
  }
  parts.changeTerms(terms);
  parts.barredOrders.lift();
  parts.alarms.ordersMayPass();
  parts.mirror.changeTick(marketId, terms.tickUnits, at);
  parts.quoted.get(marketId)?.owner.instance.changeTick(marketId, terms.tickUnits);
  parts.notices.warn('terms-changed', `its rules are ${JSON.stringify(changes)} now`, marketId, at);
  return terms;
}

const arePossible = ({ tickUnits, minAmount, maxAmount, takerFee }: MarketTerms): boolean =>
  Number.isInteger(tickUnits) &&
  tickUnits > 0 &&
  tickUnits < PRICE_ONE &&
  PRICE_ONE % tickUnits === 0 &&
  minAmount <= maxAmount &&
  takerFee >= 0;
