/**
 * Fees by the share, and maker rebates. The fee of an order is computed from its cumulative fills and rounded up once.
 * So many partial fills cost no more than a single fill, and never more than the order has locked.
 */
import { dayOf } from '../../domain/days.js';
import type { AccountId, EventId } from '../contract/ids.js';
import { SHARE_ONE, type Micros, type Money, type Shares } from '../../domain/units.js';
import type { FeeSchedule } from '../contract.js';

/** A fee schedule with the rate a resting order must be able to pay. Money units per whole share. */
export interface FeeRates extends FeeSchedule {
  /** The larger of taker and maker fee, at least 0: a rebate is never spent in advance. */
  readonly worst: number;
}

export const feeRates = ({ taker, maker }: FeeSchedule): FeeRates => ({
  taker,
  maker,
  worst: Math.max(taker, maker, 0),
});

/** What is due of an accrued count (rate x share units): rounded up, against the payer. */
export const feeDue = (accrued: number): Money => (Math.ceil(accrued / SHARE_ONE) + 0) as Money;

/** What the venue books of the count; the difference to {@link feeDue} is `rounding`. */
export const feeBooked = (accrued: number): Money => Math.floor(accrued / SHARE_ONE) as Money;

/** The most that further shares can add to what is due. */
export const feeReserve = (accrued: number, shares: Shares, worst: number): Money =>
  (worst === 0 ? 0 : feeDue(accrued + worst * shares) - feeDue(accrued)) as Money;

/** What one account was credited for one event on one day. */
export interface RebateRow {
  readonly account: AccountId;
  readonly eventId: EventId;
  /** Days since 1970-01-01, UTC. */
  readonly day: number;
  amount: number;
}

/** Maker rebates in real money, at par, per account, event and day. */
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
