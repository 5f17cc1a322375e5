import type { Micros } from '../../domain/units.js';
import type { Account } from '../money/accounts.js';
import type { BalanceChangedEvent } from '../contract.js';
import type { Floor } from '../floor.js';
import { BALANCE_CHANGED } from './event-log.js';

const ACCOUNT = 0;
const AT = 1;
const CELLS = 2;

export function sayBalanceChange({ outbox: { log }, now }: Floor, account: Account): void {
  const start = log.open(BALANCE_CHANGED, CELLS);
  const { cells } = log;
  cells[start + ACCOUNT] = account.index;
  cells[start + AT] = now;
}

export function readBalanceChange(floor: Floor, start: number): BalanceChangedEvent {
  const { cells } = floor.outbox.log;
  return {
    kind: 'balance-changed',
    account: floor.accounts.at(cells[start + ACCOUNT] as number).id,
    at: cells[start + AT] as Micros,
  };
}
