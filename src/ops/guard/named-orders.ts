import type { OrderId } from '../../domain/ids.js';

/** A cancel that met an order in processing is refused; one in processing that long is in no venue that works. */
const AGAIN_US = 2_000_000;

/**
 * Orders that a journal names. Each counts as standing until the venue has answered for its id: a cancel of it was done, or was
 * refused again after a while in which no listing showed it. That no listing shows it is no proof, however often.
 */
export class NamedOrders {
  readonly #over = new Set<OrderId>();
  /** When a cancel was refused, monotonic. */
  readonly #refusedAt = new Map<OrderId, number>();

  /** A complete listing showed these: what was told of them before was of another moment. */
  shown(ids: Iterable<OrderId>): void {
    for (const id of ids) {
      this.#over.delete(id);
      this.#refusedAt.delete(id);
    }
  }

  /** A cancel by this id was answered. @param at monotonic */
  answered(id: OrderId, isDone: boolean, at: number): void {
    const refusedAt = this.#refusedAt.get(id);
    if (isDone || (refusedAt !== undefined && at >= refusedAt + AGAIN_US)) this.#over.add(id);
    else if (refusedAt === undefined) this.#refusedAt.set(id, at);
  }

  /** Those of which nobody knows that they are over. */
  open(named: Iterable<OrderId>): readonly OrderId[] {
    return [...named].filter((id) => !this.#over.has(id));
  }

  /** Whether to ask for its cancel now: right after a refusal it would be refused for the same reason. */
  isDue(id: OrderId, at: number): boolean {
    const refusedAt = this.#refusedAt.get(id);
    return refusedAt === undefined || at >= refusedAt + AGAIN_US;
  }
}
