/**
 * Lines that vouch for each other: `{"sum":"<8 hex digits>","n":1,...}`. The sum is a CRC-32 over the text behind it
 * that continues the sum of the line before, so a line that was altered, lost, doubled or moved breaks the chain there.
 */
import { crc32 } from 'node:zlib';

/** Sum before the first line. */
export const CHAIN_START = 0;

/** Every line of a tape begins so. */
export const OPENING = '{"sum":"';
const DIGITS = 8;
/** `{"sum":"01234567",` */
const PREFIX = OPENING.length + DIGITS + 2;
const QUOTE = 0x22;
const COMMA = 0x2c;

/** @param body a JSON object as text. @returns the line with its line feed, and its sum for the next one */
export function sealLine(body: string, previous: number): { readonly text: string; readonly sum: number } {
  const rest = body.slice(1);
  const sum = crc32(rest, previous);
  return { text: `${OPENING}${sumDigits(sum)}",${rest}\n`, sum };
}

export const sumDigits = (sum: number): string => sum.toString(16).padStart(DIGITS, '0');

/**
 * @param line one line without its line feed
 * @returns its own sum and the one that the line before makes it; null when it is no sealed line
 */
export function sumsOf(
  line: Buffer,
  previous: number,
): { readonly stated: number; readonly found: number } | null {
  if (line.length <= PREFIX || line.toString('latin1', 0, OPENING.length) !== OPENING) return null;
  if (line[PREFIX - 2] !== QUOTE || line[PREFIX - 1] !== COMMA) return null;
  const digits = line.toString('latin1', OPENING.length, OPENING.length + DIGITS);
  if (!/^[0-9a-f]{8}$/.test(digits)) return null;
  return { stated: Number.parseInt(digits, 16), found: crc32(line.subarray(PREFIX), previous) };
}
