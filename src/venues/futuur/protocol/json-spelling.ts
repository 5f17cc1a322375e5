/**
 * A JSON reader that keeps how numbers were spelled. Signatures cover `100.0` and `100` differently (facts,
 * "Signing"), so `JSON.parse` is not enough. It yields plain values. Numbers that JavaScript would spell otherwise, and
 * names that it would order otherwise, are noted beside them.
 *
 * Stricter than `JSON.parse`: a repeated member name, nesting beyond a limit, a number too large for a double
 * and half a surrogate pair are refused, because a body that two readers may understand differently must not
 * move money.
 */
import { EXIT, OddsmithError } from '../../../domain/errors.js';
import { JSON_DEPTH } from './profile.js';

/** A read document: plain values and the odd spellings among them. */
export interface JsonDocument {
  readonly value: JsonValue;
  readonly spellings: Spellings;
}

/** The text is not JSON as this wire takes it. */
export class JsonTextError extends OddsmithError {
  readonly code = 'ODDSMITH_JSON_TEXT';
  readonly exit = EXIT.internal;

  constructor(
    readonly position: number,
    readonly problem: string,
  ) {
    super(`${problem} at character ${position}`);
  }
}

/** @throws JsonTextError */
export const readJson = (text: string, depth: number = JSON_DEPTH): JsonDocument =>
  new Reader(text, depth).document();

const SPACE = /[ \n\r\t]*/y;
/** Other space has smaller codes. */
const SPACE_CODE = 32;
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
/** What can stand in a string before the first thing that cannot. */
const STRING_PART = /(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const PLAIN_STRING = /^[ -[\]-~]*$/;
const LONE_SURROGATE = /\p{Surrogate}/u;
/** Generous for any decimal; keeps exact comparison of spelled numbers cheap on hostile bodies. */
const LONGEST_NUMBER = 1_024;

class Reader {
  private at = 0;
  /** Text of the number just read, when JavaScript would spell it differently; else null. */
  private odd: string | null = null;
  private readonly numbers = new Map<Container, Map<string | number, string>>();
  private readonly names = new Map<Container, readonly string[]>();

  constructor(
    private readonly text: string,
    private readonly depthLimit: number,
  ) {}

  document(): JsonDocument {
    this.skipSpace();
    const value = this.value(0);
    this.skipSpace();
    if (this.at < this.text.length) this.fail('unexpected text after the document');
    return { value, spellings: { numbers: this.numbers, names: this.names } };
  }

  private value(depth: number): JsonValue {
    const first = this.text.charAt(this.at);
    if (first === '"') return this.string();
    if (first === '{') return this.object(depth + 1);
    if (first === '[') return this.array(depth + 1);
    if (first === '-' || (first >= '0' && first <= '9')) return this.number();
    const word = this.match(WORD);
    if (word === '') this.fail(first === '' ? 'unexpected end' : 'expected a value');
    return word === 'null' ? null : word === 'true';
  }

  private object(depth: number): JsonObject {
    const members: Record<string, JsonValue> = {};
    const names: string[] = [];
    this.open(depth);
    if (this.take('}')) return members;
    do {
      const name = this.memberName(members);
      names.push(name);
      const value = this.value(depth);
      // A member of this name must not become the prototype.
      if (name === '__proto__')
        Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
      else members[name] = value;
      if (this.odd !== null) this.note(members, name, this.odd);
    } while (this.take(','));
    if (!this.take('}')) this.fail('expected , or }');
    if (Object.keys(members).some((name, place) => name !== names[place])) this.names.set(members, names);
    return members;
  }

  private memberName(members: object): string {
    this.skipSpace();
    const start = this.at;
    if (this.text.charAt(start) !== '"') this.fail('expected a member name');
    const name = this.string();
    if (Object.hasOwn(members, name)) this.fail(`repeated member ${JSON.stringify(name)}`, start);
    if (!this.take(':')) this.fail('expected :');
    this.skipSpace();
    return name;
  }

  private array(depth: number): readonly JsonValue[] {
    const items: JsonValue[] = [];
    this.open(depth);
    if (this.take(']')) return items;
    do {
      this.skipSpace();
      items.push(this.value(depth));
      if (this.odd !== null) this.note(items, items.length - 1, this.odd);
    } while (this.take(','));
    if (!this.take(']')) this.fail('expected , or ]');
    return items;
  }

  private string(): string {
    const start = this.at;
    const spelled = this.match(STRING);
    if (spelled === '') this.failInString(start);
    const text = spelled.slice(1, -1);
    if (PLAIN_STRING.test(text)) return text;
    const decoded = JSON.parse(spelled) as string;
    if (LONE_SURROGATE.test(decoded)) this.fail('half of a surrogate pair', start + 1);
    return decoded;
  }

  private failInString(start: number): never {
    this.at = start + 1;
    this.match(STRING_PART);
    const found = this.text.charAt(this.at);
    if (found === '') this.fail('unterminated string', start);
    if (found !== '\\') this.fail('control character in a string');
    this.fail(this.text.charAt(this.at + 1) === 'u' ? 'expected four hexadecimal digits' : 'unknown escape');
  }

  private number(): number {
    const start = this.at;
    const spelled = this.match(NUMBER);
    if (spelled === '') this.fail('expected a number');
    if (spelled.length > LONGEST_NUMBER) this.fail(`number of more than ${LONGEST_NUMBER} characters`, start);
    const value = Number(spelled);
    if (!Number.isFinite(value)) this.fail('number too large', start);
    if (JSON.stringify(value) !== spelled) this.odd = spelled;
    return value;
  }

  private note(container: Container, name: string | number, spelled: string): void {
    const noted = this.numbers.get(container) ?? new Map<string | number, string>();
    noted.set(name, spelled);
    this.numbers.set(container, noted);
    this.odd = null;
  }

  private open(depth: number): void {
    if (depth > this.depthLimit) this.fail(`nested deeper than ${this.depthLimit}`);
    this.at += 1;
  }

  /** Skips space, then a character if it stands there. */
  private take(character: string): boolean {
    this.skipSpace();
    if (this.text.charAt(this.at) !== character) return false;
    this.at += 1;
    return true;
  }

  private skipSpace(): void {
    if (this.text.charCodeAt(this.at) <= SPACE_CODE) this.match(SPACE);
  }

  /** Takes what a sticky pattern finds here. @returns '' when that is nothing */
  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return '';
    const start = this.at;
    this.at = pattern.lastIndex;
    return this.text.slice(start, this.at);
  }

  private fail(problem: string, position: number = this.at): never {
    throw new JsonTextError(position, problem);
  }
}

