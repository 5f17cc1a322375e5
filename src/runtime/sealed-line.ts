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
  return { text: `{"sum":"${sum.toString(16).padStart(8, '0')}","record":${body}}\n`, sum };
}

/** @param text one line without its line feed */
export function judgeSeal(text: string, previous: number): SealVerdict {
  const [, digits, body] = WHOLE_LINE.exec(text) ?? [];
  if (digits === undefined || body === undefined) return { state: 'broken' };
  const sum = crc32(body, previous);
  return sum === Number.parseInt(digits, 16) ? { state: 'intact', body, sum } : { state: 'altered' };
}
