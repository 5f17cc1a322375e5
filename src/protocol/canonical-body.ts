/**
 * One text for one JSON body, however it was spelled: member order, white space, string escapes and number
 * spelling (`13`, `13.0`, `1.3e1`) do not matter. Idempotency compares bodies by it (specification 5.5).
 */
import type { JsonDocument, JsonObject, JsonValue, Spellings } from './json-spelling.js';
import { readJson, spellingOf } from './json-spelling.js';

/**
 * Whether two body texts are the same JSON document. Byte-equal ones, which replays nearly always are, cost nothing.
 * @throws JsonTextError when they differ and one is not JSON
 */
export const isSameBody = (left: string, right: string): boolean =>
  left === right || canonicalBody(readJson(left)) === canonicalBody(readJson(right));

/** Canonical text: members sorted by code unit, no white space, numbers in one decimal spelling. */
export const canonicalBody = (document: JsonDocument): string =>
  canonical(document.value, null, document.spellings);

function canonical(value: JsonValue, spelling: string | null, spellings: Spellings): string {
  if (typeof value === 'number') return spelling === null ? String(value) : canonicalNumber(spelling);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return isArray(value) ? canonicalArray(value, spellings) : canonicalObject(value, spellings);
}

function canonicalArray(items: readonly JsonValue[], spellings: Spellings): string {
  return `[${items.map((item, index) => canonical(item, spellingOf(spellings, items, index), spellings)).join(',')}]`;
}

function canonicalObject(members: JsonObject, spellings: Spellings): string {
  const names = Object.keys(members).sort();
  const texts = names.map((name) => {
    const value = canonical(members[name] ?? null, spellingOf(spellings, members, name), spellings);
    return `${JSON.stringify(name)}:${value}`;
  });
  return `{${texts.join(',')}}`;
}

const isArray = (value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] =>
  Array.isArray(value);

/**
 * JavaScript's own spelling when it is exactly the same decimal, which it nearly always is; else all significant
 * digits with a power of ten, exact for any length.
 */
function canonicalNumber(spelling: string): string {
  const own = JSON.stringify(Number(spelling));
  const exact = exactDecimal(spelling);
  return exactDecimal(own) === exact ? own : exact;
}

/** `13.0` is `13e0`, `-0.00` is `0`. */
function exactDecimal(spelling: string): string {
  const [mantissa = '', power = '0'] = spelling.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const exponent = BigInt(power) + BigInt(digits.length - significant.length - fraction.length);
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${exponent}`;
}
