/**
 * How Python writes values as text: `str()`, `repr()` and `urllib.parse.quote_plus`. The venue's reference
 * implementation signs what these produce (facts, "Signing"), so they are reproduced character by character;
 * the test vectors come from a real Python.
 */

/** `quote_plus`: UTF-8 percent encoding of all but letters, digits and `_.-~`; a space is `+`. */
export function quotePlus(text: string): string {
  return isUnreserved(text) ? text : encodeURIComponent(text).replace(DIFFERENT, requoted);
}

/** `repr()` of a `str`: single quotes unless only those occur inside; what does not print is escaped. */
export function pythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return `${quote}${text.replace(ESCAPED, (character) => escaped(character, quote))}${quote}`;
}

/**
 * `repr()` of the number that Python's `json` reads from this text: without point and exponent an `int` of any
 * size, else a `float`.
 * @param spelling a JSON number
 */
export function pythonNumber(spelling: string): string {
  if (/[.eE]/.test(spelling)) return pythonFloat(Number(spelling));
  return spelling === '-0' ? '0' : spelling;
}

/** `repr()` of a `float`: the shortest digits that read back, with an exponent below 1e-4 and from 1e16 on. */
export function pythonFloat(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return exponentForm(value);
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
}

/** The words of Python for the three JSON words. */
export const pythonWord = (value: boolean | null): string =>
  value === null ? 'None' : value ? 'True' : 'False';

/** True for letters, digits and `_.-~` alone: text that quoting leaves as it is. */
export function isUnreserved(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (UNRESERVED[text.charCodeAt(index)] !== 1) return false;
  }
  return true;
}

const UNRESERVED = new Uint8Array(65_536);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~') {
  UNRESERVED[character.charCodeAt(0)] = 1;
}

/** Where `encodeURIComponent` and `quote_plus` differ. */
const DIFFERENT = /%20|[!'()*]/g;
const requoted = (part: string): string =>
  part === '%20' ? '+' : `%${part.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Backslash, quotes, and all that `str.isprintable` denies: other and separator characters but the space. Which
 * code points are assigned depends on the Unicode version of either side.
 */
const ESCAPED = /[\\'"]|[^\P{C}]|[^\P{Z} ]/gu;
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function escaped(character: string, quote: string): string {
  if (character === "'" || character === '"') return character === quote ? `\\${character}` : character;
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Python writes at least two digits of exponent. */
function exponentForm(value: number): string {
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, '0')}`;
}
