import { isUtf8 } from 'node:buffer';
import { VENUE_ERRORS } from '../../venues/futuur/protocol/errors.js';
import type { Pair } from '../../venues/futuur/protocol/form.js';
import { readForm } from '../../venues/futuur/protocol/form.js';
import type { JsonObject, JsonValue, Spellings } from '../../venues/futuur/protocol/json-values.js';
import { JsonTextError, readJson } from '../../venues/futuur/protocol/json-spelling.js';
import { NO_SPELLINGS } from '../../venues/futuur/protocol/json-values.js';
import { type Answer, refused } from './answer.js';

/** A JSON body as it was written: numbers keep their spelling for the signature. */
export interface JsonBody {
  readonly value: JsonObject;
  readonly spellings: Spellings;
}

const NO_BODY: JsonBody = { value: {}, spellings: NO_SPELLINGS };

/** Reads an object; nothing at all reads as `{}`. @returns the refusal when it is not one JSON object in UTF-8 */
export function readJsonBody(bytes: Buffer | undefined, contentType: string | undefined): JsonBody | Answer {
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
export function readFormBody(
  bytes: Buffer | undefined,
  contentType: string | undefined,
): readonly Pair[] | Answer {
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
