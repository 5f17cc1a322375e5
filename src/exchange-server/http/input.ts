import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { type Pair, readForm } from '../../venues/futuur/protocol/shape.js';
import {
  NO_SPELLINGS,
  type JsonObject,
  type JsonValue,
  type Spellings,
  JsonTextError,
  readJson,
} from '../../venues/futuur/protocol/json-spelling.js';
import type { Endpoint } from '../../venues/futuur/protocol/rest/endpoints.js';
import {
  bodyParameters,
  pairParameters,
  type SignedParameter,
} from '../../venues/futuur/protocol/signing.js';
import type { NestedStyle } from '../../venues/futuur/protocol/signed-values.js';
import { Answer, refused } from './answer.js';
import { VENUE_ERRORS } from '../../venues/futuur/protocol/errors.js';

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

/** A JSON body as it was written: numbers keep their spelling for the signature. */
export interface JsonBody {
  readonly value: JsonObject;
  readonly spellings: Spellings;
}

const NO_BODY: JsonBody = { value: {}, spellings: NO_SPELLINGS };

/** Reads an object; nothing at all reads as `{}`. @returns the refusal when it is not one JSON object in UTF-8 */
function readJsonBody(bytes: Buffer | undefined, contentType: string | undefined): JsonBody | Answer {
  if (bytes === undefined || bytes.length === 0) return NO_BODY;
  if (!isType(contentType, 'application/json')) return refused('UnsupportedMediaType');
  const body = readJsonObject(bytes);
  return typeof body === 'string' ? refused('MalformedBody', body) : body;
}

/** The same whatever the content type. @returns a sentence about what is wrong when it is not one JSON object */
export function readJsonObject(bytes: Buffer | undefined): JsonBody | string {
  if (bytes === undefined || bytes.length === 0) return NO_BODY;
  if (!isUtf8(bytes)) return 'The body is not UTF-8.';
  try {
    const { value, spellings } = readJson(bytes.toString('utf8'));
    return isObject(value) ? { value, spellings } : VENUE_ERRORS.MalformedBody.meaning;
  } catch (error) {
    if (error instanceof JsonTextError) return `${error.message}.`;
    throw error;
  }
}

/** Reads a form body (the channel authorisation alone has one). */
function readFormBody(bytes: Buffer | undefined, contentType: string | undefined): readonly Pair[] | Answer {
  if (bytes === undefined || bytes.length === 0) return [];
  if (!isType(contentType, 'application/x-www-form-urlencoded')) return refused('UnsupportedMediaType');
  const pairs = isUtf8(bytes) ? readForm(bytes.toString('utf8')) : null;
  return pairs ?? refused('MalformedBody', 'The body is not a form in UTF-8.');
}

/** The pairs that follow the question mark. */
export function queryPairs(url: string): readonly Pair[] | Answer {
  const mark = url.indexOf('?');
  const pairs = readForm(mark < 0 ? '' : url.slice(mark + 1));
  return pairs ?? refused('MalformedBody', 'The query has a broken percent escape.');
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The media type, with no charset or UTF-8 (JSON knows no other on this wire). */
function isType(contentType: string | undefined, expected: string): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  if (type.trim() !== expected) return false;
  return parameters.every((parameter) => !/^\s*charset=/.test(parameter) || CHARSET_UTF8.test(parameter));
}

const CHARSET_UTF8 = /^\s*charset="?(utf-8|us-ascii)"?\s*$/;

/** `:id` of a route: an integer that a double holds exactly; any other text is another path. */
export const ID_IN_PATH = ':id(^\\d{1,15}$)';

/** The number in the path, 0 where the route has none. */
export function idOf(request: FastifyRequest): number {
  const { id = '0' } = request.params as { readonly id?: string };
  return Number(id);
}
