import { UsageError } from '../../../domain/errors.js';
import type { Environment } from '../../../settings/index.js';

const SCHEMES = new Set(['redis:', 'rediss:']);
const PORT = '6379';

/** Where Redis is. */
export interface RedisAddress {
  /** With credentials: for connecting alone. */
  readonly url: string;
  /** `redis://host:port/database` without credentials, for people. */
  readonly shown: string;
}

/** The variable that a password is read from: every user of a machine sees its command lines. */
export const REDIS_PASSWORD = 'ODDSMITH_REDIS_PASSWORD';

/**
 * Reads `redis://[user[:password]@]host[:port][/database]`, with `rediss` for TLS.
 * @param environment where the password stands when the address has none
 * @throws UsageError that does not repeat what was given, which may hold a password
 */
export function redisAddress(text: string, environment: Environment): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isDatabase = url !== null && /^\/?\d*$/.test(url.pathname);
  if (url === null || !SCHEMES.has(url.protocol) || url.hostname === '' || !isDatabase)
    throw new UsageError('--redis expects redis://[user@]host[:port][/database], rediss:// for TLS');
  const password = environment[REDIS_PASSWORD] ?? '';
  if (url.password === '' && password !== '') url.password = encodeURIComponent(password);
  const database = url.pathname === '/' ? '' : url.pathname;
  return { url: url.href, shown: `${url.protocol}//${url.hostname}:${url.port || PORT}${database}` };
}
