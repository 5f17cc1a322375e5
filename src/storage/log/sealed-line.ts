/**
 * Lines of a sealed log: `{"sum":"<8 hex digits>","kind":...}`. The sum is the CRC-32 of the text behind it and continues
 * the sum of the line before, so a line that was altered, lost, doubled or moved breaks the chain there.
 */
import { crc32 } from 'node:zlib';

/** Sum before the first line of a log. */
export const CHAIN_START = 0;
/** Every sealed line begins so. */
export const OPENING = '{"sum":"';

const DIGITS = 8;
/** Where the text begins that the sum covers: behind `{"sum":"01234567",`. */
const BODY_AT = OPENING.length + DIGITS + 2;
const SEAL = /^\{"sum":"([0-9a-f]{8})",$/;

/** `broken`: no sealed line. `altered`: a sealed line whose sum does not continue the chain. */
export type LineVerdict =
  | { readonly state: 'intact'; readonly sum: number }
  | { readonly state: 'altered' }
  | { readonly state: 'broken' };

/** A line with its line feed, and its sum for the next one. */
export interface SealedLine {
  readonly text: string;
  readonly sum: number;
}

/** @param body a JSON object as text */
export function sealLine(body: string, previous: number): SealedLine {
  const rest = body.slice(1);
  const sum = crc32(rest, previous);
  return { text: `${OPENING}${sumDigits(sum)}",${rest}\n`, sum };
}

export const sumDigits = (sum: number): string => sum.toString(16).padStart(DIGITS, '0');
export const sumOf = (digits: string): number => Number.parseInt(digits, 16);

/** @param line one line without its line feed */
export function judgeLine(line: Buffer, previous: number): LineVerdict {
  const digits = SEAL.exec(line.toString('latin1', 0, BODY_AT))?.[1];
  if (digits === undefined) return { state: 'broken' };
  const sum = crc32(line.subarray(BODY_AT), previous);
  return sum === sumOf(digits) ? { state: 'intact', sum } : { state: 'altered' };
}

/** What an intact line says, without its seal. */
export const recordIn = (line: Buffer): unknown => JSON.parse(`{${line.toString('utf8', BODY_AT)}`);
