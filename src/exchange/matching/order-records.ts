const NONE = 0;

/** Integers of one record; the first two are the storage of its shares as a float. */
const STRIDE = 8;
/** Where in a record each integer stands. */
export const ID = 2;
export const NEXT = 3;
export const PREVIOUS = 4;
export const LEVEL = 5;
export const ACCOUNT = 6;

/**
 * The resting orders of a book, 32 bytes each in one buffer (half a cache line), so that a steady flow allocates
 * nothing. A record is addressed by the offset of its first integer in {@link ints}; its shares, which may exceed
 * 32 bits, are `shares[record >> 1]`. Record 0 is nobody. Freed records are chained through `NEXT` and reused last
 * in, first out; when none is free the buffer doubles, and offsets stay what they were.
 */
export class OrderRecords {
  ints!: Int32Array;
  shares!: Float64Array;
  private free = NONE;
  private unused = STRIDE;

  /** @param capacity orders the buffer holds before it grows for the first time */
  constructor(capacity: number) {
    this.view(new ArrayBuffer((capacity + 1) * STRIDE * 4));
  }

  /** @returns a record whose content is left over from its last use */
  take(): number {
    const record = this.free;
    if (record !== NONE) {
      this.free = this.ints[record + NEXT]!;
      return record;
    }
    if (this.unused === this.ints.length) this.grow();
    this.unused += STRIDE;
    return this.unused - STRIDE;
  }

  /** Gives a record back. */
  release(record: number): void {
    this.ints[record + NEXT] = this.free;
    this.free = record;
  }

  private grow(): void {
    const old = this.ints;
    this.view(new ArrayBuffer(old.byteLength * 2));
    this.ints.set(old);
  }

  private view(buffer: ArrayBuffer): void {
    this.ints = new Int32Array(buffer);
    this.shares = new Float64Array(buffer);
  }
}
