import type { OrderId } from '../../domain/ids.js';
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

/** {@link engineId} backwards. */
export const rowOf = (id: OrderId): number => id;

/** What the row of a new order is filled with, see {@link Ticket}; codes as in `codes.ts`. */
export interface NewOrder {
  readonly stake: {
    readonly index: number;
    readonly account: { readonly index: number };
    readonly book: { readonly index: number };
  };
  readonly side: number;
  readonly position: number;
  readonly currency: number;
  readonly bookSide: BookSide;
  readonly tick: Ticks;
  readonly price: PriceUnits | null;
  readonly shares: Shares;
  readonly amount: Money;
  readonly expiresAt: Micros | null;
}

/** A row's floats and integers lie together, so that whoever comes to an order waits for its memory once. */
const ROW_BYTES = 96;
/** Floats from one row to the next; the first {@link KEPT_FLOATS} of a row are kept of a finished order. */
const FLOATS = ROW_BYTES / Float64Array.BYTES_PER_ELEMENT;
const KEPT_FLOATS = 6;
const REQUESTED = 0;
const FILLED_SHARES = 1;
const FILLED_AMOUNT = 2;
const AMOUNT = 3;
const CREATED = 4;
const EXPIRES = 5;
const LOCKED = 6;
const ACCRUED = 7;
/**
 * Integers from one row to the next. Those of a row, which are used as indexes, stand behind its floats; the first
 * {@link KEPT_INTS} of them are kept of a finished order.
 */
const INTS = ROW_BYTES / Int32Array.BYTES_PER_ELEMENT;
const KEPT_INTS = 5;
const FIRST_INT = 2 * (ACCRUED + 1);
const ID = FIRST_INT;
const ACCOUNT = FIRST_INT + 1;
const BOOK = FIRST_INT + 2;
const WORD = FIRST_INT + 3;
const PRICE = FIRST_INT + 4;
const TICK = FIRST_INT + 5;
const NEXT_FREE = FIRST_INT + 6;
const STAKE = FIRST_INT + 7;

/** So many kinds of orders there are: side, position << 1, currency << 2. */
export const KINDS = 16;
const STATUS_SHIFT = 5;
const ENDED_BITS = 3;
const NEVER = -1;
const FIRST_ROWS = 1024;
/** What is kept of a finished order, and where among it some of it stands. */
export const KEPT_CELLS = KEPT_FLOATS + KEPT_INTS;
export const KEPT_ID = KEPT_FLOATS + ID - FIRST_INT;
export const KEPT_ACCOUNT = KEPT_FLOATS + ACCOUNT - FIRST_INT;
export const KEPT_WORD = KEPT_FLOATS + WORD - FIRST_INT;

/** Whose order ended, by index of the account, and in which state, in one word that is not 0. */
export const endingOf = (account: number, status: number): number => (account << ENDED_BITS) | status;
export const endedAccount = (ending: number): number => ending >> ENDED_BITS;
export const endedStatus = (ending: number): number => ending & ((1 << ENDED_BITS) - 1);

/** The code of the state in an order's word. */
export const statusOf = (word: number): number => word >> STATUS_SHIFT;
/** Row 0 is nobody, row 1 shows one finished order at a time. */
export const READING_ROW = 1;

/** A row as plain JSON, without its stake, which is numbered anew when it is loaded. */
export interface SavedRow {
  readonly floats: readonly number[];
  readonly ints: readonly number[];
}

/** The memory of the order table: typed rows that double when they are full. */
export class OrderRows {
  private floats = new Float64Array(FIRST_ROWS * FLOATS);
  private ints = new Int32Array(this.floats.buffer);

