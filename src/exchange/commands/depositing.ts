import { DONE, invalid, unknown } from '../admin-answers.js';
import { currencyCode } from '../codes.js';
import type { AdminOutcome, Deposit } from '../contract.js';
import type { Floor } from '../floor.js';

/** Money from the world. */
export function executeDeposit(floor: Floor, { account: id, currency, amount }: Deposit): AdminOutcome {
  const account = floor.accounts.find(id);
  if (account === null) return unknown('account');
  const code = currencyCode(currency);
  if (!Number.isSafeInteger(amount) || amount <= 0) return invalid('amount', 'expected a positive amount');
  if (!Number.isSafeInteger(floor.depositsOf(code) - amount))
    return invalid('amount', 'expected less, it is more than the ledger can count');
  floor.outbox.touchCash(account);
  account.cash[code] = (account.cash[code] as number) + amount;
  floor.deposits[code] = floor.depositsOf(code) - amount;
  floor.outbox.say({ kind: 'deposit-success', account: id, currency, amount });
  return DONE;
}
