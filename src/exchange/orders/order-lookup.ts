import type { OrderId } from '../../domain/ids.js';
import type { Account } from '../accounts.js';
import type { CancelRefusal } from '../contract.js';
import type { Floor } from '../floor.js';
import { CANCELED, EXPIRED, FILLED, PROCESSING } from './order-rows.js';

/** The row of an account's own order, 0 when it has no such order. */
export function ownRow({ orders }: Floor, account: Account, id: OrderId): number {
  const row = orders.row(id);
  return row !== 0 && orders.account(row) === account.index ? row : 0;
}

/** Why an order of this status cannot be cancelled, null when it can. */
export function closedWord(status: number): CancelRefusal | null {
  if (status === PROCESSING) return 'processing';
  if (status === FILLED) return 'filled';
  return status === CANCELED || status === EXPIRED ? 'canceled' : null;
}
