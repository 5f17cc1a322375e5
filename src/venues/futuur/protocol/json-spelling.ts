/**
 * A JSON reader that keeps how numbers were spelled. Signatures cover `100.0` and `100` differently (facts,
 * "Signing"), so `JSON.parse` is not enough. One pass yields plain values; the rare numbers whose spelling, and the
 * rare names whose order JavaScript would not write back by itself are noted beside them, so ordinary bodies cost
 * nothing extra.
 *
 * Stricter than `JSON.parse`: a repeated member name, nesting beyond a limit, a number too large for a double
 * and half a surrogate pair are refused, because a body that two readers may understand differently must not
 * move money.
 */
import { EXIT, OddsmithError } from '../../../domain/errors.js';
import {
  isDigit,
  isPlainNumber,
  LONGEST_NUMBER,
  NUMBER,
  POINT,
  POWERS_OF_TEN,
  ZERO,
} from './json-numbers.js';
import type { Container, JsonObject, JsonValue, Spellings } from './json-values.js';
import { JSON_DEPTH } from './limits.js';

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

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const MINUS = 45;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const LONE_SURROGATE = /\p{Surrogate}/u;

class Reader {
  private at = 0;
  private depth = 0;
  /** Text of the number just read, when JavaScript would spell it differently; else null. */
  private odd: string | null = null;
  /** Member names by place: the items of a batch repeat them, and comparing is cheaper than reading. */
  private readonly names: string[] = [];
  private readonly numbers = new Map<Container, Map<string | number, string>>();
  private readonly written = new Map<Container, readonly string[]>();

  constructor(
    private readonly text: string,
    private readonly depthLimit: number,
  ) {}

  document(): JsonDocument {
    this.skipSpace();
    const value = this.value();
    this.skipSpace();
    if (this.at < this.text.length) this.fail('unexpected text after the document');
    return { value, spellings: { numbers: this.numbers, names: this.written } };
  }

  private value(): JsonValue {
    const code = this.text.charCodeAt(this.at);
    if (code === QUOTE) return this.string();
    if (code === OPEN_OBJECT) return this.object();
    if (code === OPEN_ARRAY) return this.array();
    if (code === MINUS || isDigit(code)) return this.number();
    return this.word();
  }

  private object(): JsonObject {
    const members: Record<string, JsonValue> = {};
    this.enter();
    if (this.take(CLOSE_OBJECT)) return this.leave(members);
    let place = 0;
    let names: string[] | null = null;
    do {
      this.skipSpace();
      const name = this.memberName(members, place++);
      if (names !== null) names.push(name);
      else if (isDigit(name.charCodeAt(0))) names = [...Object.keys(members), name];
      const value = this.value();
      if (this.odd !== null) this.note(members, name);
      if (name === '__proto__') defineMember(members, name, value);
      else members[name] = value;
      this.skipSpace();
    } while (this.take(COMMA));
    if (!this.take(CLOSE_OBJECT)) this.fail('expected , or }');
    if (names !== null) this.noteNames(members, names);
    return this.leave(members);
  }

  private memberName(members: object, place: number): string {
    if (this.text.charCodeAt(this.at) !== QUOTE) this.fail('expected a member name');
    const start = this.at;
    const name = this.sameName(place) ?? this.string();
    // A name with escapes is not remembered: its text is not what it stands for.
    if (this.at - start === name.length + 2) this.names[place] = name;
    if (Object.hasOwn(members, name)) this.fail(`repeated member ${JSON.stringify(name)}`, start);
    this.skipSpace();
    if (!this.take(COLON)) this.fail('expected :');
    this.skipSpace();
    return name;
  }

  /** The name last read at this place, if it stands here again. */
  private sameName(place: number): string | null {
    const name = this.names[place];
    if (name === undefined || !this.text.startsWith(name, this.at + 1)) return null;
    const end = this.at + 1 + name.length;
    if (this.text.charCodeAt(end) !== QUOTE) return null;
    this.at = end + 1;
    return name;
  }

  private array(): readonly JsonValue[] {
    const items: JsonValue[] = [];
    this.enter();
    if (this.take(CLOSE_ARRAY)) return this.leave(items);
    do {
      this.skipSpace();
      items.push(this.value());
      if (this.odd !== null) this.note(items, items.length - 1);
      this.skipSpace();
    } while (this.take(COMMA));
    if (!this.take(CLOSE_ARRAY)) this.fail('expected , or ]');
    return this.leave(items);
  }

