/** How many calls at the venue a request of ours is: the allowance counts calls. */
import type { VenueRequest } from '../../../domain/effects.js';
import type { Answer } from '../../../domain/answers.js';

/** A listing of orders asks for each of `processing`, `open` and `partial_filled`. */
export const LISTING_CALLS = 3;

/**
 * Where orders that are known are in none of these, it goes on to `filled` and `canceled`: a page of each at least, and
 * no more than ten of each, for these lists grow with the history of the account.
 */
export const ENDS_CALLS = 2;
const ENDS_CALLS_MOST = 20;

/** Pages of `filled` and `canceled` that a listing may read. @param spare calls that nothing else needs now */
export const endsCalls = (spare: number): number => Math.max(ENDS_CALLS, Math.min(spare, ENDS_CALLS_MOST));

/** Calls that a request makes at least. */
export const requestsOf = ({ kind }: VenueRequest): number => (kind === 'read-orders' ? LISTING_CALLS : 1);

/**
 * Calls that it made beyond those: further pages, and what was signed again after its time was refused. Negative for
 * what never left.
 */
export const furtherCallsOf = (request: VenueRequest, { calls }: Pick<Answer, 'calls'>): number =>
  calls === undefined ? 0 : calls - requestsOf(request);
