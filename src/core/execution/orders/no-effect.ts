import type { VenueRequest } from '../../../domain/effects.js';
import type { RequestFailure } from '../../../domain/answers.js';
import { ORDER_ERRORS } from '../../../venues/futuur/protocol/errors.js';

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
