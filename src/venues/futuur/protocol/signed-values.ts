/**
 * How one JSON value stands inside the signed string. Flat values are written as Python's `str()` writes them,
 * numbers as they were spelled; nested values by the configured strategy. Everything comes out quoted, in one
 * pass: quoting a 20-order body afterwards would cost more than writing it. Members of nested objects stand in the
 * order in which they were written.
 */
import type { JsonObject, JsonValue, Spellings } from './json-values.js';
import { spellingOf, writtenNames } from './json-values.js';
import {
  isUnreserved,
  pythonFloat,
  pythonNumber,
  pythonString,
  pythonWord,
  quotePlus,
} from './python-text.js';

/** How nested JSON enters the signed string (facts, "Signing"): undocumented, so a choice of the configuration. */
export const NESTED_STYLES = ['python', 'json', 'omit'] as const;
export type NestedStyle = (typeof NESTED_STYLES)[number];

/** Writes nested values: brackets, separators and leaves, all already quoted. */
interface Writer {
  readonly member: string;
  readonly item: string;
  readonly string: (text: string) => string;
  readonly word: (value: boolean | null) => string;
  /** @param spelling the text as it was written, null when JavaScript writes it in the same way */
  readonly number: (value: number, spelling: string | null) => string;
}

const OPEN_ARRAY = quotePlus('[');
const CLOSE_ARRAY = quotePlus(']');
const OPEN_OBJECT = quotePlus('{');
const CLOSE_OBJECT = quotePlus('}');

const PYTHON: Writer = {
  member: quotePlus(': '),
  item: quotePlus(', '),
  string: (text) => (isUnreserved(text) ? `%27${text}%27` : quotePlus(pythonString(text))),
  word: pythonWord,
  number: (value, spelling) =>
    spelling === null ? pythonOwnNumber(value) : quotePlus(pythonNumber(spelling)),
};

const COMPACT: Writer = {
  member: quotePlus(':'),
  item: quotePlus(','),
  string: (text) => (isUnreserved(text) ? `%22${text}%22` : quotePlus(JSON.stringify(text))),
  word: String,
  number: (value, spelling) => (spelling === null ? ownNumber(value) : quotePlus(spelling)),
};

/**
 * The quoted text of one member of a body.
 * @returns null when the value does not enter the signed string: nested under `omit`, or undefined
 */
export function signedMember(
  body: JsonObject,
  name: string,
  style: NestedStyle,
  spellings: Spellings,
): string | null {
  const value = body[name];
  if (value === undefined) return null;
  if (typeof value === 'string') return quotePlus(value);
  if (typeof value === 'number') return COMPACT.number(value, spellingOf(spellings, body, name));
  if (typeof value === 'boolean' || value === null) return pythonWord(value);
  if (style === 'omit') return null;
  return nested(value, style === 'python' ? PYTHON : COMPACT, spellings);
}

/** Quoted `repr()` of a value that `JSON.stringify` and Python's `json.loads` would have carried over. */
export const quotedPython = (value: JsonValue, spellings: Spellings): string =>
  leafOrNested(value, null, PYTHON, spellings);

function leafOrNested(
  value: JsonValue,
  spelling: string | null,
  writer: Writer,
  spellings: Spellings,
): string {
  if (typeof value === 'string') return writer.string(value);
  if (typeof value === 'number') return writer.number(value, spelling);
  if (typeof value === 'boolean' || value === null) return writer.word(value);
  return nested(value, writer, spellings);
}

function nested(value: JsonObject | readonly JsonValue[], writer: Writer, spellings: Spellings): string {
  return isArray(value) ? arrayText(value, writer, spellings) : objectText(value, writer, spellings);
}

function arrayText(items: readonly JsonValue[], writer: Writer, spellings: Spellings): string {
  let text = OPEN_ARRAY;
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += writer.item;
    const item = items[index] ?? null;
    text += leafOrNested(item, spellingOf(spellings, items, index), writer, spellings);
  }
  return text + CLOSE_ARRAY;
}

function objectText(members: JsonObject, writer: Writer, spellings: Spellings): string {
  const names = writtenNames(spellings, members) ?? Object.keys(members);
  let text = OPEN_OBJECT;
  let separator = '';
  for (const name of names) {
    const value = members[name];
    if (value === undefined) continue;
    text += separator + writer.string(name) + writer.member;
    text += leafOrNested(value, spellingOf(spellings, members, name), writer, spellings);
    separator = writer.item;
  }
  return text + CLOSE_OBJECT;
}

const isArray = (value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] =>
  Array.isArray(value);

/** The text that `JSON.stringify` writes, quoted; `-0` is `0`. Only an exponent holds a character to quote. */
const ownNumber = (value: number): string =>
  Number.isSafeInteger(value) ? String(value) : quotePlus(JSON.stringify(value));

/** What Python reads from {@link ownNumber}'s text: integers below 1e21 have no point. */
const pythonOwnNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e21 ? ownNumber(value) : quotePlus(pythonFloat(value));
