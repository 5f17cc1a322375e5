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

/** What the row of a new order is filled with; codes as in `codes.ts`. */
export interface NewOrder {
  /** Indexes, not ids. */
  readonly account: number;
  readonly book: number;
  readonly side: number;
  readonly position: number;
  readonly currency: number;
  readonly bookSide: BookSide;
  /** Long-side limit; of a market order the worst price of the book. */
  readonly tick: Ticks;
  /** Of the named position; null: a market order. */
  readonly price: PriceUnits | null;
  /** 0: a market order by amount alone. */
  readonly requested: Shares;
  /** Price x shares, or what a market order may cost; 0: a market order by shares alone. */
  readonly amount: Money;
  readonly expiresAt: Micros | null;
  readonly createdAt: Micros;
}

/** A row: eight floats, then eight integers; 96 bytes. */
const FLOATS = 12;
const INTS = 24;
const REQUESTED = 0;
const FILLED_SHARES = 1;
const FILLED_AMOUNT = 2;
const LOCKED = 3;
const ACCRUED = 4;
const AMOUNT = 5;
const CREATED = 6;
const EXPIRES = 7;
const ID = 16;
const ACCOUNT = 17;
const BOOK = 18;
const WORD = 19;
const TICK = 20;
const PRICE = 21;
/** Chains of a working order: the account's orders on the same side of the same book. */
export const NEXT_OWN = 22;
export const PREVIOUS_OWN = 23;
/** Chains of a finished order, in the same cells: the account's finished orders, all finished orders. */
export const NEXT_DONE_OF_ACCOUNT = 22;
export const NEXT_DONE = 23;

const STATUS_SHIFT = 5;
const NEVER = -1;
const FIRST_ROWS = 1024;

/** The memory of the order table: typed rows in one buffer that doubles when it is full. Row 0 is nobody. */
export class OrderRows {
  private ints!: Int32Array;
  private floats!: Float64Array;
  private capacity = FIRST_ROWS;

  constructor() {
    this.view(new ArrayBuffer(FIRST_ROWS * FLOATS * 8));
  }

  id(row: number): OrderId {
    return this.ints[row * INTS + ID] as OrderId;
  }
  account(row: number): number {
    return this.ints[row * INTS + ACCOUNT] as number;
  }
  book(row: number): number {
    return this.ints[row * INTS + BOOK] as number;
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
  bookSide(row: number): BookSide {
    return (((this.ints[row * INTS + WORD] as number) >> 4) & 1) as BookSide;
  }
  status(row: number): number {
    return (this.ints[row * INTS + WORD] as number) >> STATUS_SHIFT;
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
    const at = row * FLOATS;
    this.floats[at + FILLED_SHARES] = (this.floats[at + FILLED_SHARES] as number) + shares;
    this.floats[at + FILLED_AMOUNT] = (this.floats[at + FILLED_AMOUNT] as number) + amount;
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
  /** @param chain one of the chain columns */
  link(row: number, chain: number): number {
    return this.ints[row * INTS + chain] as number;
  }
  setLink(row: number, chain: number, to: number): void {
    this.ints[row * INTS + chain] = to;
  }

  /** Writes a whole row; makes room for it when needed. */
  protected fill(row: number, id: number, order: NewOrder, status: number): void {
    if (row >= this.capacity) this.grow();
    this.fillInts(row * INTS, id, order, status);
    const at = row * FLOATS;
    const { floats } = this;
    floats[at + REQUESTED] = order.requested;
    floats[at + FILLED_SHARES] = 0;
    floats[at + FILLED_AMOUNT] = 0;
    floats[at + LOCKED] = 0;
    floats[at + ACCRUED] = 0;
    floats[at + AMOUNT] = order.amount;
    floats[at + CREATED] = order.createdAt;
    floats[at + EXPIRES] = order.expiresAt ?? NEVER;
  }

  private fillInts(at: number, id: number, order: NewOrder, status: number): void {
    const { ints } = this;
    ints[at + ID] = id;
    ints[at + ACCOUNT] = order.account;
    ints[at + BOOK] = order.book;
    ints[at + WORD] =
      order.side |
      (order.position << 1) |
      (order.currency << 2) |
      (order.bookSide << 4) |
      (status << STATUS_SHIFT);
    ints[at + TICK] = order.tick;
    ints[at + PRICE] = order.price ?? 0;
    ints[at + NEXT_OWN] = 0;
    ints[at + PREVIOUS_OWN] = 0;
  }

  private grow(): void {
    const old = this.ints;
    this.capacity *= 2;
    this.view(new ArrayBuffer(old.byteLength * 2));
    this.ints.set(old);
  }

  private view(buffer: ArrayBuffer): void {
    this.ints = new Int32Array(buffer);
    this.floats = new Float64Array(buffer);
  }
}
