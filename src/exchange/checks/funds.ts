import { BUY } from '../codes.js';
import type { Sizing } from '../orders/order-rows.js';
import type { OrderTable } from '../orders/order-table.js';
import type { Stake } from '../stakes.js';
import type { BookSide } from '../matching/index.js';
import { refuse, type Verdict } from './refusals.js';

/** An order that wants funds; codes as in `codes.ts`. */
export interface Claim {
  readonly stake: Stake;
  readonly side: number;
  readonly position: number;
  readonly currency: number;
  readonly bookSide: BookSide;
  readonly sizing: Sizing;
  /** Rows whose locks will be free by then: conflicting ones to be cancelled, the one to be replaced. */
  readonly freed: readonly number[];
}

/** Can the account pay for it, or has it the shares it sells? */
export function checkFunds(orders: OrderTable, claim: Claim): Verdict {
  const enough =
    claim.side === BUY ? claim.sizing.cost <= spendable(orders, claim) : hasShares(orders, claim);
  return enough ? null : refuse('UserNotEnoughBalance');
}

function spendable(orders: OrderTable, { stake, currency, freed }: Claim): number {
  let cash = stake.account.cash[currency] as number;
  for (const row of freed) {
    if (orders.side(row) === BUY && orders.currency(row) === currency) cash += orders.locked(row);
  }
  return cash;
}

function hasShares(orders: OrderTable, claim: Claim): boolean {
  const { stake, position, currency, sizing } = claim;
  let free: number = stake.freeShares(position, currency);
  for (const row of claim.freed) {
    const isSame = orders.position(row) === position && orders.currency(row) === currency;
    if (orders.side(row) !== BUY && isSame) free += orders.locked(row);
  }
  return free >= Math.max(sizing.shares, 1);
}
