import { EXIT, OddsmithError } from '../../../domain/errors.js';

/** A Redis that cannot be used: not there, not willing, full, or lost in the middle. No text has its credentials. */
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

/** What is said of a failure, by its kind. @param address without credentials */
export function describeRedis(address: string, kind: string): string {
  const refusal = REFUSALS[kind];
  return refusal === undefined
    ? `Redis at ${address} cannot be reached (${kind})`
    : `Redis at ${address} ${refusal}`;
}

/** Whether waiting cannot help: Redis answered, and the answer is no. */
export const isRefusal = (kind: string): boolean => kind in REFUSALS;
