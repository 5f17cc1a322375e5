/** Failed REST answers as the domain's request failures. */
import type { RequestFailure } from '../../../../domain/answers.js';
import { ErrorBody, isVenueErrorCode, OTHER_CODE, meaningOfRefusal } from '../errors.js';
import { readRetryAfterMs } from '../rest/headers.js';
import { firstProblem, shape } from '../shape.js';

const errorBody = shape(ErrorBody);

/** Any answer that is not the endpoint's success. */
export interface FailedAnswer {
  readonly status: number;
  /** The parsed JSON body; undefined when it was none. */
  readonly body: unknown;
  readonly retryAfter: string | undefined;
}

/**
 * Only an error that the venue itself worded proves that nothing happened: a status of 400 to 499 with an error
 * body, or 429 whatever its body. A 5xx or a page of some proxy is `unknown`.
 */
export function readFailure({ status, body, retryAfter }: FailedAnswer): RequestFailure {
  const worded = errorBody.accepts(body) ? body : null;
  if (status === 429) return refused(status, worded ?? { error: 'Throttled' }, retryAfter);
  if (worded === null || status < 400 || status > 499) {
    return { kind: 'unknown', reason: `status ${status}${worded === null ? ' without an error body' : ''}` };
  }
  return refused(status, worded, retryAfter);
}

/** A code that nobody knows is `other`, and stands in the detail. */
const refused = (status: number, body: ErrorBody, retryAfter: string | undefined): RequestFailure => ({
  kind: 'refused',
  status,
  code: isVenueErrorCode(body.error) ? body.error : OTHER_CODE,
  means: meaningOfRefusal({ status, code: body.error }),
  detail: detailOf(body),
  retryAfterMs: readRetryAfterMs(retryAfter),
});

const detailOf = ({ error, detail, fields }: ErrorBody): string =>
  [isVenueErrorCode(error) ? '' : error, detail ?? '', fields === undefined ? '' : firstProblem(fields)]
    .filter((text) => text !== '')
    .join(' ');