  private string(): string {
    const { text } = this;
    const start = this.at + 1;
    for (let index = start; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === QUOTE) {
        this.at = index + 1;
        return text.slice(start, index);
      }
      if (code === BACKSLASH || code < 32 || code > 126) return this.unusualString(start);
    }
    return this.fail('unterminated string', start - 1);
  }

  /** With escapes or beyond ASCII: decoded run by run, and checked for halves of surrogate pairs. */
  private unusualString(start: number): string {
    let decoded = '';
    let run = start;
    this.at = start;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === QUOTE) break;
      if (Number.isNaN(code)) this.fail('unterminated string', start - 1);
      if (code < 32) this.fail('control character in a string');
      if (code !== BACKSLASH) this.at += 1;
      else {
        decoded += this.text.slice(run, this.at) + this.escape();
        run = this.at;
      }
    }
    decoded += this.text.slice(run, this.at++);
    if (LONE_SURROGATE.test(decoded)) this.fail('half of a surrogate pair', start);
    return decoded;
  }

  private escape(): string {
    const letter = this.text.charAt(this.at + 1);
    if (letter === 'u') return this.unicodeEscape();
    const character = ESCAPES[letter];
    if (character === undefined) this.fail('unknown escape');
    this.at += 2;
    return character;
  }

  private unicodeEscape(): string {
    const digits = this.text.slice(this.at + 2, this.at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail('expected four hexadecimal digits');
    this.at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  /** Plain numbers of up to 15 digits are exact by hand: an integer, or an integer over a power of ten. */
  private number(): number {
    const { text } = this;
    const start = this.at;
    let index = text.charCodeAt(start) === MINUS ? start + 1 : start;
    const first = index;
    let digits = 0;
    let point = -1;
    let code = text.charCodeAt(index);
    for (; isDigit(code) || code === POINT; code = text.charCodeAt(++index)) {
      if (code !== POINT) digits = digits * 10 + code - ZERO;
      else if (point >= 0) return this.oddNumber(start);
      else point = index;
    }
    if (!isPlainNumber(text, first, index, point, code)) return this.oddNumber(start);
    this.at = index;
    const size = point < 0 ? digits : digits / (POWERS_OF_TEN[index - point - 1] ?? Number.NaN);
    return first > start ? -size : size;
  }

  private oddNumber(start: number): number {
    NUMBER.lastIndex = start;
    const spelled = NUMBER.exec(this.text)?.[0];
    if (spelled === undefined) this.fail('expected a number', start);
    if (spelled.length > LONGEST_NUMBER) this.fail(`number of more than ${LONGEST_NUMBER} characters`, start);
    this.at = start + spelled.length;
    const value = Number(spelled);
    if (!Number.isFinite(value)) this.fail('number too large', start);
    if (JSON.stringify(value) !== spelled) this.odd = spelled;
    return value;
  }

  private word(): boolean | null {
    const { text, at } = this;
    if (text.startsWith('true', at)) return this.skip(4, true);
    if (text.startsWith('false', at)) return this.skip(5, false);
    if (text.startsWith('null', at)) return this.skip(4, null);
    return this.fail(at < text.length ? 'expected a value' : 'unexpected end');
  }

  private note(container: Container, name: string | number): void {
    const noted = this.numbers.get(container) ?? new Map<string | number, string>();
    if (this.odd !== null) noted.set(name, this.odd);
    this.numbers.set(container, noted);
    this.odd = null;
  }

  private noteNames(members: JsonObject, names: readonly string[]): void {
    const own = Object.keys(members);
    if (names.some((name, place) => name !== own[place])) this.written.set(members, names);
  }

  private enter(): void {
    this.depth += 1;
    if (this.depth > this.depthLimit) this.fail(`nested deeper than ${this.depthLimit}`);
    this.at += 1;
    this.skipSpace();
  }

  private leave<Value>(container: Value): Value {
    this.depth -= 1;
    return container;
  }

  private skip<Value>(characters: number, value: Value): Value {
    this.at += characters;
    return value;
  }

  private take(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at += 1;
    return true;
  }

  private skipSpace(): void {
    let code = this.text.charCodeAt(this.at);
    while (code === 32 || code === 10 || code === 13 || code === 9) code = this.text.charCodeAt(++this.at);
  }

  private fail(problem: string, position: number = this.at): never {
    throw new JsonTextError(position, problem);
  }
}

/** A member of this name must not become the prototype. */
function defineMember(members: object, name: string, value: JsonValue): void {
  Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
}
