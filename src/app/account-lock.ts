/** An account has one bot per venue and mode, wherever on the machine its files lie. */
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import type { AccountId } from '../domain/ids.js';
import { acquireLock, type Lock, LockHeldError } from '../runtime/lock-file.js';
import type { BotOptions } from './bot-options.js';

/**
 * Takes the lock at a path of the state folder, and one of the same name among the files of the user, which finds a bot
 * that was started from another folder: a relative `stateDir` is another one there.
 * @throws LockHeldError when another instance holds either
 */
export function lockAccount(options: LockedBot, path: string, account: AccountId): Lock {
  const { settings, venue } = options;
  const what = `${venue.name}, ${settings.currencyMode}, account ${account}`;
  const local = acquireLock(path, what);
  // Nobody else knows of an exchange that the bot brought along.
  if (settings.venue === null) return local;
  try {
    const wide = lockForUser(options, basename(path), what);
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

type LockedBot = Pick<BotOptions, 'settings' | 'venue' | 'logger'>;

/** @returns null where the user has no folder that takes it: a home is more than a bot needs */
function lockForUser({ logger }: LockedBot, name: string, what: string): Lock | null {
  const path = join(userState(), 'locks', name);
  try {
    return acquireLock(path, `${what}, from another state folder`);
  } catch (error) {
    if (error instanceof LockHeldError) throw error;
    logger.warn('a second bot with another state folder would not be noticed', { path, err: error });
    return null;
  }
}

/** As the XDG base directories have it: a relative one counts as none. */
function userState(): string {
  const given = process.env['XDG_STATE_HOME'] ?? '';
  return join(isAbsolute(given) ? given : join(homedir(), '.local', 'state'), 'oddsmith');
}
