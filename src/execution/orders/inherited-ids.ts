import type { OrderId } from '../../domain/ids.js';
import type { OrderReport } from '../../domain/orders.js';

/** An order advances while the pages are read, and a page can be lost: one listing alone proves no absence. */
const PASSES = 2;

/**
 * Ids that runs before this one were given and that may still rest. Each is known once a complete listing has shown it,
 * or cancels by its id were answered. That listings do not show it is no proof, however often: nothing under `open` or
 * `partial_filled` is also what a venue in trouble answers, and a start that believed it would ask for everything a
 * second time.
 */
export class InheritedIds {
  readonly #unseen = new Set<OrderId>();
  /** Of those, the ones of which the venue has refused a cancel. */
  readonly #refused = new Set<OrderId>();
  #passes = 0;

  expect(ids: readonly OrderId[]): void {
    for (const id of ids) this.#unseen.add(id);
  }

  /** One complete pass over everything that works. */
  listed(present: readonly Pick<OrderReport, 'orderId'>[]): void {
    if (this.areKnown) return;
    for (const { orderId } of present) this.#unseen.delete(orderId);
    this.#passes += 1;
  }

  /**
   * A cancel by this id was answered. One that is refused may have met an order that was being processed, which no cancel
   * takes: only a second refusal says that nothing rests.
   */
  cancelled(id: OrderId, isDone: boolean): void {
    if (!this.#unseen.has(id)) return;
    if (isDone || this.#refused.has(id)) this.#unseen.delete(id);
    else this.#refused.add(id);
  }

  /** What enough listings have not shown: only a cancel can tell. */
  get missed(): readonly OrderId[] {
    return this.#passes < PASSES ? [] : [...this.#unseen];
  }

  /** Whether it is known of all whether they still rest. */
  get areKnown(): boolean {
    return this.#unseen.size === 0;
  }
}
