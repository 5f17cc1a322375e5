import { PRICE_ONE, type Money } from '../../domain/units.js';
import type { AccountId, WagerId } from '../contract/ids.js';
import { CURRENCIES, type Currency, type Position, type WagerStatus } from '../../domain/vocabulary.js';

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

  /** Releases the collateral to the winners, others' volume among them. @param paid what the accounts receive */
  payOut(winner: Position, paid: Amounts): void {
    const { collateral, external, externalShares, clearing } = this.amounts;
    for (const currency of CURRENCIES) {
      const others = PRICE_ONE * externalShares[winner][currency];
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
