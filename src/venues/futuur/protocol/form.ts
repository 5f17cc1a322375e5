/** `name=value&name=value`: query strings, form bodies and the signed string share this spelling. */
import { quotePlus } from './signed-values.js';

/** Decoded name and value; a name may occur several times. */
export type Pair = readonly [name: string, value: string];

/** Python's `urlencode`, in the given order. */
export const writeForm = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${quotePlus(name)}=${quotePlus(value)}`).join('&');

/** @returns the pairs in order of appearance, or null when a percent escape is broken or not UTF-8 */
export function readForm(text: string): readonly Pair[] | null {
  if (text === '') return [];
  try {
    return text
      .split('&')
      .filter((part) => part !== '')
      .map(readPair);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function readPair(part: string): Pair {
  const equals = part.indexOf('=');
  return equals < 0
    ? [unquotePlus(part), '']
    : [unquotePlus(part.slice(0, equals)), unquotePlus(part.slice(equals + 1))];
}

const unquotePlus = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
