/**
 * One text for one JSON body, however it was spelled: member order, white space, string escapes and number
 * spelling (`13`, `13.0`, `1.3e1`) do not matter. Idempotency compares bodies by it (specification 5.5).
 */
import type { JsonDocument } from './json-spelling.js';
import type { JsonObject, JsonValue, Spellings } from './json-values.js';
import { spellingOf } from './json-values.js';
import { isUnreserved } from './python-text.js';

/** Canonical text: members sorted by code unit, no white space, numbers in one decimal spelling. */
export const canonicalBody = ({ value, spellings }: JsonDocument): string =>
  new Writer(spellings).value(value, null);

class Writer {
  /** Member names of the object before, as found and sorted: the items of a batch repeat them. */
  private names: readonly string[] = [];
  private sorted: readonly string[] = [];

  constructor(private readonly spellings: Spellings) {}

  value(value: JsonValue, spelling: string | null): string {
    if (typeof value === 'string') return stringText(value);
    if (typeof value === 'number') return spelling === null ? String(value) : canonicalNumber(spelling);
    if (typeof value !== 'object' || value === null) return String(value);
    return isArray(value) ? this.array(value) : this.object(value);
  }

  private array(items: readonly JsonValue[]): string {
    let text = '[';
    for (let index = 0; index < items.length; index++) {
      if (index > 0) text += ',';
      text += this.value(items[index] ?? null, spellingOf(this.spellings, items, index));
    }
    return `${text}]`;
  }

  private object(members: JsonObject): string {
    let text = '{';
    let separator = '';
    for (const name of this.sortedNames(members)) {
      const value = this.value(members[name] ?? null, spellingOf(this.spellings, members, name));
      text += `${separator}${stringText(name)}:${value}`;
      separator = ',';
    }
    return `${text}}`;
  }

  private sortedNames(members: JsonObject): readonly string[] {
    const names = Object.keys(members);
    if (!isSameList(names, this.names)) {
      this.names = names;
      this.sorted = names.toSorted();
    }
    return this.sorted;
  }
}

const isArray = (value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] =>
  Array.isArray(value);

const isSameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name, index) => name === right[index]);

const stringText = (text: string): string => (isUnreserved(text) ? `"${text}"` : JSON.stringify(text));

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
