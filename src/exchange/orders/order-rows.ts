import type { AccountId, OrderId } from '../../domain/ids.js';
import type { Micros, Money, PriceUnits, Shares, Ticks } from '../../domain/units.js';
import type { BookSide } from '../matching/index.js';

/** Codes of an order's state. */
export const PROCESSING = 0;
export const OPEN = 1;
export const PARTIAL = 2;
export const FILLED = 3;
export const CANCELED = 4;
export const EXPIRED = 5;

/** The matching engine knows an order by its row. */
export const engineId = (row: number): OrderId => row as OrderId;
/** The tag of all orders in the matching engine that are not others' volume. */
export const OURS = 0 as AccountId;

/** What the row of a new order is filled with, as far as it is read from its admission; codes as in `codes.ts`. */
export interface NewOrder {
  readonly stake: {
    readonly account: { readonly index: number };
    readonly book: { readonly index: number };
  };
  readonly side: number;
  readonly position: number;
  readonly currency: number;
  readonly bookSide: BookSide;
  readonly sizing: Pick<Sizing, 'tick' | 'price' | 'shares' | 'amount'>;
  readonly request: { readonly expiresAt: Micros | null };
}

/** An order's price and size, found to be on their grids and within their limits. */
export interface Sizing {
  /** Of the named position; null: a market order. */
  readonly price: PriceUnits | null;
  /** Long-side limit; of a market order the worst price of the book. */
  readonly tick: Ticks;
  /** 0: a market order by amount alone. */
  readonly shares: Shares;
  /** Price x shares; of a market order what it may cost, 0 when it names shares alone. */
  readonly amount: Money;
  /** Cash a bid needs, fees included: what a limit order locks, what a market order will pay at most. */
  readonly cost: Money;
}

/** Cells of a row; 112 bytes. The first {@link KEPT_CELLS} are kept of a finished order. */
const CELLS = 14;
export const KEPT_CELLS = 11;
const REQUESTED = 0;
const FILLED_SHARES = 1;
const FILLED_AMOUNT = 2;
const AMOUNT = 3;
const CREATED = 4;
const EXPIRES = 5;
export const ID = 6;
const ACCOUNT = 7;
const BOOK = 8;
const WORD = 9;
const PRICE = 10;
const TICK = 11;
const LOCKED = 12;
const ACCRUED = 13;

const STATUS_SHIFT = 5;
const NEVER = -1;
const FIRST_ROWS = 1024;
/** Row 0 is nobody, row 1 shows one finished order at a time. */
export const READING_ROW = 1;

/** The memory of the order table: typed rows in one buffer that doubles when it is full. */
export class OrderRows {
  private cells = new Float64Array(FIRST_ROWS * CELLS);

