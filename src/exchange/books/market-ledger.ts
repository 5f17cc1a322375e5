import { PRICE_ONE, type Money } from '../../domain/units.js';
import { CURRENCY_COUNT } from '../codes.js';

/** The columns of a {@link MarketLedger} as plain numbers, in its order. */
export type LedgerColumns = readonly (readonly number[])[];

/**
 * The venue's side of one book, by currency code, money units. Together with the flows of all stakes each
 * currency adds up to zero at any time.
 *
 * The collateral of a currency is exactly one unit for each long share held in it. What a trade between two
 * currencies leaves open is swapped at par through `clearing`.
 */
export class MarketLedger {
  readonly collateral = new Float64Array(CURRENCY_COUNT);
  readonly fees = new Float64Array(CURRENCY_COUNT);
  readonly rounding = new Float64Array(CURRENCY_COUNT);
  readonly clearing = new Float64Array(CURRENCY_COUNT);
  /** Cash of others' volume. */
  readonly external = new Float64Array(CURRENCY_COUNT);
  /** Shares of others' volume by position and currency: it only ever buys. */
  readonly externalShares = new Float64Array(2 * CURRENCY_COUNT);

  /** Long shares came to be held in a currency (negative: ceased to be). */
  holdLongs(currency: number, shares: number): void {
    add(this.collateral, currency, PRICE_ONE * shares);
  }

  /** One currency stands in for another, at par. */
  swap(from: number, to: number, amount: number): void {
    if (from === to) return;
    add(this.clearing, from, amount);
    add(this.clearing, to, -amount);
  }

  /** Others' volume buys: it pays and holds. @param price of the position it buys */
  buyExternally(position: number, currency: number, price: number, shares: number): void {
    add(this.external, currency, -price * shares);
    add(this.externalShares, position * CURRENCY_COUNT + currency, shares);
  }

  /** @param booked what the venue earns of it, @param due what the payer pays */
  bookFee(currency: number, booked: Money, due: Money): void {
    add(this.fees, currency, booked);
    if (due !== booked) add(this.rounding, currency, due - booked);
  }

  /**
   * Releases the collateral to the winners, others among them.
   * @param winner code of the position, @param paid what the accounts receive by currency
   */
  payOut(winner: number, paid: Float64Array): void {
    for (let currency = 0; currency < CURRENCY_COUNT; currency++) {
      const others = PRICE_ONE * (this.externalShares[winner * CURRENCY_COUNT + currency] as number);
      add(this.external, currency, others);
      add(
        this.clearing,
        currency,
        (this.collateral[currency] as number) - others - (paid[currency] as number),
      );
      this.collateral[currency] = 0;
    }
    this.externalShares.fill(0);
  }

  /** Undoes everything. */
  clear(): void {
    for (const column of this.columns()) column.fill(0);
  }

  copy(): LedgerColumns {
    return this.columns().map((column) => [...column]);
  }

  restore(columns: LedgerColumns): void {
    for (const [at, column] of this.columns().entries()) column.set(columns[at] ?? []);
  }

  private columns(): Float64Array[] {
    const { collateral, fees, rounding, clearing, external, externalShares } = this;
    return [collateral, fees, rounding, clearing, external, externalShares];
  }
}

function add(column: Float64Array, at: number, amount: number): void {
  column[at] = (column[at] as number) + amount;
}
