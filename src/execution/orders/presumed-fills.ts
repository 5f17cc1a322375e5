import type { Shares } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import type { OwnOrder } from './own-order.js';

/** A holding that was set to the venue's number, and by how much: negative when it shrank. */
export interface RepairedHolding {
  readonly position: Position;
  readonly came: number;
}

/**
 * Shares change hands by orders alone. So a difference of holdings that was repaired is a fill that nobody has told us
 * of yet, and the frame that does may only be late: what it tells is in the holding already.
 */
export class PresumedFills {
  readonly #shares = new WeakMap<OwnOrder, number>();

  /** @param candidates orders of the market, those likeliest to have been filled unheard first */
  presume(candidates: readonly OwnOrder[], { position, came }: RepairedHolding): void {
    const side = came > 0 ? 'bid' : 'ask';
    const ofPosition = candidates.filter((order) => order.position === position);
    let left = this.#takeBack(
      ofPosition.filter((order) => order.side !== side),
      Math.abs(came),
    );
    for (const order of ofPosition) {
      if (order.side !== side || !order.countsFills || order.orderId === null) continue;
      const presumed = Math.min(left, order.requested - order.filled - this.#of(order));
      this.#set(order, this.#of(order) + presumed);
      left -= presumed;
    }
  }

  /** A fill of the order is told. @returns how much of it the holding contains already */
  told(order: OwnOrder, shares: Shares): Shares {
    const presumed = Math.min(shares, this.#of(order));
    this.#set(order, this.#of(order) - presumed);
    return presumed as Shares;
  }

  /** What was presumed the other way proved wrong first. @returns what is left to be explained */
  #takeBack(orders: readonly OwnOrder[], shares: number): number {
    let left = shares;
    for (const order of orders) {
      const back = Math.min(left, this.#of(order));
      this.#set(order, this.#of(order) - back);
      left -= back;
    }
    return left;
  }

  #of(order: OwnOrder): number {
    return this.#shares.get(order) ?? 0;
  }

  #set(order: OwnOrder, shares: number): void {
    if (shares > 0) this.#shares.set(order, shares);
    else this.#shares.delete(order);
  }
}
