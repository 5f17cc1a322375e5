import type { TradingRequest, VenueRequest } from '../../../domain/effects.js';
import type { LimitOrder } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { OwnOrder } from './own-order.js';
import type { TrackedOrder } from './tracked-order.js';
import type { AnswerBody, RefusalMeaning, RequestFailure } from '../../../domain/answers.js';

/** One trading request of ours until nothing about it is open any more. */
export interface OpenRequest<R extends TradingRequest = TradingRequest> {
  readonly requestId: number;
  readonly request: R;
  /** Per item the order to be created, put in place or cancelled; null for no order of ours. */
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

/** The ends that a listing found among `filled` and `canceled`, or why it did not look. */
export type Ended = NonNullable<Extract<AnswerBody, { readonly kind: 'read-orders' }>['ended']>;

/** Is it unknown whether the order exists at the venue? */
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

  /** Forgets requests that are neither under way nor waiting to be settled. */
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
 * Does this failure prove that no copy of the request had, or can still have, an effect?
 * A refusal that the venue keeps under the key (7.2) is the answer to every copy. Other refusals say nothing about an
 * earlier copy. A refusal of the moment (too many requests, too late) says nothing about a later copy either. A refused
 * cancel is asked for again in any case.
 * @param isRepeated whether the request left more than once under its key
 */
export function provesNoEffect(
  kind: VenueRequest['kind'],
  failure: RequestFailure,
  isRepeated: boolean,
): boolean {
  if (failure.kind === 'unknown') return false;
  if (failure.kind === 'refused' && OF_THE_ORDER.has(failure.means)) return true;
  if (isRepeated) return false;
  return failure.kind === 'not-sent' || isCancel(kind) || !isOfTheMoment(failure);
}

const isCancel = (kind: VenueRequest['kind']): boolean => kind === 'cancel-orders' || kind === 'cancel-scope';

const isOfTheMoment = ({ means }: Refusal): boolean => means === 'throttled' || means === 'too-late';

/** What the order itself is refused for. */
const OF_THE_ORDER: ReadonlySet<RefusalMeaning> = new Set([
  'account-barred',
  'no-funds',
  'bad-shares',
  'bad-amount',
  'market-closed',
  'conflicting-orders',
]);
