/** What a text is expected to say at some place, as {@link TextScan} compares it. */
export type Expected = DataView;

/** @param text of ASCII, at most {@link MOST_EXPECTED} long */
export const expected = (text: string): Expected => new DataView(Uint8Array.from(codesOf(text)).buffer);

/** Longer texts are lost from the start. */
const MOST_BYTES = 65_536;
const MOST_EXPECTED = 64;
/** More is not exact as a double, and no price or amount of a book has as many. */
const MOST_DIGITS = 15;
/** As many as `JSON.stringify` writes of a double that needs no exponent, and some. */
const MOST_OF_NUMBER = 24;
const ZERO = 48;
const NINE = 57;
const POINT = 46;
/** Behind the text; nothing that is expected has it, so no scan goes on from there. */
const END = 0;

/** What all scans look at, one after the other: bytes are compared in half the time that units of a string take. */
const bytes = Buffer.alloc(MOST_BYTES + MOST_EXPECTED);
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

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

  sees(text: Expected): boolean {
    for (let index = 0; index < text.byteLength; index++)
      if (bytes[this.#at + index] !== text.getUint8(index)) return false;
    return true;
  }

  /** Compares four bytes at a time: what is passed so is most of a text. */
  pass(text: Expected): this {
    const at = this.#at;
    const length = text.byteLength;
    let index = 0;
    while (index + 4 <= length && view.getInt32(at + index) === text.getInt32(index)) index += 4;
    while (index < length && bytes[at + index] === text.getUint8(index)) index += 1;
    if (index === length) this.#at = at + length;
    else this.#isLost = true;
    return this;
  }

  /** Letters, digits, `-` and `_`. */
  word(): string {
    const start = this.#at;
    let at = start;
    while (IS_OF_WORD[bytes[at]!] === 1) at += 1;
    this.#at = at;
    return this.#text.substring(start, at);
  }

  /** So many characters, or as many as there are. */
  slice(length: number): string {
    const start = this.#at;
    this.#at = Math.min(start + length, this.#text.length);
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
for (const code of codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'))
  IS_OF_WORD[code] = 1;

function codesOf(text: string): number[] {
  return Array.from(text, (unit) => unit.charCodeAt(0));
}
