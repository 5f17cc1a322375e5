import type { AccountId, OrderId } from '../../domain/ids.js';
import type { Shares, Ticks } from '../../domain/units.js';

const FIRST_CAPACITY = 64;

/**
 * What the last command traded, in the order it traded: one entry per resting order (maker) met. The buffer is
 * reused, so an entry is valid until the next command of any book that writes to it; it grows when a command
 * trades more often than any before it and never shrinks.
 */
export class Fills {
  private length = 0;
  private ints = new Int32Array(FIRST_CAPACITY * 3);
  private floats = new Float64Array(FIRST_CAPACITY * 2);

  /** Number of entries. */
  get count(): number {
    return this.length;
  }

  /** Id of the resting order; meaningless when {@link makerAccount} is `FOREIGN_ACCOUNT`. */
  makerId(entry: number): OrderId {
    return this.ints[entry * 3] as OrderId;
  }

  /** Account of the resting order. */
  makerAccount(entry: number): AccountId {
    return this.ints[entry * 3 + 1] as AccountId;
  }

  /** Price of the trade, which is the resting order's. */
  tick(entry: number): Ticks {
    return this.ints[entry * 3 + 2] as Ticks;
  }

  /** Shares traded, more than zero. */
  shares(entry: number): Shares {
    return this.floats[entry * 2] as Shares;
  }

  /** Shares the resting order has left; at zero it has left the book. */
  makerLeft(entry: number): Shares {
    return this.floats[entry * 2 + 1] as Shares;
  }

  /** Forgets all entries. Called by the book at the start of each command. */
  clear(): void {
    this.length = 0;
  }

  /** Appends one entry. Called by the book. */
  push(makerId: number, makerAccount: number, tick: number, shares: number, makerLeft: number): void {
    const entry = this.length;
    if (entry * 2 === this.floats.length) this.grow();
    this.length = entry + 1;
    const at = entry * 3;
    this.ints[at] = makerId;
    this.ints[at + 1] = makerAccount;
    this.ints[at + 2] = tick;
    this.floats[entry * 2] = shares;
    this.floats[entry * 2 + 1] = makerLeft;
  }

  private grow(): void {
    const ints = new Int32Array(this.ints.length * 2);
    const floats = new Float64Array(this.floats.length * 2);
    ints.set(this.ints);
    floats.set(this.floats);
    this.ints = ints;
    this.floats = floats;
  }
}
