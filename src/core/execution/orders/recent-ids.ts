import type { OrderId } from '../../../domain/ids.js';

const IDS = 10_000;

/**
 * The ids of the orders forgotten last, at least ten thousand of them, so that a late copy of a frame does not revive
 * one. Two sets in turn: taking the oldest out of one, each time one comes, looks past all that were taken out before.
 */
export class RecentIds {
  #younger = new Set<OrderId>();
  #older = new Set<OrderId>();

  add(id: OrderId): void {
    if (this.#younger.size >= IDS) [this.#older, this.#younger] = [this.#younger, new Set()];
    this.#younger.add(id);
  }

  has(id: OrderId): boolean {
    return this.#younger.has(id) || this.#older.has(id);
  }

  delete(id: OrderId): void {
    this.#younger.delete(id);
    this.#older.delete(id);
  }
}
