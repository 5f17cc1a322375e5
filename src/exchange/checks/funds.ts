import type { Money, Shares } from '../../domain/units.js';
import { BUY } from '../codes.js';
import { feeReserve } from '../fees.js';
import type { OrderTable } from '../orders/order-table.js';
import type { Stake } from '../stakes.js';
import { sweep } from '../sweep.js';
import type { BookSide } from '../matching/index.js';
import { refuse, type Verdict } from './refusals.js';
import { isOutOfLimits, type Sizing } from './sizing.js';

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
    claim.side === BUY ? claimedCash(claim) <= spendable(orders, claim) : hasShares(orders, claim);
  return enough ? null : refuse('UserNotEnoughBalance');
}

/** What a limit bid locks: price x shares and the larger fee. */
export const lockOf = (stake: Stake, price: number, shares: Shares): Money =>
  (price * shares + feeReserve(0, shares, stake.book.fees.worst)) as Money;

function claimedCash(claim: Claim): number {
  const { stake, sizing } = claim;
  if (sizing.price !== null) return lockOf(stake, sizing.price, sizing.shares);
  if (sizing.shares === 0) return sizing.amount;
  const cost = sweep(stake.book, claim.bookSide, claim.position, sizing.shares);
  const due = cost.amount + feeReserve(0, cost.shares, stake.book.fees.taker);
  return sizing.amount === 0 ? due : Math.min(due, sizing.amount);
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

/** A market order by shares has no amount of its own: what the book holds for it is held to the limits. */
export function checkMarketOrderLimits({ stake, sizing, bookSide, position }: Claim): Verdict {
  if (sizing.price !== null || sizing.amount !== 0) return null;
  const { amount } = sweep(stake.book, bookSide, position, sizing.shares);
  const isOut = amount > 0 && isOutOfLimits(amount, stake.book.market.event.config);
  return isOut ? refuse('OrderBookInvalidAmount') : null;
}
