import type { Redis as Client } from 'ioredis';
import type { RedisPackages } from './packages.js';
import type { RedisAddress } from './redis-address.js';
import { describeRedis, isRefusal, kindOfFailure, RedisError } from './redis-error.js';

const CONNECT_MS = 10_000;
const RETRY_STEP_MS = 100;
const RETRY_MOST_MS = 2_000;
/** With growing pauses: something more than a minute. */
const ATTEMPTS = 45;

/** What happened to the connection, in words. */
export type News = (text: string) => void;

export interface LinkOptions {
  readonly address: RedisAddress;
  readonly onNews: News;
  /** How often a lost connection is tried again before it counts as gone. */
  readonly attempts?: number;
}

/** A connection to Redis that comes back by itself, and says when it does not. */
export interface RedisLink {
  readonly client: Client;
  /** Rejects with a RedisError once the connection is gone for good or Redis refuses us; never resolves. */
  readonly gone: Promise<never>;
  close(): void;
}

/** @throws RedisError when Redis is not there or does not let us in */
export async function openRedis({ Redis }: RedisPackages, options: LinkOptions): Promise<RedisLink> {
  const { address, attempts = ATTEMPTS } = options;
  let isOpen = false;
  const client = new Redis(address.url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: null,
    retryStrategy: (times) =>
      isOpen && times <= attempts ? Math.min(times * RETRY_STEP_MS, RETRY_MOST_MS) : null,
  });
  const gone = watched(client, options, () => isOpen);
  gone.catch(() => undefined);
  await Promise.race([entered(client), gone]);
  isOpen = true;
  const close = (): void => {
    isOpen = false;
    client.disconnect();
  };
  return { client, gone, close };
}

/** A password is only looked at with the first command. */
async function entered(client: Client): Promise<void> {
  await client.connect().catch(() => new Promise(() => undefined));
  await client.ping().catch(() => new Promise(() => undefined));
}

function watched(client: Client, { address, onNews }: LinkOptions, isOpen: () => boolean): Promise<never> {
  return new Promise((_, reject) => {
    let kind = 'connection closed';
    let isLost = false;
    const fail = (): void => reject(new RedisError(describeRedis(address.shown, kind)));
    client.on('error', (error) => {
      kind = kindOfFailure(error);
      if (isRefusal(kind) || !isOpen()) fail();
    });
    client.on('close', () => {
      if (isOpen() && !isLost) onNews(`the connection to Redis at ${address.shown} is lost; trying again`);
      isLost = true;
    });
    client.on('ready', () => {
      if (isLost) onNews('Redis is back');
      isLost = false;
    });
    client.on('end', fail);
  });
}
