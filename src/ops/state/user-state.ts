/** What one start has to find of another, whatever folder either is from, lies among the files of the user. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** As the XDG base directories have it: a relative one counts as none. */
function userState(): string {
  const given = process.env['XDG_STATE_HOME'] ?? '';
  return join(isAbsolute(given) ? given : join(homedir(), '.local', 'state'), 'oddsmith');
}

/** Locks of accounts that a bot of this user trades. */
export const userLocks = (): string => join(userState(), 'locks');

/** Kill switches that are latched in some folder of state. */
export const userKills = (): string => join(userState(), 'kills');
