import type { Side } from '../../domain/vocabulary.js';

/** An order that rests. */
interface Resting {
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  shares: number;
}

/** What left, and where it stood. */
export interface Departed {
  readonly side: Side;
  readonly price: number;
  readonly shares: number;
  /** Shares of its level before it. */
  readonly ahead: number;
  /** Shares of its level afterwards. */
  readonly left: number;
}

/** The queues of a recording that tells each order, first in time first; time is the order's number, as venues count. */
export class OrderQueues {
  readonly #orders = new Map<number, Resting>();
  readonly #levels = { bid: new Map<number, Resting[]>(), ask: new Map<number, Resting[]>() };

  has(id: number): boolean {
    return this.#orders.has(id);
  }

  /** @returns shares of its level before it */
  join(order: Resting): number {
    const queue = this.#levels[order.side].get(order.price) ?? [];
    this.#levels[order.side].set(order.price, queue);
    let place = queue.length;
    while (place > 0 && queue[place - 1]!.id > order.id) place -= 1;
    queue.splice(place, 0, order);
    this.#orders.set(order.id, order);
    return total(queue.slice(0, place));
  }

  /** @param shares null: all of it. @returns null when there is no such order, or it has fewer */
  leave(id: number, shares: number | null): Departed | null {
    const order = this.#orders.get(id);
    if (order === undefined || (shares ?? 0) > order.shares) return null;
    const { side, price } = order;
    const queue = this.#levels[side].get(price) ?? [];
    const place = queue.indexOf(order);
    const gone = shares ?? order.shares;
    order.shares -= gone;
    if (order.shares === 0) {
      this.#orders.delete(id);
      queue.splice(place, 1);
    }
    return { side, price, shares: gone, ahead: total(queue.slice(0, place)), left: total(queue) };
  }
}

const total = (queue: readonly Resting[]): number => queue.reduce((sum, { shares }) => sum + shares, 0);
