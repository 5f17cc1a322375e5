import type { Pair } from '../../protocol/form.js';
import { writeQuery, type QueryValues } from '../../protocol/query.js';
import type { Placed } from '../../protocol/read/placed.js';
import { ENDPOINTS, type EndpointName } from '../../protocol/rest/endpoints.js';
import { firstProblem, type Shape } from '../../protocol/shape.js';

/** One request as data: which endpoint, with what, and how its answer is read. Nothing happens before it is made. */
export interface Call<Value> {
  readonly endpoint: EndpointName;
  readonly path: string;
  readonly query: readonly Pair[];
  /** A JSON object, the parameters of a form, or nothing. */
  readonly body: { readonly json: object } | { readonly form: readonly Pair[] } | null;
  /** Reads the body of a success; `undefined` when the success has none. */
  readonly read: (received: unknown) => Placed<Value>;
}

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

/** A call with a JSON body, or with none. */
export const telling = (endpoint: EndpointName, path: string, json: object | null): Unread => ({
  endpoint,
  path,
  query: [],
  body: json === null ? null : { json },
});

/** Takes an answer as it came off the wire, once its shape is checked. */
export const asReceived =
  <Wire>(shape: Shape<Wire>) =>
  (received: unknown): Placed<Wire> =>
    shape.accepts(received)
      ? { ok: true, value: received }
      : { ok: false, reason: firstProblem(shape.problems(received)) };
