/** Whose keys a bot has, and the folder of that account. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KeysRefusedError, UsageError, VenueUnreachableError } from '../../domain/errors.js';
import { accountId, type AccountId } from '../../domain/ids.js';
import {
  accountPaths,
  learnAccount,
  locksOfOtherDivisions,
  type StatePaths,
} from '../../ops/state/account-folder.js';
import { KillFile } from '../../ops/state/kill-file.js';
import { requireNoFence } from '../../ops/state/latches.js';
import { venueOfShard } from '../../settings/index.js';
import type { BotOptions } from './connections.js';
import type { KeptSilence } from '../../ops/state/spending-file.js';
import { LatchFile } from '../../storage/state/latch-file.js';
import { acquireLock, type Lock, LockHeldError, requireFree } from '../../storage/state/lock-file.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';

/** Whose keys these are. */
export interface Identity {
  readonly id: AccountId;
  readonly username: string;
  /** Requests that it took: the question is signed again when the venue refuses the time of this machine. */
  readonly calls: number;
}

/**
 * Asks the venue whose keys these are: the first request of every run, unless the venue has asked for silence.
 * @param address of the venue, for messages
 * @throws KeysRefusedError, VenueUnreachableError
 */
export async function identify(
  rest: Pick<RestClient, 'me'>,
  silence: Pick<KeptSilence, 'leftMs' | 'begin'>,
  address: string,
): Promise<Identity> {
  const leftMs = silence.leftMs();
  if (leftMs > 0)
    throw new VenueUnreachableError(`the venue has asked for silence (429); ${waitFor(leftMs)}`);
  let calls = 0;
  const outcome = await rest.me({ beforeFirstByte: () => void (calls += 1) });
  if (outcome.ok) return { id: accountId(outcome.value.id), username: outcome.value.username ?? '', calls };
  const { failure } = outcome;
  if (failure.kind !== 'refused')
    throw new VenueUnreachableError(`the venue cannot be reached at ${address}: ${failure.reason}`);
  if (failure.status === TOO_MANY_REQUESTS) {
    if (failure.retryAfterMs !== null) silence.begin(failure.retryAfterMs);
    throw new VenueUnreachableError(`the venue turns requests away (429); ${waitFor(failure.retryAfterMs)}`);
  }
  const advice = ADVICE[failure.code] ?? 'check the key pair';
  throw new KeysRefusedError(`the venue refuses the keys (${failure.code}: ${failure.detail}); ${advice}`);
}

const TOO_MANY_REQUESTS = 429;

const waitFor = (ms: number | null): string =>
  ms === null ? 'start again later' : `start again in ${Math.ceil(ms / 1_000)} s`;

const ADVICE: Readonly<Record<string, string>> = {
  InvalidHMACKey: 'the public key is not known there: check which venue and account it belongs to',
  InvalidHMACSignature: 'the private key does not belong to the public key',
  ExpiredTimestamp: 'the clock of this machine is wrong: set it, for instance with NTP',
  MissingTimestamp: 'a proxy in between may remove headers',
};

/**
 * The share of a shard in the requests of the account, where the file divides it.
 * @throws UsageError where the file does not say which shard this is
 */
export function ofOneShard(options: BotOptions): BotOptions {
  const { settings, source, venue } = options;
  if (settings.sharding?.shard === null)
    throw new UsageError(
      `${source.file} divides the account among ${settings.sharding.of} shards: say which one this process is, such as ` +
        `oddsmith run ${source.file} --shard 1`,
    );
  return { ...options, venue: venueOfShard(venue, settings) };
}

/**
 * Opens the folder of the account and takes its lock, unless a fence stands.
 * @param keep is handed the lock as soon as it is held
 * @throws LockHeldError, FencedError, UsageError; an error of the file system
 */
export function openAccount(options: BotOptions, account: AccountId, keep: (lock: Lock) => void): StatePaths {
  const { settings, venue, logger, source } = options;
  refuseOldLayout(options);
  const paths = learnAccount(settings, venue, account);
  const stateDir = dirname(dirname(paths.folder));
  if (resolve(stateDir) !== resolve(settings.stateDir))
    logger.warn('the account has its state in another folder, and keeps it there', { folder: paths.folder });
  requireNoFence(paths.fence, source.file);
  const what = `${venue.name}, ${settings.currencyMode}, account ${account}`;
  keep(lockAccount(options, paths, what));
  // Of two that begin at once, each with its own lock held, at least one finds the other.
  for (const lock of locksOfOtherDivisions(paths)) requireFree(lock, `${what}, divided otherwise (sharding)`);
  // A guard may have been about to raise one.
  requireNoFence(paths.fence, source.file);
  if (settings.mode !== 'paper') takeUnknownKill(options, paths);
  return paths;
}

/** Two locks: the second one, among the files of the user, counts while the first cannot be found. */
function lockAccount({ logger }: BotOptions, { lock, lockCopy }: StatePaths, what: string): Lock {
  const own = acquireLock(lock, what);
  if (lockCopy === null) return own;
  try {
    const copy = acquireLock(lockCopy, what);
    return {
      release: () => {
        copy.release();
        own.release();
      },
    };
  } catch (error) {
    if (error instanceof LockHeldError) {
      own.release();
      throw error;
    }
    const text = 'a second bot with another state folder, or a kill there, would not be noticed';
    logger.warn(text, { path: lockCopy, err: error });
    return own;
  }
}

/** A kill by a key whose account nobody knew may have meant this account: it holds, and stays for the others. */
function takeUnknownKill({ settings, venue, logger }: BotOptions, paths: StatePaths): void {
  const unknown = accountPaths(settings, venue, null);
  const found = new KillFile(unknown, logger).read();
  if (found === null) return;
  const { kill } = unknown;
  logger.warn('a kill switch that was latched before its account was known holds', { kill });
  new LatchFile(paths.kill).raise({ reason: `${found.reason} (found at ${kill})`, at: found.at });
}

/** @throws UsageError where a kill, a fence or open orders of an earlier version may lie */
function refuseOldLayout({ settings }: BotOptions): void {
  if (settings.venue === null || !existsSync(join(settings.stateDir, 'control'))) return;
  throw new UsageError(
    `${settings.stateDir} holds the state of an earlier version (control, journal, locks), which this version does not ` +
      'read: look at the open orders of the account, then remove these three folders',
  );
}
