import type { Pair } from '../../venues/futuur/protocol/shape.js';
import type { QueryValues } from '../../venues/futuur/protocol/query.js';
import type { ENDPOINTS, EndpointName } from '../../venues/futuur/protocol/rest/endpoints.js';
import type { FaultRule, RequestFault } from '../../venues/simulated/models/faults.js';
import type { Answer } from './answer.js';
import type { Caller } from './authentication.js';
import type { JsonBody } from './input.js';
import type { ExchangeCore } from '../../exchange/exchange.js';
import type { PusherApplication } from '../realtime/session.js';
import type { CommandFunnel } from '../command-funnel.js';
import type { BookCache } from './book-cache.js';

type EndpointOf<Name extends EndpointName> = (typeof ENDPOINTS)[Name];

/** One request after authentication, rate limit and the reading of query and body. */
export interface Call<Name extends EndpointName> {
  readonly caller: EndpointOf<Name>['auth'] extends 'signed' ? Caller : Caller | null;
  /** Of the path; 0 where the path has none. */
  readonly id: number;
  readonly query: QueryValues<EndpointOf<Name>['query']>;
  /** Every query parameter as it came, for the addresses of neighbouring pages. */
  readonly pairs: readonly Pair[];
  /** `{}` where the endpoint takes no JSON. */
  readonly body: JsonBody;
  /** Empty where the endpoint takes no form. */
  readonly form: readonly Pair[];
  /** null when absent, and on endpoints that ignore it. */
  readonly idempotencyKey: string | null;
  /** Scheme and host as the client wrote them. */
  readonly origin: string;
  /** Path as the client wrote it, without query. */
  readonly path: string;
  /** The fault that this request meets, if any. */
  readonly fault: FaultRule<RequestFault> | null;
}

/** One per endpoint; a forgotten one does not compile. */
export type EndpointHandlers = {
  readonly [Name in EndpointName]: (call: Call<Name>) => Answer;
};

/** What the endpoints work with. Reads go to the exchange, changes through the funnel. */
export interface EndpointParts {
  readonly exchange: ExchangeCore;
  readonly funnel: CommandFunnel;
  readonly bookCache: BookCache;
  readonly application: PusherApplication;
}
