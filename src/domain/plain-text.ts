/**
 * Text of others (titles, error texts, names) as it may be shown: on a terminal, in a log for people, on a page, in a
 * table. Machines get the text as it came.
 */

/** Control characters, line separators, and characters that turn the direction of a line. */
const UNSHOWABLE = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;
const WHITE = /[\t\n\r\u2028\u2029]/;

/** One line without control, escape or direction characters: each becomes U+FFFD, white space a space. */
export const plainText = (text: string): string =>
  text.replaceAll(UNSHOWABLE, (found) => (WHITE.test(found) ? ' ' : '\uFFFD'));

/** A copy of plain JSON values with {@link plainText} in the place of every text. */
export function plainTexts<Value>(value: Value): Value;
export function plainTexts(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => plainTexts(item as unknown));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, plainTexts(member as unknown)]),
  );
}

/** The same JSON text with such characters escaped, so that it stays exact and can be shown. Line feeds stay. */
export const plainJson = (json: string): string =>
  json.replaceAll(UNSHOWABLE, (found) =>
    found === '\n' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
