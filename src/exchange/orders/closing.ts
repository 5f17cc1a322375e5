import type { Money } from '../../domain/units.js';
import { BUY } from '../codes.js';
import type { CancelReason } from '../contract.js';
import type { Floor } from '../floor.js';
import type { Stake } from '../money/stakes.js';
import { CANCELED, engineId, EXPIRED } from './order-rows.js';
import { stakeOf } from './order-stake.js';
import { sayEnded } from '../events/order-updates.js';
import { unlinkOwn } from './own-orders.js';

/** Ends a working order: out of the book, its lock released, its owner told. */
export function closeOrder(floor: Floor, row: number, reason: CancelReason): void {
  const { orders, outbox } = floor;
  const stake = stakeOf(floor, row);
  const previous = orders.status(row);
  if (stake.book.matching.cancel(engineId(row)) > 0) {
    outbox.touchLevel(stake.book, orders.bookSide(row), orders.tick(row));
  }
  releaseLock(floor, stake, row);
  unlinkOwn(orders, stake, row);
  endOrder(floor, row, previous, reason);
}

/** Files an order that is in no book and no chain (any more) under the finished ones. */
export function endOrder(floor: Floor, row: number, previous: number, reason: CancelReason): void {
  floor.orders.setStatus(row, reason === 'expired' ? EXPIRED : CANCELED);
  sayEnded(floor, row, previous, reason);
  floor.orders.finish(row);
}

/** Gives back what an order has still locked. */
export function releaseLock(floor: Floor, stake: Stake, row: number): void {
  const { orders } = floor;
  const locked = orders.locked(row);
  if (locked === 0) return;
  const currency = orders.currency(row);
  orders.setLocked(row, 0);
  if (orders.side(row) === BUY) moveLock(floor, stake, currency, -locked as Money);
  else stake.holding(orders.position(row), currency).locked -= locked;
}

/** Moves spendable cash into locked cash (negative: back). */
export function moveLock(floor: Floor, { account }: Stake, currency: number, amount: Money): void {
  floor.outbox.touchCash(account);
  account.cash[currency] = (account.cash[currency] as number) - amount;
  account.locked[currency] = (account.locked[currency] as number) + amount;
}
