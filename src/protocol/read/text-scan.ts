/** What a text is expected to say at some place, as {@link TextScan} compares it. */
export type Expected = Uint8Array;

/** @param text of ASCII */
export const expected = (text: string): Expected => Uint8Array.from(text, (unit) => unit.charCodeAt(0));

/** Longer texts are lost from the start. */
const MOST_BYTES = 65_536;
/** More is not exact as a double, and no price or amount of a book has as many. */
const MOST_DIGITS = 15;
/** As many as `JSON.stringify` writes of a double that needs no exponent, and some. */
const MOST_OF_NUMBER = 24;
const ZERO = 48;
const NINE = 57;
const POINT = 46;
const SPACE = 32;

/** What all scans look at, one after the other: bytes are compared in half the time that units of a string take. */
const bytes: Buffer = Buffer.alloc(MOST_BYTES);

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
    this.#text = text;
    this.#isLost = bytes.write(text) !== text.length;
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

  sees(text: Expected): boolean {
    for (let index = 0; index < text.length; index++)
      if (bytes[this.#at + index] !== text[index]) return false;
    return true;
  }

  pass(text: Expected): void {
    const at = this.#at;
    for (let index = 0; index < text.length; index++)
      if (bytes[at + index] !== text[index]) this.#isLost = true;
    this.#at = at + text.length;
  }

  /** One space, where there is one. */
  passSpace(): void {
    if (bytes[this.#at] === SPACE) this.#at += 1;
  }

  /** Letters, digits, `-` and `_`. */
  word(): string {
    const start = this.#at;
    let at = start;
    while (IS_OF_WORD[bytes[at]!] === 1) at += 1;
    this.#at = at;
    return this.#text.substring(start, at);
  }

  slice(length: number): string {
    const start = this.#at;
    this.#at = start + length;
    return this.#text.substring(start, this.#at);
  }

  /** An integer of at least 0. */
  whole(): number {
    return this.decimal(0);
  }

  /** A number of at least 0 as a count of 10^-places; one that is finer or has an exponent is not expected. */
  decimal(places: number): number {
    const start = this.#at;
    const written = this.#number();
    if (written > places || this.#at - start > MOST_DIGITS) this.#isLost = true;
    let count = this.#count;
    for (let digit = written; digit < places; digit++) count *= 10;
    return count;
  }

  /** A number of at least 0 without an exponent. */
  passNumber(): void {
    const start = this.#at;
    this.#number();
    if (this.#at - start > MOST_OF_NUMBER) this.#isLost = true;
  }

  /** @returns how many digits stand after the point */
  #number(): number {
    const start = this.#at;
    this.#count = 0;
    this.#digits();
    if (bytes[start] === ZERO && this.#at > start + 1) this.#isLost = true;
    if (bytes[this.#at] !== POINT) return 0;
    this.#at += 1;
    return this.#digits();
  }

  /** At least one. @returns how many */
  #digits(): number {
    const start = this.#at;
    let at = start;
    let count = this.#count;
    for (let digit = bytes[at]!; digit >= ZERO && digit <= NINE; digit = bytes[++at]!)
      count = count * 10 + digit - ZERO;
    if (at === start) this.#isLost = true;
    this.#at = at;
    this.#count = count;
    return at - start;
  }
}

const IS_OF_WORD = new Uint8Array(256);
for (const unit of expected('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'))
  IS_OF_WORD[unit] = 1;
