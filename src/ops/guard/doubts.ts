import type { OrderId } from '../../domain/ids.js';

/**
 * Orders that may be a bot's or somebody else's, as far as nobody knows that they are gone: an empty listing does not tell
 * that, one that shows others does.
 */
export class Doubts {
  #open: ReadonlySet<OrderId> = new Set();
  /** Those that a listing has missed while it showed others. */
  readonly #gone = new Set<OrderId>();

  get open(): readonly OrderId[] {
    return [...this.#open];
  }

  /**
   * A complete listing.
   * @param shown   those in it that may be the bot's
   * @param doubted those that the bot itself could not place
   * @param isEmpty it shows nothing at all
   * @param isPlaced whose it is is known by now
   */
  listed(
    shown: readonly OrderId[],
    doubted: ReadonlySet<OrderId>,
    isEmpty: boolean,
    isPlaced: (id: OrderId) => boolean,
  ): void {
    const before = [...this.#open, ...doubted].filter((id) => !isPlaced(id) && !this.#gone.has(id));
    this.#open = new Set(isEmpty ? before : shown);
    for (const id of before) if (!this.#open.has(id)) this.#gone.add(id);
    for (const id of shown) this.#gone.delete(id);
  }
}
