import { dayOf } from '../../domain/days.js';
import type { AccountId, EventId } from '../../domain/ids.js';
import type { Micros, Money } from '../../domain/units.js';

/** What one account was credited for one event on one day. */
export interface RebateRow {
  readonly account: AccountId;
  readonly eventId: EventId;
  /** Days since 1970-01-01, UTC. */
  readonly day: number;
  amount: number;
}

/** Rebates of makers in real money, at par, per account, event and day. */
export class Rebates {
  readonly rows = new Map<string, RebateRow>();

  credit(account: AccountId, eventId: EventId, amount: Money, at: Micros): void {
    const day = dayOf(at);
    const name = `${account} ${eventId} ${day}`;
    const row = this.rows.get(name);
    if (row === undefined) this.rows.set(name, { account, eventId, day, amount });
    else row.amount += amount;
  }

  total(account: AccountId, day: number | undefined, eventId: EventId | undefined): Money {
    let total = 0;
    for (const row of this.rows.values()) {
      if (row.account !== account) continue;
      if ((day ?? row.day) === row.day && (eventId ?? row.eventId) === row.eventId) total += row.amount;
    }
    return total as Money;
  }
}
