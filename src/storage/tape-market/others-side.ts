/** One side of a book without the recorder's own shares in it. */
import type { Levels } from '../../domain/levels.js';
import type { PriceUnits, Shares } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { LevelStep } from '../../venues/simulated/models/inferred-prints.js';

export interface OthersLevel {
  readonly price: PriceUnits;
  readonly shares: Shares;
}

/**
 * Others' levels of one side, from frames that show the best N with our own among them. What we took from a level is
 * put back until the level grows or vanishes: without us it would have stood there. A level that ours pushed out of
 * sight is taken to stand as it was last seen.
 */
export class OthersSide {
  levels: readonly OthersLevel[] = [];
  /** Whether others may stand behind the last of these levels although a frame can show more than them. */
  isCut = false;
  readonly #sign: 1 | -1;
  /** Of each level that we took from: shares, and what the frame before left of others there. */
  readonly #taken = new Map<PriceUnits, { shares: number; rest: number }>();

  constructor(side: Side) {
    this.#sign = side === 'bid' ? -1 : 1;
  }

  /** We took shares that stood here. */
  take(price: PriceUnits, shares: Shares): void {
    const rest = this.levels.find((level) => level.price === price)?.shares ?? 0;
    const taken = this.#taken.get(price) ?? { shares: 0, rest };
    this.#taken.set(price, { shares: taken.shares + shares, rest: taken.rest });
  }

  /**
   * Takes a frame in.
   * @param own our shares at a price when the frame was made
   * @param topN levels that a frame can show
   * @returns every level of before and after, best first
   */
  show(shown: Levels, own: ReadonlyMap<number, number>, topN: number): readonly LevelStep[] {
    const before = this.levels;
    const after: OthersLevel[] = [];
    for (let at = 0; at < shown.prices.length; at++) {
      const price = shown.prices[at]!;
      const rest = Math.max(0, shown.shares[at]! - (own.get(price) ?? 0));
      const shares = this.#withTaken(price, rest);
      if (shares > 0) after.push({ price, shares: shares as Shares });
    }
    const isFull = shown.prices.length >= topN && topN > 0;
    if (isFull) this.#appendUnseen(after, shown.prices.at(-1)!, topN);
    this.isCut = isFull && after.length < topN;
    this.levels = after;
    return this.#steps(before, after);
  }

  #appendUnseen(after: OthersLevel[], worst: PriceUnits, topN: number): void {
    for (const level of this.levels) {
      if (after.length >= topN) return;
      if (this.#sign * level.price > this.#sign * worst) after.push(level);
    }
  }

  #withTaken(price: PriceUnits, rest: number): number {
    const taken = this.#taken.get(price);
    if (taken === undefined) return rest;
    if (rest === 0 || rest > taken.rest) {
      this.#taken.delete(price);
      return rest;
    }
    taken.rest = rest;
    return rest + taken.shares;
  }

  #steps(before: readonly OthersLevel[], after: readonly OthersLevel[]): readonly LevelStep[] {
    const sizes = new Map<PriceUnits, [number, number]>();
    for (const { price, shares } of before) sizes.set(price, [shares, 0]);
    for (const { price, shares } of after) sizes.set(price, [sizes.get(price)?.[0] ?? 0, shares]);
    return [...sizes]
      .toSorted(([a], [b]) => this.#sign * (a - b))
      .map(([price, [was, is]]) => ({ price, before: was as Shares, after: is as Shares }));
  }
}
