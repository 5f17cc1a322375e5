import type { IncomingHttpHeaders } from 'node:http';
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';
import type { FaultRule, RequestFault } from '../../venues/simulated/models/faults.js';
import { IDEMPOTENCY_KEY_LENGTH } from '../../venues/futuur/protocol/profile.js';
import { readQuery } from '../../venues/futuur/protocol/query.js';
import { type Endpoint, ENDPOINTS, type EndpointName } from '../../venues/futuur/protocol/rest/endpoints.js';
import { HEADERS } from '../../venues/futuur/protocol/rest/headers.js';
import type { NestedStyle } from '../../venues/futuur/protocol/signed-values.js';
import type { CommandFunnel } from '../command-funnel.js';
import {
  type FaultDesk,
  clockSkewMs,
  type Delivery,
  deliveryOf,
  RESET,
  struckBefore,
} from '../faults/request-faults.js';
import { Answer, refused, refusedFields, refusedForNow } from './answer.js';
import { type Authentication, type Caller, isSigned } from './authentication.js';
import type { Call, EndpointHandlers } from './call.js';
import { readInput, type RequestInput } from './input.js';
import type { RateLimit } from './rate-limit.js';

/** A request as it came from the listener. */
export interface WireRequest {
  /** Path and query as the client wrote them. */
  readonly url: string;
  /** The same path without `/v2.0` and query. */
  readonly barePath: string;
  readonly headers: IncomingHttpHeaders;
  /** Number in the path; 0 where the path has none. */
  readonly id: number;
  readonly body: Buffer | undefined;
  /** Scheme and host as the client wrote them. */
  readonly origin: string;
}

/** The answer with the time the service claims it is (`Date`). */
export interface Served {
  readonly delivery: Delivery;
  readonly now: Micros;
}

export interface PipelineParts {
  readonly clock: Clock;
  readonly funnel: CommandFunnel;
  readonly authentication: Authentication;
  readonly rateLimit: RateLimit;
  readonly nested: NestedStyle;
  readonly faults: FaultDesk;
  readonly handlers: EndpointHandlers;
}

const MICROS_PER_MS = 1_000;
const IDEMPOTENCY_KEY = HEADERS.idempotencyKey.toLowerCase();

/**
 * Judges each request in the order of the facts: JSON, authentication, rate limit, schema, and then, in the
 * core, account, market and order. The first refusal is the answer, and nothing has changed then.
 */
export class RequestPipeline {
  constructor(private readonly parts: PipelineParts) {}

  serve(name: EndpointName, request: WireRequest): Served {
    const { clock, faults } = this.parts;
    const rule = faults.ofRequest(ENDPOINTS[name].method, request.barePath);
    const now = (clock.now() + clockSkewMs(rule) * MICROS_PER_MS) as Micros;
    const struck = struckBefore(rule);
    if (struck === RESET) return { delivery: RESET, now };
    return { delivery: deliveryOf(struck ?? this.answer(name, request, rule, now), rule), now };
  }

  private answer(
    name: EndpointName,
    request: WireRequest,
    fault: FaultRule<RequestFault> | null,
    now: Micros,
  ): Answer {
    const endpoint: Endpoint = ENDPOINTS[name];
    const { url, body, headers } = request;
    const input = readInput(endpoint, { url, body, contentType: headers['content-type'] });
    if (input instanceof Answer) return input;
    const caller = this.identify(endpoint, headers, input, now);
    if (caller instanceof Answer) return caller;
    const call = callOf(endpoint, request, input, caller, fault);
    if (call instanceof Answer) return call;
    this.parts.funnel.settle();
    return this.handle(name, call);
  }

  /** Who asks, counted against the limit of the key; null where nobody needs to. */
  private identify(
    endpoint: Endpoint,
    headers: IncomingHttpHeaders,
    input: RequestInput,
    now: Micros,
  ): Caller | null | Answer {
    if (endpoint.auth === 'none' || (endpoint.auth === 'optional' && !isSigned(headers))) return null;
    const { authentication, rateLimit, nested } = this.parts;
    const caller = authentication.verify(headers, () => input.parameters(nested), now);
    if (typeof caller === 'string') return refused(caller);
    const waitS = rateLimit.take(caller.publicKey, now);
    return waitS === null ? caller : refusedForNow(waitS);
  }

  /** The one place where the call of a name meets the handler of that name. */
  private handle(name: EndpointName, call: UntypedCall): Answer {
    const handler = this.parts.handlers[name] as (call: UntypedCall) => Answer;
    return handler(call);
  }
}

type UntypedCall = Omit<Call<EndpointName>, 'caller' | 'query'> & {
  readonly caller: Caller | null;
  readonly query: object;
};

/** @returns the refusal when query or key are not what the endpoint takes */
function callOf(
  endpoint: Endpoint,
  request: WireRequest,
  { pairs, body, form }: RequestInput,
  caller: Caller | null,
  fault: FaultRule<RequestFault> | null,
): UntypedCall | Answer {
  const query = readQuery(endpoint.query, pairs);
  if (!query.ok) return refusedFields(query.fields);
  const idempotencyKey = endpoint.idempotent ? keyOf(request.headers) : null;
  if (idempotencyKey instanceof Answer) return idempotencyKey;
  const { id, origin, url } = request;
  const path = pathOf(url);
  return { caller, id, query: query.values, pairs, body, form, idempotencyKey, origin, path, fault };
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

/** An empty key is none. */
function keyOf(headers: IncomingHttpHeaders): string | null | Answer {
  const key = headers[IDEMPOTENCY_KEY];
  if (typeof key !== 'string' || key === '') return null;
  if (key.length <= IDEMPOTENCY_KEY_LENGTH) return key;
  return refusedFields({
    [HEADERS.idempotencyKey]: [`must have at most ${IDEMPOTENCY_KEY_LENGTH} characters`],
  });
}
