/** Failed REST answers as the domain's request failures. */
import type { RequestFailure } from '../../../../domain/answers.js';
import { ErrorBody, type FieldProblems } from '../errors.js';
import { readRetryAfterMs } from '../rest/headers.js';
import { meaningOfRefusal } from '../refusals.js';
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
  if (status === 429) return refused(status, worded?.error ?? 'Throttled', worded?.detail, retryAfter);
  if (worded === null || status < 400 || status > 499) {
    return { kind: 'unknown', reason: `status ${status}${worded === null ? ' without an error body' : ''}` };
  }
  return refused(status, worded.error, detailOf(worded), retryAfter);
}

const refused = (
  status: number,
  code: string,
  detail: string | undefined,
  retryAfter: string | undefined,
): RequestFailure => ({
  kind: 'refused',
  status,
  code,
  means: meaningOfRefusal({ status, code }),
  detail: detail ?? '',
  retryAfterMs: readRetryAfterMs(retryAfter),
});

function detailOf({ detail, fields }: { detail?: string; fields?: FieldProblems }): string {
  return fields === undefined ? (detail ?? '') : `${detail ?? ''} ${firstProblem(fields)}`.trim();
}
