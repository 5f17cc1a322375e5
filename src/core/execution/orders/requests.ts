import type { TradingRequest, VenueRequest } from '../../../domain/effects.js';
import type { LimitOrder } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { OwnOrder } from './own-order.js';
import type { TrackedOrder } from './tracked-order.js';
import type { AnswerBody, RequestFailure } from '../../../domain/answers.js';
import { ORDER_ERRORS } from '../../../venues/futuur/protocol/errors.js';

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

/** What a pass found among `filled` and `canceled`, or why not. */
export type Ended = NonNullable<Extract<AnswerBody, { readonly kind: 'read-orders' }>['ended']>;

/** Is this an order that was asked for and of which nobody has told whether it exists? */
export const isUnsettled = ({ orderId, state }: OwnOrder): boolean =>
  orderId === null && (state === 'unknown' || state === 'cancelling');

/** @returns the orders of a create or update that still wait to be settled */
export function unsettled(open: OpenRequest): readonly OwnOrder[] {
  if (open.request.kind === 'cancel-orders' || open.request.kind === 'cancel-scope') return [];
  return open.orders.filter((order) => order !== null && isUnsettled(order)) as OwnOrder[];
}

/** What a request may put into the book. */
export function ordersOf(request: VenueRequest): readonly LimitOrder[] {
  if (request.kind === 'create-orders') return request.orders;
  if (request.kind !== 'replace-orders') return [];
  return request.replacements.map(({ place, price, shares, expiresAt }) => ({
    ...place,
    price,
    shares,
    expiresAt,
  }));
}

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
    for (const [id, open] of this.#open)
      if (!open.inFlight && unsettled(open).length === 0) this.#open.delete(id);
  }

  values(): IterableIterator<OpenRequest> {
    return this.#open.values();
  }
}

type Refusal = Extract<RequestFailure, { readonly kind: 'refused' }>;

/**
 * Does this failure prove that no copy of the request had an effect or may yet have one?
 *
 * A refusal that the venue keeps under the key (7.2) is what every copy gets. Any other says nothing of a copy that left
 * before, and one that lies in the moment (too many, too late) nothing of a copy that a proxy sent on: the next moment
 * may take it. A cancel that was refused is asked for again whatever became of its copies.
 * @param isRepeated whether the request left more than once under its key
 */
export function provesNoEffect(
  kind: VenueRequest['kind'],
  failure: RequestFailure,
  isRepeated: boolean,
): boolean {
  if (failure.kind === 'unknown') return false;
  if (failure.kind === 'refused' && Object.hasOwn(ORDER_ERRORS, failure.code)) return true;
  if (isRepeated) return false;
  return failure.kind === 'not-sent' || isCancel(kind) || !isOfTheMoment(failure);
}

const isCancel = (kind: VenueRequest['kind']): boolean => kind === 'cancel-orders' || kind === 'cancel-scope';

const isOfTheMoment = ({ status, code }: Refusal): boolean => status === 429 || code === 'ExpiredTimestamp';
