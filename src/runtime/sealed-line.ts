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

/** Seals lines in a block of memory of its own, for those who write one after the other. */
export class LineSealer {
  #bytes = Buffer.allocUnsafe(LINE_BYTES);

  /** As {@link sealLine}. @returns the bytes of the line, good until the next one is sealed */
  seal(body: string, previous: number): { bytes: Buffer; sum: number } {
    this.#makeRoomFor(body);
    const end = BODY_AT + this.#bytes.write(body, BODY_AT);
    const sum = crc32(this.#bytes.subarray(BODY_AT, end), previous);
    this.#bytes.write(sealOf(sum), 0, 'latin1');
    this.#bytes.write(LINE_END, end, 'latin1');
    return { bytes: this.#bytes.subarray(0, end + LINE_END.length), sum };
  }

  #makeRoomFor(body: string): void {
    const most = BODY_AT + MOST_BYTES_A_UNIT * body.length + LINE_END.length;
    if (most > this.#bytes.length) this.#bytes = Buffer.allocUnsafe(2 * most);
  }
}

const LINE_BYTES = 32_768;
/** Of UTF-8, for one unit of a string. */
const MOST_BYTES_A_UNIT = 3;
const LINE_END = '}\n';

const sealOf = (sum: number): string => `{"sum":"${sum.toString(16).padStart(8, '0')}","record":`;
const BODY_AT = sealOf(0).length;

/** @param text one line without its line feed */
export function judgeSeal(text: string, previous: number): SealVerdict {
  const [, digits, body] = WHOLE_LINE.exec(text) ?? [];
  if (digits === undefined || body === undefined) return { state: 'broken' };
  const sum = crc32(body, previous);
  return sum === Number.parseInt(digits, 16) ? { state: 'intact', body, sum } : { state: 'altered' };
}
