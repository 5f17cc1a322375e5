import type { Redis as Client, Redis } from 'ioredis';
import type * as bullmq from 'bullmq';
import { UsageError, EXIT, OddsmithError } from '../../../domain/errors.js';
import type { Environment } from '../../../settings/index.js';

const CONNECT_MS = 10_000;
const RETRY_STEP_MS = 100;
const RETRY_MOST_MS = 2_000;
/** With growing pauses: a little more than a minute. */
const ATTEMPTS = 45;

/** Called with news of the connection, in words. */
export type News = (text: string) => void;

export interface LinkOptions {
  readonly address: RedisAddress;
  readonly onNews: News;
  /** Attempts to restore a lost connection before it counts as gone. */
  readonly attempts?: number;
  /** A Redis that cannot be reached at the start is waited for, too, until this is aborted. Left out: it is not. */
  readonly waitsUntil?: AbortSignal;
}

/** A connection to Redis that reconnects. */
export interface RedisLink {
  readonly client: Client;
  /** Rejects with a RedisError when the connection is gone for good or Redis refuses it; never resolves. */
  readonly gone: Promise<never>;
  close(): void;
}

/** @throws RedisError when Redis cannot be reached or refuses the connection */
export async function openRedis({ Redis }: RedisPackages, options: LinkOptions): Promise<RedisLink> {
  const { address, attempts = ATTEMPTS, waitsUntil } = options;
  let isOpen = false;
  const goesOn = (): boolean => isOpen || waitsUntil?.aborted === false;
  const client = new Redis(address.url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: null,
    retryStrategy: (times) =>
      goesOn() && times <= attempts ? Math.min(times * RETRY_STEP_MS, RETRY_MOST_MS) : null,
  });
  const gone = watched(client, options, goesOn);
  gone.catch(() => undefined);
  const giveUp = (): void => client.disconnect();
  waitsUntil?.addEventListener('abort', giveUp, { once: true });
  await Promise.race([entered(client), gone]);
  waitsUntil?.removeEventListener('abort', giveUp);
  isOpen = true;
  const close = (): void => {
    isOpen = false;
    client.disconnect();
  };
  return { client, gone, close };
}

/** Redis checks a password with the first command. */
async function entered(client: Client): Promise<void> {
  const ready = new Promise<void>((resolve) => client.once('ready', () => resolve()));
  await client.connect().catch(() => ready);
  await client.ping().catch(() => new Promise(() => undefined));
}

function watched(client: Client, { address, onNews }: LinkOptions, goesOn: () => boolean): Promise<never> {
  return new Promise((_, reject) => {
    let kind = 'connection closed';
    let isLost = false;
    let wasReady = false;
    const fail = (): void => reject(new RedisError(describeRedis(address.shown, kind)));
    client.on('error', (error) => {
      kind = kindOfFailure(error);
      if (isRefusal(kind) || !goesOn()) fail();
    });
    client.on('close', () => {
      const what = wasReady
        ? `the connection to Redis at ${address.shown} is lost`
        : describeRedis(address.shown, kind);
      if (goesOn() && !isLost) onNews(`${what}; trying again`);
      isLost = true;
    });
    client.on('ready', () => {
      if (isLost) onNews('Redis is back');
      isLost = false;
      wasReady = true;
    });
    client.on('end', fail);
  });
}

const SCHEMES = new Set(['redis:', 'rediss:']);
const PORT = '6379';

/** Where Redis is. */
export interface RedisAddress {
  /** With credentials. */
  readonly url: string;
  /** `redis://host:port/database` without credentials, for people. */
  readonly shown: string;
}

/** The variable with the password: command lines are visible to every user of a machine. */
export const REDIS_PASSWORD = 'ODDSMITH_REDIS_PASSWORD';

/**
 * Reads `redis://[user[:password]@]host[:port][/database]`, with `rediss` for TLS.
 * @param environment has the password when the address has none
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

/** A Redis that cannot be used: unreachable, refusing, full, or lost. No text has its credentials. */
export class RedisError extends OddsmithError {
  readonly code = 'ODDSMITH_REDIS';
  readonly exit = EXIT.usage;
}

const REFUSALS: Readonly<Record<string, string>> = {
  WRONGPASS: 'refuses the user name or the password',
  NOAUTH: 'wants a password: redis://:password@host:port',
  NOPERM: 'does not allow this user what a queue needs (all commands on keys oddsmith:*)',
  READONLY: 'is a replica that cannot be written; name its primary',
  MISCONF: 'cannot save to its disk and takes no writes; look at its log',
  OOM: 'has no memory left (maxmemory); raise it, or remove what others keep there: a sweep needs some megabytes',
};

/**
 * The kind of a failure: the code of the operating system, or the word that begins an error answer of Redis by its
 * protocol (RESP, "Simple errors"); that of a script may stand behind the word for scripts.
 */
export function kindOfFailure(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words = [...message.matchAll(/(?:^|: )([A-Z]{3,}) /g)].map(([, word]) => word);
  return code ?? words.at(-1) ?? 'unknown reason';
}

/** Describes a failure by its kind. @param address without credentials */
export function describeRedis(address: string, kind: string): string {
  const refusal = REFUSALS[kind];
  return refusal === undefined
    ? `Redis at ${address} cannot be reached (${kind})`
    : `Redis at ${address} ${refusal}`;
}

/** Whether Redis answered with a refusal: waiting does not help. */
export const isRefusal = (kind: string): boolean => kind in REFUSALS;

export interface RedisPackages {
  readonly bullmq: typeof bullmq;
  readonly Redis: typeof Redis;
}

/**
 * Loads the optional packages for sweeps over several machines.
 * @throws UsageError when they are not installed
 */
export async function loadRedisPackages(): Promise<RedisPackages> {
  try {
    const [queues, client] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq: queues, Redis: client.Redis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      'sweeping over Redis needs the packages bullmq and ioredis, which are optional and not installed here: npm install bullmq@6.7.0 ioredis@6.0.0',
      { cause: error },
    );
  }
}
