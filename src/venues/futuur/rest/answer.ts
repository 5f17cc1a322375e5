/** Failed REST answers as the domain's request failures. */
import type { RequestFailure } from '../../../domain/answers.js';
import {
  type ErrorBody,
  firstProblem,
  isVenueErrorCode,
  OTHER_CODE,
  meaningOfRefusal,
} from '../protocol/errors.js';
import { readRetryAfterMs, CONTENT_TYPES, HEADERS } from '../protocol/rest/headers.js';
import { ErrorAnswer, shape } from '../protocol/shape.js';
import type { Micros } from '../../../domain/units.js';
import type { Placed } from '../protocol/read/placed.js';
import { ENDPOINTS } from '../protocol/rest/endpoints.js';
import type { Call, OurTime } from './calls.js';
import { type Outcome, notSent } from '../../outcome.js';
import type { HttpResult } from './transport.js';

const errorBody = shape(ErrorAnswer);

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

/** What an HTTP result proves about a call. */

type HttpAnswer = Extract<HttpResult, { readonly kind: 'answered' }>;

/**
 * Only the endpoint's own status with a body of the expected shape is a success; only a worded refusal is a refusal.
 * @param ourTime of what the answer dates
 */
export function readAnswer<Value>(
  call: Call<Value>,
  result: HttpResult,
  sentAt: Micros | null,
  ourTime: OurTime,
): Outcome<Value> {
  if (sentAt === null) return notSent(result.kind === 'answered' ? 'an answer to nothing' : result.reason);
  if (result.kind !== 'answered') return failed({ kind: 'unknown', reason: result.reason }, sentAt);
  const { value, problem } = jsonOf(result);
  if (result.status !== ENDPOINTS[call.endpoint].success) {
    const retryAfter = header(result, HEADERS.retryAfter);
    return failed(readFailure({ status: result.status, body: value, retryAfter }), sentAt);
  }
  return problem === null
    ? readSuccess(call.read(value, ourTime), sentAt)
    : failed({ kind: 'unknown', reason: problem }, sentAt);
}

/** @param name in any case; undefined when the answer has no such header */
export function header({ headers }: HttpAnswer, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

function readSuccess<Value>(placed: Placed<Value>, sentAt: Micros): Outcome<Value> {
  if (placed.ok) return { ok: true, value: placed.value, sentAt };
  return failed({ kind: 'unknown', reason: `an answer of another shape: ${placed.reason}` }, sentAt);
}

const failed = (failure: RequestFailure, sentAt: Micros): Outcome<never> => ({ ok: false, failure, sentAt });

/** An answer without a body is undefined; one that is not JSON, by its type or in truth, is a problem. */
function jsonOf(answer: HttpAnswer): { readonly value: unknown; readonly problem: string | null } {
  if (answer.body === '') return { value: undefined, problem: null };
  const type = header(answer, HEADERS.contentType) ?? 'of no type';
  if (!type.startsWith(CONTENT_TYPES.json)) return { value: undefined, problem: `not JSON but ${type}` };
  try {
    return { value: JSON.parse(answer.body), problem: null };
  } catch {
    return { value: undefined, problem: 'not JSON, though it says so' };
  }
}
