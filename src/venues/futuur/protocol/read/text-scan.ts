import { InvariantError } from '../../../../domain/errors.js';

/** What a text is expected to say at some place. It stands behind the texts, to be compared with them. */
export interface Expected {
  readonly offset: number;
  readonly length: number;
}

/** One of those that may stand at some place. */
export interface Choice<Word> {
  readonly text: Expected;
  /** What it means. */
  readonly word: Word;
}

/** Longer texts are lost from the start. */
const MOST_BYTES = 65_536;
/** What is compared at a time. */
const STRIDE = 8;
/** All that is expected anywhere. */
const EXPECTED_BYTES = 4_096;
/** More is not exact as a double, and no price or amount of a book has as many. */
const MOST_DIGITS = 15;
/** As many as `JSON.stringify` writes of a double that needs no exponent, and some. */
const MOST_OF_NUMBER = 24;
const ZERO = 48;
const POINT = 46;
/** Behind the text; nothing that is expected has it, so no scan goes on from there. */
const END = 0;

/** What all scans look at, one after the other: bytes are compared in half the time that units of a string take. */
const bytes = Buffer.alloc(MOST_BYTES + STRIDE + EXPECTED_BYTES);
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
let expectedEnd = MOST_BYTES + STRIDE;

/** @param text of ASCII. @throws InvariantError where there is no room for it: a scan would look past the end */
export function expected(text: string): Expected {
  const offset = expectedEnd;
  if (offset + text.length > bytes.length)
    throw new InvariantError(`more than ${EXPECTED_BYTES} bytes are expected`);
  expectedEnd += bytes.write(text, offset, 'latin1');
  return { offset, length: text.length };
}

/** @param spellings what may stand there, the frequent first, and what it means */
export const choices = <Word>(
  spellings: readonly (readonly [text: string, word: Word])[],
): readonly Choice<Word>[] => spellings.map(([text, word]) => ({ text: expected(text), word }));

/**
 * Goes once through a text whose spelling is known. Where it says something else the scan is lost for good: it goes on
 * without an error, and what it reads means nothing.
 */
export class TextScan {
  readonly #text: string;
  #at = 0;
  #isLost: boolean;
  /** The digits passed last, as one number. */
  #count = 0;

  constructor(text: string) {
    const end = bytes.write(text, 0, MOST_BYTES);
    bytes[end] = END;
    this.#text = text;
    this.#isLost = end !== text.length;
  }

  /** Whether everything was as expected, to the end. */
  get isThrough(): boolean {
    return !this.#isLost && this.#at === this.#text.length;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  lose(): void {
    this.#isLost = true;
  }

  pass(text: Expected): this {
    if (!this.tries(text)) this.#isLost = true;
    return this;
  }

  /** Passes the text if it stands here. Compared as doubles, which ASCII never makes a NaN; the last one may overlap the one before. */
  tries({ offset, length }: Expected): boolean {
    const at = this.#at;
    const last = length - STRIDE;
    for (let index = 0; index < last; index += STRIDE)
      if (view.getFloat64(at + index, true) !== view.getFloat64(offset + index, true)) return false;
    if (last >= 0) {
      if (view.getFloat64(at + last, true) !== view.getFloat64(offset + last, true)) return false;
    } else {
      for (let index = 0; index < length; index++)
        if (bytes[at + index] !== bytes[offset + index]) return false;
    }
    this.#at = at + length;
    return true;
  }

  /** Passes one of some texts, of which none begins with another. @returns what it means */
  chosen<Word>(words: readonly Choice<Word>[]): Word {
    for (const { text, word } of words) if (this.tries(text)) return word;
    this.#isLost = true;
    return words[0]!.word;
  }

  /** Expects from now on what was passed last. */
  learn({ offset, length }: Expected): void {
    bytes.copyWithin(offset, this.#at - length, this.#at);
  }

  /** Letters, digits, `-` and `_`. */
  word(): string {
    const start = this.#at;
    return this.#text.substring(start, this.passWord());
  }

  /** @returns where it ends */
  passWord(): number {
    let at = this.#at;
    while (IS_OF_WORD[bytes[at]!] === 1) at += 1;
    this.#at = at;
    return at;
  }

  /** So many digits. */
  digits(count: number): number {
    const at = this.#at;
    let value = 0;
    for (let index = 0; index < count; index++) {
      const digit = bytes[at + index]! - ZERO;
      if (digit < 0 || digit > 9) this.#isLost = true;
      value = 10 * value + digit;
    }
    this.#at = at + count;
    return value;
  }

  /** An integer of at least 0. */
  whole(): number {
    if (this.#number(MOST_DIGITS) > 0) this.#isLost = true;
    return this.#count;
  }

  /** A number of at least 0 as a count of 10^-places; one that is finer or has an exponent is not expected. */
  decimal(places: number): number {
    const written = this.#number(MOST_DIGITS);
    let count = written > places ? this.#without(written - places) : this.#count;
    for (let digit = written; digit < places; digit++) count *= 10;
    if (count > Number.MAX_SAFE_INTEGER) this.#isLost = true;
    return count;
  }

  /** The digits passed last without so many at the end, which are to be zeros. */
  #without(digits: number): number {
    let count = this.#count;
    for (let digit = 0; digit < digits; digit++) {
      if (count % 10 !== 0) this.#isLost = true;
      count /= 10;
    }
    return count;
  }

  /** A number of at least 0 without an exponent, as the nearest double. */
  number(): number {
    const start = this.#at;
    this.#number(MOST_OF_NUMBER);
    return Number(this.#text.slice(start, this.#at));
  }

  /** A number of at least 0 without an exponent. */
  passNumber(): void {
    this.#number(MOST_OF_NUMBER);
  }

  /** @param most characters. @returns how many digits stand after the point */
  #number(most: number): number {
    const start = this.#at;
    let at = start;
    let count = 0;
    for (let digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[++at]! - ZERO)
      count = 10 * count + digit;
    const whole = at - start;
    let written = 0;
    if (bytes[at] === POINT) {
      const first = ++at;
      for (let digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[++at]! - ZERO)
        count = 10 * count + digit;
      written = at - first;
      if (written === 0) this.#isLost = true;
    }
    const isPlain = whole === 1 || (whole > 1 && bytes[start] !== ZERO);
    if (!isPlain || at - start > most) this.#isLost = true;
    this.#at = at;
    this.#count = count;
    return written;
  }
}

const IS_OF_WORD = new Uint8Array(256);
for (const code of codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'))
  IS_OF_WORD[code] = 1;

function codesOf(text: string): number[] {
  return Array.from(text, (unit) => unit.charCodeAt(0));
}
