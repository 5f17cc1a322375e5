/** How many calls at the venue a request of ours is: the allowance counts calls. */
import type { VenueRequest } from '../../domain/effects.js';
import type { AnswerBody } from '../../domain/inputs.js';

/** A listing of orders asks for each of `processing`, `open` and `partial_filled`. */
export const LISTING_CALLS = 3;
/** New records per page: pages are of 100 and overlap by 20. */
const PAGE_ADVANCE = 80;
const FIRST_PAGE = 100;

/** Calls that a request makes at least. */
export const requestsOf = ({ kind }: VenueRequest): number => (kind === 'read-orders' ? LISTING_CALLS : 1);

/** Calls that a listing made beyond those, as far as its length tells. */
export function furtherPagesOf(body: AnswerBody): number {
  const records =
    body.kind === 'read-orders'
      ? body.orders.length
      : body.kind === 'read-holdings'
        ? body.holdings.length
        : 0;
  return Math.ceil(Math.max(0, records - FIRST_PAGE) / PAGE_ADVANCE);
}
