import type { TradingRequest } from '../domain/effects.js';
import type { Micros } from '../domain/units.js';
import type { TrackedOrder } from './own-order.js';

/** One trading request of ours until nothing about it is open any more. */
export interface OpenRequest<R extends TradingRequest = TradingRequest> {
  readonly requestId: number;
  readonly request: R;
  /** Per item the order asked for (create), put in place (update) or to be cancelled; null: no such order of ours. */
  readonly orders: (TrackedOrder | null)[];
  /** Per item of an update the order to be replaced. */
  readonly replaced: readonly TrackedOrder[];
  /** When it first left. */
  readonly decidedAt: Micros;
  /** When its latest copy left. */
  sentAt: Micros;
  inFlight: boolean;
  /** How often it was sent again under its own key. */
  replays: number;
}

/** Does an item of it still wait to be settled? */
export const isUnsettled = (open: OpenRequest): boolean =>
  open.orders.some((order) => order !== null && order.state === 'unknown' && order.orderId === null);

/** The open requests by id, oldest first. */
export class OpenRequests {
  readonly #open = new Map<number, OpenRequest>();

  add(request: OpenRequest): void {
    this.#open.set(request.requestId, request);
  }

  get(requestId: number): OpenRequest | undefined {
    return this.#open.get(requestId);
  }

  /** Forgets what is neither under way nor waiting to be settled. */
  prune(): void {
    for (const [id, open] of this.#open) if (!open.inFlight && !isUnsettled(open)) this.#open.delete(id);
  }

  values(): IterableIterator<OpenRequest> {
    return this.#open.values();
  }
}
