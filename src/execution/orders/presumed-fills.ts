import type { Micros, Shares } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import type { TrackedOrder } from './own-order.js';

/** A holding that was set to the venue's number, and by how much: negative when it shrank. */
export interface RepairedHolding {
  readonly position: Position;
  readonly came: number;
}

/** Shares of a repair, and the order that is presumed to have traded them. */
interface Presumption {
  readonly order: TrackedOrder;
  readonly at: Micros;
  /** Orders of which it is known what they had traded by then: it was told, or is told of them now. */
  readonly told: Set<TrackedOrder>;
  shares: number;
}

const NOTHING: readonly Presumption[] = [];

/**
 * Shares change hands by orders alone. So a difference of holdings that was repaired is a fill that nobody has told us
 * of yet, and the frame that does may only be late: what it tells is in the holding already. Which of several orders was
 * filled is a guess until they are heard of, so that the first to tell of a fill is believed.
 */
export class PresumedFills {
  readonly #memory: number;
  #presumptions: readonly Presumption[] = NOTHING;

  /** @param memory after so many microseconds every order has been heard of that will ever be */
  constructor(memory: number) {
    this.#memory = memory;
  }

  /** @param candidates orders of the market, those likeliest to have been filled unheard first */
  presume(candidates: readonly TrackedOrder[], { position, came }: RepairedHolding, at: Micros): void {
    const side = came > 0 ? 'bid' : 'ask';
    const ofPosition = candidates.filter((order) => order.position === position);
    this.#forgetBefore(at - this.#memory);
    let left = this.#takeBack(
      ofPosition.filter((order) => order.side !== side),
      Math.abs(came),
    );
    for (const order of ofPosition) {
      if (order.side !== side || !order.countsFills) continue;
      const shares = Math.min(left, order.requested - order.filled - this.#of(order));
      if (shares <= 0) continue;
      this.#presumptions = [...this.#presumptions, { order, at, shares, told: new Set() }];
      left -= shares;
    }
  }

  /** What the order had traded by that time is known: a later fill of it is a new one. */
  heard(order: TrackedOrder, by: number): void {
    for (const presumption of this.#presumptions) if (presumption.at < by) presumption.told.add(order);
  }

  /**
   * A fill of the order is told.
   * @param lent hears of each other order of which some of it had been presumed, and which may have traded all the same
   * @returns how much of the fill the holding contains already
   */
  told(order: TrackedOrder, shares: Shares, lent: (lender: TrackedOrder) => void): Shares {
    let left: number = shares;
    for (const presumption of this.#explaining(order)) {
      const taken = take(presumption, left);
      if (taken > 0 && presumption.order !== order) lent(presumption.order);
      left -= taken;
    }
    return (shares - left) as Shares;
  }

  /**
   * What may be the same shares as a fill of the order. The oldest repair comes first: younger orders had a part in later
   * ones alone.
   */
  #explaining(order: TrackedOrder): readonly Presumption[] {
    if (this.#presumptions.length === 0) return NOTHING;
    const isForeign = (presumption: Presumption): number => (presumption.order === order ? 0 : 1);
    return this.#presumptions
      .filter(({ order: other, at, told }) => isAlike(other, order) && order.bornAt < at && !told.has(order))
      .toSorted((one, other) => one.at - other.at || isForeign(one) - isForeign(other));
  }

  /** What was presumed the other way proved wrong first. @returns what is left to be explained */
  #takeBack(orders: readonly TrackedOrder[], shares: number): number {
    let left = shares;
    for (const presumption of this.#presumptions)
      if (orders.includes(presumption.order)) left -= take(presumption, left);
    return left;
  }

  #of(order: TrackedOrder): number {
    let shares = 0;
    for (const one of this.#presumptions) if (one.order === order) shares += one.shares;
    return shares;
  }

  #forgetBefore(time: number): void {
    this.#presumptions = this.#presumptions.filter(({ at, shares }) => at >= time && shares > 0);
  }
}

/** @returns how many of the shares were presumed, and are no more */
function take(presumption: Presumption, shares: number): number {
  const taken = Math.min(shares, presumption.shares);
  presumption.shares -= taken;
  return taken;
}

const isAlike = (one: TrackedOrder, other: TrackedOrder): boolean =>
  one.marketId === other.marketId && one.side === other.side && one.position === other.position;
