/** An account has one bot per venue and mode, wherever on the machine its files lie. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { AccountId } from '../../domain/ids.js';
import {
  acquireLock,
  type Lock,
  LockHeldError,
  lockHolder,
  type LockHome,
} from '../../storage/state/lock-file.js';
import type { BotSettings, VenueSettings } from '../../settings/index.js';
import type { BotOptions } from './options.js';
import { isBundled, type StatePaths, statePathsIn, statePathsOf, venueLocksOf } from './state-paths.js';
import { userLocks } from './user-state.js';
import { canonicalLock } from './venue-address.js';

/**
 * Takes the lock at a path of the state folder, and one of the same name among the files of the user, which finds a bot
 * that was started from another folder: a relative `stateDir` is another one there. Both tell where the bot's state is.
 * @throws LockHeldError when another instance holds either
 */
export function lockAccount(options: LockingBot, path: string, account: AccountId): Lock {
  const { settings, venue } = options;
  const what = `${venue.name}, ${settings.currencyMode}, account ${account}`;
  const home = { folder: resolve(settings.stateDir), scope: statePathsOf(settings, venue).scope };
  const local = acquireLock(path, what, home);
  // Nobody else knows of an exchange that the bot brought along.
  if (settings.venue === null) return local;
  try {
    const wide = lockForUser(options, basename(path), what, home);
    return {
      release: () => {
        wide?.release();
        local.release();
      },
    };
  } catch (error) {
    local.release();
    throw error;
  }
}

type LockingBot = Pick<BotOptions, 'settings' | 'venue' | 'logger'>;

/** @returns null where the user has no folder that takes it: a home is more than a bot needs */
function lockForUser({ logger }: LockingBot, name: string, what: string, home: LockHome): Lock | null {
  const path = join(userLocks(), name);
  try {
    return acquireLock(path, `${what}, from another state folder`, home);
  } catch (error) {
    if (error instanceof LockHeldError) throw error;
    logger.warn('a second bot with another state folder, or a kill there, would not be noticed', {
      path,
      err: error,
    });
    return null;
  }
}

/** A bot that runs, or died, as its lock tells of it. */
export interface LockedBot {
  /** Name of the lock, which names venue, mode and account. */
  readonly lock: string;
  readonly pid: number;
  readonly isRunning: boolean;
  /** Where its state is; null: a bot of an earlier version, which does not tell. */
  readonly paths: StatePaths | null;
}

/** The bots at a venue in a mode, of all accounts, whatever folder they were started from. */
export function lockedBots(
  settings: Pick<BotSettings, 'stateDir' | 'currencyMode'>,
  venue: Pick<VenueSettings, 'baseUrl'>,
): readonly LockedBot[] {
  const ofVenue = venueLocksOf(settings, venue);
  const folders = [join(settings.stateDir, 'locks'), userLocks()];
  const found = folders.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => name.endsWith('.lock') && canonicalLock(name).startsWith(ofVenue))
      .flatMap((name) => lockedBot(folder, name)),
  );
  return [...new Map(found.map((bot) => [`${bot.pid} ${bot.lock}`, bot])).values()];
}

function lockedBot(folder: string, name: string): readonly LockedBot[] {
  const holder = lockHolder(join(folder, name));
  if (holder === null) return [];
  const { pid, isRunning, home } = holder;
  if (home !== null && isBundled(home)) return [];
  const paths = home === null ? null : statePathsIn(home.folder, home.scope);
  return [{ lock: canonicalLock(name), pid, isRunning, paths }];
}

/** A folder that cannot be looked into tells of nobody, as one that is not there. */
function namesIn(folder: string): readonly string[] {
  try {
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  } catch {
    return [];
  }
}
