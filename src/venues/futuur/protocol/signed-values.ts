/**
 * How one JSON value stands inside the signed string. Flat values are written as Python's `str()` writes them,
 * numbers as they were spelled; nested values by the configured strategy. Everything comes out quoted, in one
 * pass: quoting a 20-order body afterwards would cost more than writing it. Members of nested objects stand in the
 * order in which they were written.
 */
import {
  type JsonObject,
  type JsonValue,
  type Spellings,
  spellingOf,
  writtenNames,
} from './json-spelling.js';

/**
 * How Python writes values as text: `str()`, `repr()` and `urllib.parse.quote_plus`. The venue's reference
 * implementation signs what these produce (facts, "Signing"), so they are reproduced character by character;
 * the test vectors come from a real Python.
 */

/** `quote_plus`: UTF-8 percent encoding of all but letters, digits and `_.-~`; a space is `+`. */
export function quotePlus(text: string): string {
  return isUnreserved(text) ? text : encodeURIComponent(text).replace(DIFFERENT, requoted);
}

/** `repr()` of a `str`: single quotes unless only those occur inside; what does not print is escaped. */
export function pythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return `${quote}${text.replace(ESCAPED, (character) => escaped(character, quote))}${quote}`;
}

/**
 * `repr()` of the number that Python's `json` reads from this text: without point and exponent an `int` of any
 * size, else a `float`.
 * @param spelling a JSON number
 */
export function pythonNumber(spelling: string): string {
  if (/[.eE]/.test(spelling)) return pythonFloat(Number(spelling));
  return spelling === '-0' ? '0' : spelling;
}

/** `repr()` of a `float`: the shortest digits that read back, with an exponent below 1e-4 and from 1e16 on. */
export function pythonFloat(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return exponentForm(value);
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
}

/** The words of Python for the three JSON words. */
export function pythonWord(value: boolean | null): string {
  return value === null ? 'None' : value ? 'True' : 'False';
}

/** True for letters, digits and `_.-~` alone: text that quoting leaves as it is. */
export function isUnreserved(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (UNRESERVED[text.charCodeAt(index)] !== 1) return false;
  }
  return true;
}

const UNRESERVED = new Uint8Array(65_536);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~') {
  UNRESERVED[character.charCodeAt(0)] = 1;
}

/** Where `encodeURIComponent` and `quote_plus` differ. */
const DIFFERENT = /%20|[!'()*]/g;
const requoted = (part: string): string =>
  part === '%20' ? '+' : `%${part.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Backslash, quotes, and all that `str.isprintable` denies: other and separator characters but the space. Which
 * code points are assigned depends on the Unicode version of either side.
 */
const ESCAPED = /[\\'"]|[^\P{C}]|[^\P{Z} ]/gu;
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function escaped(character: string, quote: string): string {
  if (character === "'" || character === '"') return character === quote ? `\\${character}` : character;
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Python writes at least two digits of exponent. */
function exponentForm(value: number): string {
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, '0')}`;
}

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