  id(row: number): OrderId {
    return this.ints[row * INTS + ID] as OrderId;
  }
  account(row: number): number {
    return this.ints[row * INTS + ACCOUNT] as number;
  }
  book(row: number): number {
    return this.ints[row * INTS + BOOK] as number;
  }
  /** Index of the stake it belongs to; unknown of a finished order. */
  stake(row: number): number {
    return this.ints[row * INTS + STAKE] as number;
  }
  /** Call for a row that was loaded. */
  setStake(row: number, stake: number): void {
    this.ints[row * INTS + STAKE] = stake;
  }
  side(row: number): number {
    return (this.ints[row * INTS + WORD] as number) & 1;
  }
  position(row: number): number {
    return ((this.ints[row * INTS + WORD] as number) >> 1) & 1;
  }
  currency(row: number): number {
    return ((this.ints[row * INTS + WORD] as number) >> 2) & 3;
  }
  /** Side, position and currency in one number below {@link KINDS}. */
  kind(row: number): number {
    return (this.ints[row * INTS + WORD] as number) & (KINDS - 1);
  }
  bookSide(row: number): BookSide {
    return (((this.ints[row * INTS + WORD] as number) >> 4) & 1) as BookSide;
  }
  status(row: number): number {
    return statusOf(this.ints[row * INTS + WORD] as number);
  }
  setStatus(row: number, status: number): void {
    const at = row * INTS + WORD;
    this.ints[at] = ((this.ints[at] as number) & ((1 << STATUS_SHIFT) - 1)) | (status << STATUS_SHIFT);
  }
  /** Long-side limit. */
  tick(row: number): Ticks {
    return this.ints[row * INTS + TICK] as Ticks;
  }
  /** Of the named position; null: a market order. */
  price(row: number): PriceUnits | null {
    const price = this.ints[row * INTS + PRICE] as number;
    return price === 0 ? null : (price as PriceUnits);
  }
  requested(row: number): Shares {
    return this.floats[row * FLOATS + REQUESTED] as Shares;
  }
  filled(row: number): Shares {
    return this.floats[row * FLOATS + FILLED_SHARES] as Shares;
  }
  /** Price x shares of all fills, in the named position's price. */
  filledAmount(row: number): Money {
    return this.floats[row * FLOATS + FILLED_AMOUNT] as Money;
  }
  addFill(row: number, shares: Shares, amount: Money): void {
    const { floats } = this;
    const at = row * FLOATS;
    floats[at + FILLED_SHARES] = (floats[at + FILLED_SHARES] as number) + shares;
    floats[at + FILLED_AMOUNT] = (floats[at + FILLED_AMOUNT] as number) + amount;
  }
  /** What the order has locked: money of a bid, shares of an ask. */
  locked(row: number): number {
    return this.floats[row * FLOATS + LOCKED] as number;
  }
  setLocked(row: number, locked: number): void {
    this.floats[row * FLOATS + LOCKED] = locked;
  }
  /** Rate x shares of all fills, see `fees.ts`. */
  accruedFee(row: number): number {
    return this.floats[row * FLOATS + ACCRUED] as number;
  }
  setAccruedFee(row: number, accrued: number): void {
    this.floats[row * FLOATS + ACCRUED] = accrued;
  }
  amount(row: number): Money {
    return this.floats[row * FLOATS + AMOUNT] as Money;
  }
  createdAt(row: number): Micros {
    return this.floats[row * FLOATS + CREATED] as Micros;
  }
  expiresAt(row: number): Micros | null {
    const time = this.floats[row * FLOATS + EXPIRES] as number;
    return time === NEVER ? null : (time as Micros);
  }
  /** Of a row that is not in use: the next such row. */
  protected nextFree(row: number): number {
    return this.ints[row * INTS + NEXT_FREE] as number;
  }
  protected setNextFree(row: number, next: number): void {
    this.ints[row * INTS + NEXT_FREE] = next;
  }

  /** Writes a whole row; makes room for it when needed. */
  protected write(row: number, id: number, order: NewOrder, status: number, at: Micros): void {
    this.reach(row);
    this.writeInts(row * INTS, id, order, status);
    const { floats } = this;
    const start = row * FLOATS;
    floats[start + REQUESTED] = order.shares;
    floats[start + FILLED_SHARES] = 0;
    floats[start + FILLED_AMOUNT] = 0;
    floats[start + AMOUNT] = order.amount;
    floats[start + CREATED] = at;
    floats[start + EXPIRES] = order.expiresAt ?? NEVER;
    floats[start + LOCKED] = 0;
    floats[start + ACCRUED] = 0;
  }

  /** Copies what is kept of a finished order out of its row: floats, then integers. */
  protected copyOut(row: number, cells: Float64Array, start: number): void {
    const { floats, ints } = this;
    for (let cell = 0; cell < KEPT_FLOATS; cell++) {
      cells[start + cell] = floats[row * FLOATS + cell] as number;
    }
    for (let cell = 0; cell < KEPT_INTS; cell++) {
      cells[start + KEPT_FLOATS + cell] = ints[row * INTS + FIRST_INT + cell] as number;
    }
  }

  /** Copies it back. */
  protected copyIn(row: number, cells: Float64Array, start: number): void {
    for (let cell = 0; cell < KEPT_FLOATS; cell++) {
      this.floats[row * FLOATS + cell] = cells[start + cell] as number;
    }
    for (let cell = 0; cell < KEPT_INTS; cell++) {
      this.ints[row * INTS + FIRST_INT + cell] = cells[start + KEPT_FLOATS + cell] as number;
    }
  }

  protected saveRow(row: number): SavedRow {
    return {
      floats: [...this.floats.subarray(row * FLOATS, row * FLOATS + ACCRUED + 1)],
      ints: [...this.ints.subarray(row * INTS + FIRST_INT, row * INTS + STAKE)],
    };
  }

  protected loadRow(row: number, { floats, ints }: SavedRow): void {
    this.reach(row);
    this.floats.set(floats, row * FLOATS);
    this.ints.set(ints, row * INTS + FIRST_INT);
  }

  private writeInts(start: number, id: number, order: NewOrder, status: number): void {
    const { ints } = this;
    const { stake } = order;
    ints[start + ID] = id;
    ints[start + ACCOUNT] = stake.account.index;
    ints[start + BOOK] = stake.book.index;
    ints[start + WORD] = wordOf(order, status);
    ints[start + PRICE] = order.price ?? 0;
    ints[start + TICK] = order.tick;
    ints[start + STAKE] = stake.index;
  }

  /** Makes sure that a row exists. */
  private reach(row: number): void {
    while ((row + 1) * INTS > this.ints.length) this.grow();
  }

  private grow(): void {
    const floats = new Float64Array(this.floats.length * 2);
    floats.set(this.floats);
    this.floats = floats;
    this.ints = new Int32Array(floats.buffer);
  }
}

const wordOf = ({ side, position, currency, bookSide }: NewOrder, status: number): number =>
  side | (position << 1) | (currency << 2) | (bookSide << 4) | (status << STATUS_SHIFT);