/**
 * Canonical text: one for one JSON body, however it was spelled. Member order, white space, string escapes and number
 * spelling (`13`, `13.0`, `1.3e1`) do not matter. Idempotency compares bodies by it (specification 5.5).
 */
export const canonicalBody = ({ value, spellings }: JsonDocument): string =>
  canonicalValue(value, null, spellings);

function canonicalValue(value: JsonValue, spelling: string | null, spellings: Spellings): string {
  if (typeof value === 'number') return spelling === null ? String(value) : canonicalNumber(spelling);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const member = (name: string | number, item: JsonValue): string =>
    canonicalValue(item, spellingOf(spellings, value, name), spellings);
  if (isArray(value)) return `[${value.map((item, index) => member(index, item)).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${member(name, value[name] ?? null)}`).join(',')}}`;
}

const isArray = (value: Container): value is readonly JsonValue[] => Array.isArray(value);

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

/** JSON as values, with what the text said besides. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}
/** What has members or items. */
export type Container = JsonObject | readonly JsonValue[];

/** What a text said that its plain values do not: only where JavaScript would have written it otherwise. */
export interface Spellings {
  /** Container, then member name or index, to the number's text. */
  readonly numbers: ReadonlyMap<Container, ReadonlyMap<string | number, string>>;
  /** Member names as written: JavaScript puts those first that are integers, in their order. */
  readonly names: ReadonlyMap<Container, readonly string[]>;
}
export const NO_SPELLINGS: Spellings = { numbers: new Map(), names: new Map() };

/** @returns the number's text as it was written, or as `JSON.stringify` would write it */
export function spellingOf(spellings: Spellings, container: Container, name: string | number): string | null {
  const { numbers } = spellings;
  return numbers.size === 0 ? null : (numbers.get(container)?.get(name) ?? null);
}

/** @returns the names as they were written; null when `for ... in` gives them in that order */
export const writtenNames = ({ names }: Spellings, members: JsonObject): readonly string[] | null =>
  names.size === 0 ? null : (names.get(members) ?? null);
