import type { Pair } from '../../venues/futuur/protocol/form.js';
import { NO_SPELLINGS } from '../../venues/futuur/protocol/json-values.js';
import type { Endpoint } from '../../venues/futuur/protocol/rest/endpoints.js';
import {
  bodyParameters,
  pairParameters,
  type SignedParameter,
} from '../../venues/futuur/protocol/signing.js';
import type { NestedStyle } from '../../venues/futuur/protocol/signed-values.js';
import { Answer } from './answer.js';
import { type JsonBody, queryPairs, readFormBody, readJsonBody } from './body.js';

/** What a request carries, read but not yet judged. */
export interface RequestInput {
  readonly pairs: readonly Pair[];
  readonly body: JsonBody;
  readonly form: readonly Pair[];
  /** What its signature covers: query or body, never both (specification 5.3). */
  readonly parameters: (nested: NestedStyle) => readonly SignedParameter[];
}

/** The parts of a request that carry parameters. */
export interface RequestParts {
  readonly url: string;
  readonly body: Buffer | undefined;
  readonly contentType: string | undefined;
}

const NO_JSON: JsonBody = { value: {}, spellings: NO_SPELLINGS };
const NOTHING: readonly SignedParameter[] = [];

/** @returns the refusal when query or body is not what the endpoint can read at all */
export function readInput(endpoint: Endpoint, request: RequestParts): RequestInput | Answer {
  if (endpoint.body === 'json') return jsonInput(request);
  if (endpoint.body === 'form') return formInput(request);
  return endpoint.method === 'GET' ? queryInput(request) : emptyInput;
}

function jsonInput({ body: bytes, contentType }: RequestParts): RequestInput | Answer {
  const body = readJsonBody(bytes, contentType);
  if (body instanceof Answer) return body;
  const parameters = (nested: NestedStyle): readonly SignedParameter[] =>
    bodyParameters(body.value, nested, body.spellings);
  return { pairs: [], body, form: [], parameters };
}

function formInput({ body, contentType }: RequestParts): RequestInput | Answer {
  const form = readFormBody(body, contentType);
  if (form instanceof Answer) return form;
  return { pairs: [], body: NO_JSON, form, parameters: () => pairParameters(form) };
}

function queryInput({ url }: RequestParts): RequestInput | Answer {
  const pairs = queryPairs(url);
  if (pairs instanceof Answer) return pairs;
  return { pairs, body: NO_JSON, form: [], parameters: () => pairParameters(pairs) };
}

const emptyInput: RequestInput = { pairs: [], body: NO_JSON, form: [], parameters: () => NOTHING };
