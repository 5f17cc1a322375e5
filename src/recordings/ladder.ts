/** One side of a book as a venue keeps it: sizes by price, best first. */

/** Prices of recordings, in steps of 0.00001: 1 = 100,000. */
export const FINE_ONE = 100_000;

export class Ladder {
  /** Prices in the venue's own count, best first. */
  readonly keys: number[] = [];
  readonly sizes: number[] = [];

  /** @param sign 1: the best price is the lowest, -1: the highest */
  constructor(private readonly sign: 1 | -1) {}

  get(key: number): number {
    const place = this.place(key);
    return this.keys[place] === key ? this.sizes[place]! : 0;
  }

  /** Sets the size at a price; zero removes it. */
  set(key: number, size: number): void {
    const place = this.place(key);
    const isThere = this.keys[place] === key;
    if (size === 0) {
      if (!isThere) return;
      this.keys.splice(place, 1);
      this.sizes.splice(place, 1);
    } else if (isThere) this.sizes[place] = size;
    else {
      this.keys.splice(place, 0, key);
      this.sizes.splice(place, 0, size);
    }
  }

  replace(levels: Iterable<readonly [key: number, size: number]>): void {
    this.keys.length = 0;
    this.sizes.length = 0;
    for (const [key, size] of levels) this.set(key, size);
  }

  equals(other: Ladder): boolean {
    return (
      this.keys.length === other.keys.length &&
      this.keys.every((key, at) => key === other.keys[at] && this.sizes[at] === other.sizes[at])
    );
  }

  /** The first place whose price is not better. */
  private place(key: number): number {
    const { keys, sign } = this;
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle]! - key) * sign < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Price on the long side as a count of 0.00001 (need not be whole), and shares as a count of 0.01. */
export type FineLevel = readonly [price: number, shares: number];

/** Levels on the grid of a neutral file, and how many were merged into another. */
interface GridLevels {
  readonly levels: [price: number, shares: number][];
  readonly merged: number;
}

/**
 * Puts levels on a grid, away from the other side: bids down, asks up. So no book becomes better than it was. Levels that
 * meet are merged; levels without shares, or at 0 or 1, are left out.
 * @param levels best first
 */
export function onGrid(
  levels: Iterable<FineLevel>,
  side: 'bid' | 'ask',
  grid: number,
  most: number,
): GridLevels {
  const found: [number, number][] = [];
  let merged = 0;
  for (const [price, exact] of levels) {
    const shares = Math.round(exact);
    const on = gridPrice(price, side, grid);
    if (shares <= 0 || on <= 0 || on >= FINE_ONE) continue;
    const last = found.at(-1);
    if (last !== undefined && last[0] === on) {
      last[1] += shares;
      merged += 1;
    } else if (found.length === most) break;
    else found.push([on, shares]);
  }
  return { levels: found, merged };
}

/** Quotients such as 1 / 1.25 miss whole steps by a rounding error. */
const NOISE = 1e-7;

/** @param side null: to the nearest step */
export function gridPrice(price: number, side: 'bid' | 'ask' | null, grid: number): number {
  const steps = price / grid;
  if (side === null) return Math.round(steps) * grid;
  return (side === 'bid' ? Math.floor(steps + NOISE) : Math.ceil(steps - NOISE)) * grid;
}
