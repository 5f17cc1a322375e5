import type { Micros } from '../../../domain/units.js';
import type { Pair } from '../protocol/form.js';
import { writeQuery, type QueryValues } from '../protocol/query.js';
import type { Placed } from '../protocol/read/placed.js';
import { ENDPOINTS, type EndpointName } from '../protocol/rest/endpoints.js';
import { firstProblem, type Shape } from '../protocol/shape.js';
import type { Outcome } from '../../outcome.js';

/** One request as data: which endpoint, with what, and how its answer is read. Nothing happens before it is made. */
export interface Call<Value> {
  readonly endpoint: EndpointName;
  readonly path: string;
  readonly query: readonly Pair[];
  readonly body: CallBody;
  /** Reads the body of a success; `undefined` when the success has none. */
  readonly read: (received: unknown, ourTime: OurTime) => Placed<Value>;
}

/** What our clock showed at a time of the venue's. */
export type OurTime = (venueTime: Micros) => Micros;

/** Nothing, the parameters of a form, or a JSON object. */
export type CallBody = null | { readonly form: readonly Pair[] } | { readonly json: object };

/** Makes one call. */
export type Caller = <Value>(call: Call<Value>) => Promise<Outcome<Value>>;

type Unread = Omit<Call<unknown>, 'read'>;
type QueryOf<Name extends EndpointName> = QueryValues<(typeof ENDPOINTS)[Name]['query']>;

/** A call without a body. */
export const asking = <Name extends EndpointName>(
  endpoint: Name,
  path: string,
  query: QueryOf<Name>,
): Unread => ({
  endpoint,
  path,
  query: writeQuery(ENDPOINTS[endpoint].query, query),
  body: null,
});

/** A call with a body, or with none. */
export const telling = (endpoint: EndpointName, path: string, body: CallBody): Unread => ({
  endpoint,
  path,
  query: [],
  body,
});

/** Takes an answer as it came off the wire, once its shape is checked. */
export const asReceived =
  <Wire>(shape: Shape<Wire>) =>
  (received: unknown): Placed<Wire> =>
    shape.accepts(received)
      ? { ok: true, value: received }
      : { ok: false, reason: firstProblem(shape.problems(received)) };
