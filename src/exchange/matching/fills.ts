import type { OrderId } from '../../domain/ids.js';
import type { Shares, Ticks } from '../../domain/units.js';

/** Numbers kept for each entry. */
const STRIDE = 4;
const MAKER_ID = 0;
const TICK = 1;
const SHARES = 2;
const MAKER_LEFT = 3;
const FIRST_CAPACITY = 64;

/**
 * What the last command traded, in the order it traded: one entry per resting order (maker) met. The buffer is
 * reused, so an entry is valid until the next command of a book that writes to it; it grows when a command trades
 * more often than any before it and never shrinks.
 */
export class Fills {
  private numbers = new Float64Array(FIRST_CAPACITY * STRIDE);
  private length = 0;

  /** Number of entries. */
  get count(): number {
    return this.length;
  }

  /** Id of the resting order, `FOREIGN_ORDER` when others' volume was met. */
  makerId(entry: number): OrderId {
    return this.numbers[entry * STRIDE + MAKER_ID] as OrderId;
  }

  /** Price of the trade, which is the resting order's. */
  tick(entry: number): Ticks {
    return this.numbers[entry * STRIDE + TICK] as Ticks;
  }

  /** Shares traded, more than zero. */
  shares(entry: number): Shares {
    return this.numbers[entry * STRIDE + SHARES] as Shares;
  }

  /** Shares the resting order has left; at zero it has left the book. Of others: what stands at that place still. */
  makerLeft(entry: number): Shares {
    return this.numbers[entry * STRIDE + MAKER_LEFT] as Shares;
  }

  /** Forgets all entries. Called by the book at the start of each command. */
  clear(): void {
    this.length = 0;
  }

  /** Appends one entry. Called by the book. */
  push(makerId: number, tick: number, shares: number, makerLeft: number): void {
    const at = this.length * STRIDE;
    if (at === this.numbers.length) this.grow();
    const { numbers } = this;
    numbers[at + MAKER_ID] = makerId;
    numbers[at + TICK] = tick;
    numbers[at + SHARES] = shares;
    numbers[at + MAKER_LEFT] = makerLeft;
    this.length++;
  }

  private grow(): void {
    const { numbers } = this;
    this.numbers = new Float64Array(numbers.length * 2);
    this.numbers.set(numbers);
  }
}
