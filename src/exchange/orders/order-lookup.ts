import type { OrderId } from '../../domain/ids.js';
import type { Account } from '../money/accounts.js';
import type { CancelRefusal } from '../contract.js';
import type { Floor } from '../floor.js';
import { endedAccount, endedStatus, FILLED, PROCESSING } from './order-rows.js';

/** The row of an account's own working order, 0 when it has no such order. */
export function workingRow({ orders }: Floor, account: Account, id: OrderId): number {
  const row = orders.workingRow(id);
  return row !== 0 && orders.account(row) === account.index ? row : 0;
}

/** Why an order cannot be cancelled or updated. @param row of {@link workingRow}; null: it can, if it is open */
export function closedWord(floor: Floor, account: Account, id: OrderId, row: number): CancelRefusal | null {
  if (row === 0) return endedWord(floor, account, id);
  return floor.orders.status(row) === PROCESSING ? 'processing' : null;
}

function endedWord({ orders }: Floor, account: Account, id: OrderId): CancelRefusal {
  const ending = orders.ending(id);
  if (ending === 0 || endedAccount(ending) !== account.index) return 'not-found';
  return endedStatus(ending) === FILLED ? 'filled' : 'canceled';
}
