/**
 * Lines that vouch for each other: `{"sum":"<8 hex digits>","record":{...}}`. The sum is a CRC-32 over the text of the
 * record that continues the sum of the line before, so a line that was altered, lost or moved breaks the chain there.
 */
import { crc32 } from 'node:zlib';

/** What stands in a line of a file. */
export type SealVerdict =
  | { readonly state: 'intact'; readonly body: string; readonly sum: number }
  /** A whole line whose sum does not continue the chain: it or a line before it was changed or lost. */
  | { readonly state: 'altered' }
  /** Not a sealed line: what a write leaves that was cut short. */
  | { readonly state: 'broken' };

/** Sum before the first line of the first file. */
export const CHAIN_START = 0;

const WHOLE_LINE = /^\{"sum":"([0-9a-f]{8})","record":(\{.*\})\}$/;

/** @param body a JSON object as text. @returns the line with its line feed, and its sum for the next one */
export function sealLine(body: string, previous: number): { text: string; sum: number } {
  const sum = crc32(body, previous);
  return { text: sealOf(sum) + body + LINE_END, sum };
}

/** A line at the beginning of a block of memory, good until the next one is sealed. */
export interface SealedBytes {
  readonly block: Buffer;
  /** Of the line with its line feed. */
  readonly length: number;
  readonly sum: number;
}

/** Seals lines in a block of memory of its own, for those who write one after the other. */
export class LineSealer {
  /** The same memory twice: a buffer is asked for what it lies in at some length. */
  #memory = new ArrayBuffer(LINE_BYTES);
  #block = sealedBlock(this.#memory);

  /** As {@link sealLine}. @param pieces which together are the body */
  seal(pieces: readonly string[], previous: number): SealedBytes {
    let units = 0;
    for (const piece of pieces) units += piece.length;
    this.#makeRoomFor(units);
    const block = this.#block;
    let end = BODY_AT;
    for (const piece of pieces) {
      if (piece === CLOSE) block[end++] = CLOSE_BYTE;
      else end += block.write(piece, end);
    }
    const sum = crc32(new Uint8Array(this.#memory, BODY_AT, end - BODY_AT), previous);
    for (let digit = 0; digit < SUM_DIGITS; digit++) block[SUM_AT + digit] = hexDigit(sum, digit);
    for (let at = 0; at < LINE_END.length; at++) block[end + at] = LINE_END.charCodeAt(at);
    return { block, length: end + LINE_END.length, sum };
  }

  #makeRoomFor(units: number): void {
    const most = BODY_AT + MOST_BYTES_A_UNIT * units + LINE_END.length;
    if (most <= this.#block.length) return;
    this.#memory = new ArrayBuffer(2 * most);
    this.#block = sealedBlock(this.#memory);
  }
}

/** The seal's words are in it, so that of each line only the digits of its sum need be written. */
function sealedBlock(memory: ArrayBuffer): Buffer {
  const block = Buffer.from(memory);
  block.write(sealOf(0), 0, 'latin1');
  return block;
}

/** @param digit 0 is the first of eight. @returns the character of one hexadecimal digit */
const hexDigit = (sum: number, digit: number): number =>
  HEX_DIGITS.charCodeAt((sum >>> (4 * (SUM_DIGITS - 1 - digit))) & 15);

const LINE_BYTES = 32_768;
/** Of UTF-8, for one unit of a string. */
const MOST_BYTES_A_UNIT = 3;
const LINE_END = '}\n';
/** A piece of its own behind most bodies; a call into the block takes as long as two hundred bytes. */
const CLOSE = '}';
const CLOSE_BYTE = CLOSE.charCodeAt(0);

const sealOf = (sum: number): string => `{"sum":"${sum.toString(16).padStart(8, '0')}","record":`;
const BODY_AT = sealOf(0).length;
const SUM_AT = '{"sum":"'.length;
const SUM_DIGITS = 8;
const HEX_DIGITS = '0123456789abcdef';

/** @param text one line without its line feed */
export function judgeSeal(text: string, previous: number): SealVerdict {
  const [, digits, body] = WHOLE_LINE.exec(text) ?? [];
  if (digits === undefined || body === undefined) return { state: 'broken' };
  const sum = crc32(body, previous);
  return sum === Number.parseInt(digits, 16) ? { state: 'intact', body, sum } : { state: 'altered' };
}