  id(row: number): OrderId {
    return this.cells[row * CELLS + ID] as OrderId;
  }
  account(row: number): number {
    return this.cells[row * CELLS + ACCOUNT] as number;
  }
  book(row: number): number {
    return this.cells[row * CELLS + BOOK] as number;
  }
  side(row: number): number {
    return (this.cells[row * CELLS + WORD] as number) & 1;
  }
  position(row: number): number {
    return ((this.cells[row * CELLS + WORD] as number) >> 1) & 1;
  }
  currency(row: number): number {
    return ((this.cells[row * CELLS + WORD] as number) >> 2) & 3;
  }
  bookSide(row: number): BookSide {
    return (((this.cells[row * CELLS + WORD] as number) >> 4) & 1) as BookSide;
  }
  status(row: number): number {
    return (this.cells[row * CELLS + WORD] as number) >> STATUS_SHIFT;
  }
  setStatus(row: number, status: number): void {
    const at = row * CELLS + WORD;
    this.cells[at] = ((this.cells[at] as number) & ((1 << STATUS_SHIFT) - 1)) | (status << STATUS_SHIFT);
  }
  /** Long-side limit. */
  tick(row: number): Ticks {
    return this.cells[row * CELLS + TICK] as Ticks;
  }
  /** Of the named position; null: a market order. */
  price(row: number): PriceUnits | null {
    const price = this.cells[row * CELLS + PRICE] as number;
    return price === 0 ? null : (price as PriceUnits);
  }
  requested(row: number): Shares {
    return this.cells[row * CELLS + REQUESTED] as Shares;
  }
  filled(row: number): Shares {
    return this.cells[row * CELLS + FILLED_SHARES] as Shares;
  }
  /** Price x shares of all fills, in the named position's price. */
  filledAmount(row: number): Money {
    return this.cells[row * CELLS + FILLED_AMOUNT] as Money;
  }
  addFill(row: number, shares: Shares, amount: Money): void {
    const { cells } = this;
    const at = row * CELLS;
    cells[at + FILLED_SHARES] = (cells[at + FILLED_SHARES] as number) + shares;
    cells[at + FILLED_AMOUNT] = (cells[at + FILLED_AMOUNT] as number) + amount;
  }
  /** What the order has locked: money of a bid, shares of an ask. */
  locked(row: number): number {
    return this.cells[row * CELLS + LOCKED] as number;
  }
  setLocked(row: number, locked: number): void {
    this.cells[row * CELLS + LOCKED] = locked;
  }
  /** Rate x shares of all fills, see `fees.ts`. */
  accruedFee(row: number): number {
    return this.cells[row * CELLS + ACCRUED] as number;
  }
  setAccruedFee(row: number, accrued: number): void {
    this.cells[row * CELLS + ACCRUED] = accrued;
  }
  amount(row: number): Money {
    return this.cells[row * CELLS + AMOUNT] as Money;
  }
  createdAt(row: number): Micros {
    return this.cells[row * CELLS + CREATED] as Micros;
  }
  expiresAt(row: number): Micros | null {
    const time = this.cells[row * CELLS + EXPIRES] as number;
    return time === NEVER ? null : (time as Micros);
  }
  /** Of a row that is not in use: the next such row. */
  nextFree(row: number): number {
    return this.cells[row * CELLS + LOCKED] as number;
  }
  setNextFree(row: number, next: number): void {
    this.cells[row * CELLS + LOCKED] = next;
  }

  /** Writes a whole row; makes room for it when needed. */
  protected write(row: number, id: number, order: NewOrder, status: number, at: Micros): void {
    this.reach(row);
    const { cells } = this;
    const { stake, sizing } = order;
    const start = row * CELLS;
    cells[start + REQUESTED] = sizing.shares;
    cells[start + FILLED_SHARES] = 0;
    cells[start + FILLED_AMOUNT] = 0;
    cells[start + AMOUNT] = sizing.amount;
    cells[start + CREATED] = at;
    cells[start + EXPIRES] = order.request.expiresAt ?? NEVER;
    cells[start + ID] = id;
    cells[start + ACCOUNT] = stake.account.index;
    cells[start + BOOK] = stake.book.index;
    cells[start + WORD] = wordOf(order, status);
    cells[start + PRICE] = sizing.price ?? 0;
    cells[start + TICK] = sizing.tick;
    cells[start + LOCKED] = 0;
    cells[start + ACCRUED] = 0;
  }

  /** Makes sure that a row exists. */
  private reach(row: number): void {
    while ((row + 1) * CELLS > this.cells.length) this.grow();
  }

  /** Copies the first cells of a row out of it. */
  protected copyOut(row: number, target: Float64Array, start: number): void {
    const at = row * CELLS;
    for (let cell = 0; cell < KEPT_CELLS; cell++) target[start + cell] = this.cells[at + cell] as number;
  }

  /** All cells of a row, to save it. */
  protected cellsOf(row: number): readonly number[] {
    return [...this.cells.subarray(row * CELLS, (row + 1) * CELLS)];
  }

  protected setCells(row: number, cells: readonly number[]): void {
    this.reach(row);
    this.cells.set(cells, row * CELLS);
  }

  /** Copies them back. */
  protected copyIn(row: number, source: Float64Array, start: number): void {
    const at = row * CELLS;
    for (let cell = 0; cell < KEPT_CELLS; cell++) this.cells[at + cell] = source[start + cell] as number;
  }

  private grow(): void {
    const cells = new Float64Array(this.cells.length * 2);
    cells.set(this.cells);
    this.cells = cells;
  }
}

const wordOf = ({ side, position, currency, bookSide }: NewOrder, status: number): number =>
  side | (position << 1) | (currency << 2) | (bookSide << 4) | (status << STATUS_SHIFT);
