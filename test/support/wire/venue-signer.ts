/**
 * A signer of its own for the contract suite, written from specification 5.3 and the facts alone, so that a
 * mistake in the project's signing cannot hide on both sides of the wire.
 */
import { createHmac } from 'node:crypto';

export interface Keys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

/** The three headers of specification 5.2 for these parameters at this time. */
export function signHeaders(
  keys: Keys,
  parameters: Readonly<Record<string, Plain>>,
  timestamp: number | string,
): Record<string, string> {
  const text = urlencodeSorted({ ...parameters, Key: keys.publicKey, Timestamp: timestamp });
  return headersFor(keys, text, timestamp);
}

/** As {@link signHeaders}, for a string to sign that the caller spells itself. */
export const headersFor = (keys: Keys, text: string, timestamp: number | string): Record<string, string> => ({
  Key: keys.publicKey,
  Timestamp: String(timestamp),
  HMAC: createHmac('sha512', keys.privateKey).update(text).digest('hex'),
});

/** `urlencode(sorted(parameters.items()))`. */
export const urlencodeSorted = (parameters: Readonly<Record<string, Plain>>): string =>
  encodeSorted(Object.entries(parameters).map(([name, value]) => [name, pythonStr(value)] as const));

/** The same over pairs, where a name may stand several times: by name, then by value. */
export const encodeSorted = (pairs: readonly (readonly [string, string])[]): string =>
  pairs
    .toSorted(([a, left], [b, right]) => (a < b || (a === b && left < right) ? -1 : 1))
    .map(([name, value]) => `${quote(name)}=${quote(value)}`)
    .join('&');

/** `quote_plus`. */
export function quote(text: string): string {
  const escaped = encodeURIComponent(text).replace(
    /[!'()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return escaped.replaceAll('%20', '+');
}

/** `str(value)` of what `json.loads` made of it. */
const pythonStr = (value: Plain): string => (typeof value === 'string' ? value : pythonRepr(value));

function pythonRepr(value: Plain): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return pythonQuoted(value);
  if (isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${pythonRepr(name)}: ${pythonRepr(member)}`);
  return `{${members.join(', ')}}`;
}

/** Single quotes, unless the text has some and no double ones. */
function pythonQuoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`;
}

const isArray = (value: Plain): value is readonly Plain[] => Array.isArray(value);
