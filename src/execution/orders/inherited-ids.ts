import type { OrderId } from '../../domain/ids.js';
import type { OrderReport } from '../../domain/orders.js';

/** An order advances while the pages are read, and a page can be lost: one listing alone proves no absence. */
const PASSES = 2;
/** Nothing under `open` or `partial_filled` is what a venue in trouble answers, each by itself: it takes more of them. */
const EMPTY_PASSES = 4;

/**
 * Ids that runs before this one were given and that may still rest. Each is known once a complete listing has shown it
 * or enough of them have not: a start that believed one empty listing would ask for everything a second time.
 */
export class InheritedIds {
  readonly #unseen = new Set<OrderId>();
  #passes = 0;
  #emptyPasses = 0;

  expect(ids: readonly OrderId[]): void {
    for (const id of ids) this.#unseen.add(id);
  }

  /** One complete pass over everything that works. */
  listed(present: readonly Pick<OrderReport, 'orderId' | 'status'>[]): void {
    if (this.areKnown) return;
    for (const { orderId } of present) this.#unseen.delete(orderId);
    const shows = (status: OrderReport['status']): boolean =>
      present.some((order) => order.status === status);
    if (shows('open') && shows('partial_filled')) this.#passes += 1;
    else this.#emptyPasses += 1;
    if (this.#passes >= PASSES || this.#emptyPasses >= EMPTY_PASSES) this.#unseen.clear();
  }

  /** Whether it is known of all whether they still rest. */
  get areKnown(): boolean {
    return this.#unseen.size === 0;
  }
}
