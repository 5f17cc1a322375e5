import { PRICE_ONE, type Money, SHARE_ONE, type Micros, type Shares } from '../../domain/units.js';
import type { AccountId, WagerId, EventId } from '../contract/ids.js';
import { CURRENCIES, type Currency, type Position, type WagerStatus } from '../../domain/vocabulary.js';
import { dayOf } from '../../domain/days.js';
import type { FeeSchedule } from '../contract.js';

/** Money or share units by currency. */
export type Amounts = Record<Currency, number>;

export const noAmounts = (): Amounts => ({ OOM: 0, USDC: 0, USDT: 0, USD: 0 });

/** The venue's own amounts in one book. Money units, but for `externalShares`. */
export interface LedgerAmounts {
  /** Backs the shares in existence: one unit for each long share held in the currency. */
  readonly collateral: Amounts;
  readonly fees: Amounts;
  readonly rounding: Amounts;
  /** Swaps the real currencies at par. */
  readonly clearing: Amounts;
  /** Cash of others' volume. */
  readonly external: Amounts;
  /** Shares of others' volume, which only ever buys. */
  readonly externalShares: Readonly<Record<Position, Amounts>>;
}

const noLedger = (): LedgerAmounts => ({
  collateral: noAmounts(),
  fees: noAmounts(),
  rounding: noAmounts(),
  clearing: noAmounts(),
  external: noAmounts(),
  externalShares: { long: noAmounts(), short: noAmounts() },
});

/**
 * The venue's side of one book. Together with the cash flows of all accounts in the book each currency sums to zero
 * after every command.
 */
export class BookLedger {
  amounts = noLedger();

  /** Long shares came to be held in a currency; a negative number ceased to be. */
  addLongs(currency: Currency, shares: number): void {
    this.amounts.collateral[currency] += PRICE_ONE * shares;
  }

  /** One currency stands in for another, at par. */
  swap(from: Currency, to: Currency, amount: number): void {
    if (from === to) return;
    this.amounts.clearing[from] += amount;
    this.amounts.clearing[to] -= amount;
  }

  /** Others' volume buys: it pays and holds. @param price of the position it buys */
  buyExternally(position: Position, currency: Currency, price: number, shares: number): void {
    this.amounts.external[currency] -= price * shares;
    this.amounts.externalShares[position][currency] += shares;
  }

  /** @param booked what the venue earns, @param due what the payer pays; the difference is rounding */
  bookFee(currency: Currency, booked: Money, due: Money): void {
    this.amounts.fees[currency] += booked;
    this.amounts.rounding[currency] += due - booked;
  }

  /**
   * Releases the collateral to the winners, others' volume among them.
   * @param payout what a long share pays, in price units
   * @param paid what the accounts receive
   */
  payOut(payout: number, paid: Amounts): void {
    const { collateral, external, externalShares, clearing } = this.amounts;
    for (const currency of CURRENCIES) {
      const { long, short } = externalShares;
      const others = payout * long[currency] + (PRICE_ONE - payout) * short[currency];
      external[currency] += others;
      clearing[currency] += collateral[currency] - others - paid[currency];
      collateral[currency] = 0;
      externalShares.long[currency] = 0;
      externalShares.short[currency] = 0;
    }
  }

  /** Undoes everything. */
  clear(): void {
    this.amounts = noLedger();
  }

  /** @returns the present amounts, to be put back by {@link restore} */
  copy(): LedgerAmounts {
    return structuredClone(this.amounts);
  }

  restore(amounts: LedgerAmounts): void {
    this.amounts = structuredClone(amounts);
  }
}

/** What a payout or a refund changed in one book, as plain JSON, so that a reversal can take it back. */
export interface BookSettlement {
  /** Place of the book among all books. */
  readonly book: number;
  readonly flows: readonly {
    readonly account: AccountId;
    readonly currency: Currency;
    readonly amount: number;
  }[];
  /** Shares that were held before. */
  readonly holdings: readonly {
    readonly account: AccountId;
    readonly position: Position;
    readonly currency: Currency;
    readonly shares: number;
  }[];
  readonly wagers: readonly {
    readonly wager: WagerId;
    readonly before: {
      readonly status: Exclude<WagerStatus, 'disabled'>;
      readonly received: number;
      readonly lastProfit: number | null;
    };
    readonly amount: number;
  }[];
  /** The venue's own amounts before. */
  readonly ledger: LedgerAmounts;
}

/**
 * Fees by the share, and maker rebates. The fee of an order is computed from its cumulative fills and rounded up once.
 * So many partial fills cost no more than a single fill, and never more than the order has locked.
 */

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
