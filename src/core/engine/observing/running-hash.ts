const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;
const SECOND_SEED = 0x9747b28c | 0;
const SECOND_PRIME = 0x5bd1e995;

/** More digits than any integer that is written has. */
const DIGITS = 16;
const ZERO = 48;
/** Digits that are taken off at once, so that what they are and what is left fits the processor's integers. */
const LOW_DIGITS = 9;
const LOW_MOST = 10 ** LOW_DIGITS;

/**
 * The hash of texts that each go into the next, of 64 bits. A text may come in pieces, and pieces that are always the
 * same as codes: asking a string for its characters takes three times as long as hashing them.
 */
export class RunningHash {
  // As signed integers, which are no objects of their own.
  private high = FNV_OFFSET;
  private low = SECOND_SEED;
  private readonly digits = new Uint8Array(DIGITS);

  /** 16 hexadecimal digits. */
  get hex(): string {
    return hexOf(this.high) + hexOf(this.low);
  }

  /** Takes in a piece of any text. */
  text(text: string): void {
    for (let at = 0; at < text.length; at++) this.code(text.charCodeAt(at));
  }

  /** Takes in codes of characters. */
  codes(codes: Uint8Array, from = 0): void {
    let { high, low } = this;
    for (let at = from; at < codes.length; at++) {
      const code = codes[at]!;
      high = Math.imul(high ^ code, FNV_PRIME);
      low = (Math.imul(low ^ code, SECOND_PRIME) + (low >>> 13)) | 0;
    }
    this.high = high;
    this.low = low;
  }

  /** Takes in a number as JSON writes it. */
  number(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) return this.text(JSON.stringify(value));
    const high = value < LOW_MOST ? 0 : Math.floor(value / LOW_MOST);
    const low = value - high * LOW_MOST;
    let at = this.write(low, DIGITS);
    if (high > 0) {
      while (at > DIGITS - LOW_DIGITS) this.digits[--at] = ZERO;
      at = this.write(high, at);
    }
    this.codes(this.digits, at);
  }

  /** Ends a text. */
  end(): void {
    this.low ^= this.high;
  }

  private code(code: number): void {
    const { low } = this;
    this.high = Math.imul(this.high ^ code, FNV_PRIME);
    this.low = (Math.imul(low ^ code, SECOND_PRIME) + (low >>> 13)) | 0;
  }

  /** Writes the digits of a small integer, the last one before `end`. @returns the place of the first */
  private write(value: number, end: number): number {
    let at = end;
    let left = value;
    do {
      const tens = (left / 10) | 0;
      this.digits[--at] = ZERO + left - 10 * tens;
      left = tens;
    } while (left > 0);
    return at;
  }
}

const hexOf = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
