const GOLDEN = 0x9e3779b1 | 0;
const FREE = 0;

/**
 * Finds an order's row by its id. Open addressing with linear probing over pairs (id, row) in one
 * typed array; the hash is multiplicative, so consecutive ids and ids already mixed over 32 bits both spread.
 * A removal shifts the following entries back instead of leaving a tombstone: the table never degrades and is
 * never rebuilt but to grow. At most half full.
 *
 * Ids are 32-bit signed integers, any of them; rows are positive integers.
 */
export class RowIndex {
  private pairs: Int32Array;
  private mask: number;
  private shift: number;
  private length = 0;

  /** @param capacity entries the table holds before it grows for the first time */
  constructor(capacity: number) {
    const bits = Math.max(4, 33 - Math.clz32(capacity - 1));
    this.pairs = new Int32Array(2 << bits);
    this.mask = (1 << bits) - 1;
    this.shift = 32 - bits;
  }

  /** @returns the row of an id, 0 when the id is absent */
  find(id: number): number {
    const { pairs, mask } = this;
    let slot = (Math.imul(id, GOLDEN) >>> this.shift) | 0;
    for (;;) {
      const row = pairs[slot * 2 + 1]!;
      if (row === FREE || pairs[slot * 2] === id) return row;
      slot = (slot + 1) & mask;
    }
  }

  /** Adds an id that is absent. @returns false, and changes nothing, when it is present */
  insert(id: number, row: number): boolean {
    if (this.length * 2 > this.mask) this.grow();
    const { pairs, mask } = this;
    let slot = (Math.imul(id, GOLDEN) >>> this.shift) | 0;
    while (pairs[slot * 2 + 1] !== FREE) {
      if (pairs[slot * 2] === id) return false;
      slot = (slot + 1) & mask;
    }
    pairs[slot * 2] = id;
    pairs[slot * 2 + 1] = row;
    this.length++;
    return true;
  }

  /** Removes an id. @returns its row, 0 when it was absent */
  remove(id: number): number {
    const { pairs, mask } = this;
    let slot = (Math.imul(id, GOLDEN) >>> this.shift) | 0;
    for (;;) {
      const row = pairs[slot * 2 + 1]!;
      if (row === FREE) return FREE;
      if (pairs[slot * 2] === id) {
        this.close(slot);
        return row;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** Shifts back every following entry that may stand nearer to its home, until a free slot ends the run. */
  private close(removed: number): void {
    const { pairs, mask, shift } = this;
    let hole = removed;
    let slot = (hole + 1) & mask;
    for (let row = pairs[slot * 2 + 1]!; row !== FREE; row = pairs[slot * 2 + 1]!) {
      const id = pairs[slot * 2]!;
      const home = (Math.imul(id, GOLDEN) >>> shift) | 0;
      if (((slot - home) & mask) >= ((slot - hole) & mask)) {
        pairs[hole * 2] = id;
        pairs[hole * 2 + 1] = row;
        hole = slot;
      }
      slot = (slot + 1) & mask;
    }
    pairs[hole * 2 + 1] = FREE;
    this.length--;
  }

  private grow(): void {
    const old = this.pairs;
    this.pairs = new Int32Array(old.length * 2);
    this.mask = this.mask * 2 + 1;
    this.shift--;
    this.length = 0;
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] !== FREE) this.insert(old[at]!, old[at + 1]!);
    }
  }
}
