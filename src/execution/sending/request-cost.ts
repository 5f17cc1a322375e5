/** How many calls at the venue a request of ours is: the allowance counts calls. */
import type { VenueRequest } from '../../domain/effects.js';
import type { Answer } from '../../domain/answers.js';

/** A listing of orders asks for each of `processing`, `open` and `partial_filled`. */
export const LISTING_CALLS = 3;

/** Calls that a request makes at least. */
export const requestsOf = ({ kind }: VenueRequest): number => (kind === 'read-orders' ? LISTING_CALLS : 1);

/**
 * Calls that it made beyond those: further pages, and what was signed again after its time was refused. Negative for
 * what never left.
 */
export const furtherCallsOf = (request: VenueRequest, { calls }: Pick<Answer, 'calls'>): number =>
  calls === undefined ? 0 : calls - requestsOf(request);
