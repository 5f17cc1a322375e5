import { UsageError } from '../../../domain/errors.js';

const SCHEMES = new Set(['redis:', 'rediss:']);
const PORT = '6379';

/** Where Redis is. */
export interface RedisAddress {
  /** With credentials: for connecting alone. */
  readonly url: string;
  /** `redis://host:port/database` without credentials, for people. */
  readonly shown: string;
}

/**
 * Reads `redis://[user:password@]host[:port][/database]`, with `rediss` for TLS.
 * @throws UsageError that does not repeat what was given, which may hold a password
 */
export function redisAddress(text: string): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isDatabase = url !== null && /^\/?\d*$/.test(url.pathname);
  if (url === null || !SCHEMES.has(url.protocol) || url.hostname === '' || !isDatabase)
    throw new UsageError('--redis expects redis://[user:password@]host[:port][/database], rediss:// for TLS');
  const database = url.pathname === '/' ? '' : url.pathname;
  return { url: text, shown: `${url.protocol}//${url.hostname}:${url.port || PORT}${database}` };
}
