/** What replaces a secret. */
export const REDACTED = '[redacted]';

export interface Redactor {
  /** Removes known secrets from a text, and everything that looks like a signature. */
  text(value: string): string;
  /**
   * Copies a value as plain JSON without secrets. A secret is recognised by the name of its member, by its value or by its
   * form, at any depth. Errors keep type, message, code, stack and cause. Circular references are cut.
   */
  value(value: unknown): unknown;
}

/** Names of members that hold secrets, compared without case, `-` and `_`. A public key is no secret. */
const SECRET_MEMBERS = new Set([
  'privatekey',
  'secret',
  'appsecret',
  'hmac',
  'auth',
  'authorization',
  'cookie',
  'setcookie',
  'password',
  'passphrase',
  'token',
  'admintoken',
  'apisecret',
]);

/**
 * Matches an `HMAC` header, or the digest of a channel authorisation. Signed headers fit other requests, so a signature
 * is as dangerous as a key.
 */
const SIGNATURE = /\b[0-9a-fA-F]{128}\b|(?<=\w:)[0-9a-fA-F]{64}\b/g;

/** Shorter secrets are not removed by value, because they would remove ordinary words. */
const SHORTEST_SECRET = 6;
const DEEPEST = 16;

/**
 * Makes a redactor. It is pure and writes nothing.
 * @param secrets  values to remove wherever they occur, such as the private key
 */
export function createRedactor(secrets: readonly string[] = []): Redactor {
  const known = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .toSorted((a, b) => b.length - a.length);
  const text = (value: string): string =>
    known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), value).replace(SIGNATURE, REDACTED);
  return { text, value: (value) => copy(value, { text, above: [] }) };
}

interface Walk {
  readonly text: (value: string) => string;
  /** Objects that contain the present one. */
  readonly above: readonly object[];
}

function copy(value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') return walk.text(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return walk.text(String(value));
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object' || value === null) return value;
  if (walk.above.includes(value)) return '[circular]';
  if (walk.above.length >= DEEPEST) return '[deep]';
  return copyObject(value, { ...walk, above: [...walk.above, value] });
}

function copyObject(value: object, walk: Walk): unknown {
  if (value instanceof Error) return copyMembers(errorMembers(value), walk);
  if (value instanceof Map) return copyEntries([...value], walk);
  if (value instanceof Set) return copyItems([...value], walk);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return copyItems(value, walk);
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), walk);
  return copyMembers(Object.entries(value), walk);
}

/** Some libraries keep headers as `[name, value]` pairs, or as one list of names and values. */
const copyItems = (items: readonly unknown[], walk: Walk): unknown[] =>
  items.map((item, index) => (isSecretMember(items[index - 1]) ? REDACTED : copy(item, walk)));

const copyEntries = (entries: readonly (readonly [unknown, unknown])[], walk: Walk): unknown =>
  copyMembers(
    entries.map(([name, member]) => [isScalar(name) ? String(name) : typeof name, member]),
    walk,
  );

const copyMembers = (members: readonly (readonly [string, unknown])[], walk: Walk): object =>
  Object.fromEntries(members.map(([name, member]) => [walk.text(name), copyMember(name, member, walk)]));

function copyMember(name: string, member: unknown, walk: Walk): unknown {
  const isSet = member !== null && member !== undefined;
  return isSet && isSecretMember(name) ? REDACTED : copy(member, walk);
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const isSecretMember = (name: unknown): boolean =>
  typeof name === 'string' && SECRET_MEMBERS.has(name.toLowerCase().replaceAll(/[-_]/g, ''));

function errorMembers(error: Error): readonly (readonly [string, unknown])[] {
  const { message, stack, cause } = error;
  const members: (readonly [string, unknown])[] = [
    ['type', error.name],
    ['message', message],
  ];
  if (stack !== undefined) members.push(['stack', stack]);
  if (cause !== undefined) members.push(['cause', cause]);
  const own = Object.entries(error).filter(([name]) => !members.some(([known]) => known === name));
  return [...members, ...own];
}
