import type { AnswerBody } from '../../../domain/answers.js';
import type { OperatorCommand } from '../../../domain/inputs.js';
import { type Micros, PRICE_ONE } from '../../../domain/units.js';
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

/**
 * A book read over REST states the fees of its levels, the one rule of a market that the wire tells. What is dearer than
 * we reckon with counts from now on; a cheaper fee only a person, or the program, may state.
 * @returns whether the terms have changed
 */
export function heedFees(parts: EngineParts, { marketId, feePerShare }: ReadBook, at: Micros): boolean {
  const known = parts.terms.get(marketId);
  if (known === undefined || feePerShare <= known.takerFee) return false;
  const changes = { takerFee: feePerShare };
  return changeTerms(parts, { kind: 'command', command: 'set-terms', marketId, changes }, at) !== null;
}

type ReadBook = Extract<AnswerBody, { readonly kind: 'read-book' }>;

const arePossible = ({ tickUnits, minAmount, maxAmount, takerFee }: MarketTerms): boolean =>
  Number.isInteger(tickUnits) &&
  tickUnits > 0 &&
  tickUnits < PRICE_ONE &&
  PRICE_ONE % tickUnits === 0 &&
  minAmount <= maxAmount &&
  takerFee >= 0;
