/** What holds an account back in state that was written with another of its keys, or under another name of its venue. */
import { rmSync } from 'node:fs';
import { mergedCautions, NO_CAUTIONS } from '../../core/risk/index.js';
import { copyHeartbeat } from '../../storage/state/heartbeat-file.js';
import { LatchFile } from '../../storage/state/latch-file.js';
import { replaceFile } from '../../storage/files/whole-files.js';
import type { Logger } from '../../core/ports/logger.js';
import { type AccountScopes, noteOwner, type OtherScope } from './account-scopes.js';
import { readEnded } from './ended-file.js';
import { keptCautions } from './kept-state.js';
import { requireNoFence } from './latches.js';
import { KillOnDisk } from './kill-on-disk.js';
import type { StatePaths } from './state-paths.js';
import { forgetUserKill, UserKill } from './user-kills.js';
import { mergeWindows } from './window-file.js';

/**
 * To be called before anything is taken over, and again afterwards: a guard may have been about to raise one.
 * @param lock name or path of the lock of the account
 * @throws FencedError while a fence stands that may be of the account
 */
export function requireNoFenceElsewhere(
  own: StatePaths,
  others: readonly OtherScope[],
  { lock, file }: { readonly lock: string; readonly file: string },
): void {
  const fenced = others.filter(({ paths }) => new LatchFile(paths.fence).isUp);
  // The command that clears it has to know whose key this is, and no bot of it may ever run before.
  if (fenced.length > 0) noteOwner(own, lock);
  for (const { paths } of fenced) requireNoFence(paths.fence, file, paths.fence);
}

/** Where, beside one's own state, something of the account may be latched. */
export type LatchedElsewhere = Pick<AccountScopes, 'others' | 'kills'>;

export interface Successor {
  readonly own: StatePaths;
  /** Name or path of the lock of the account. */
  readonly lock: string;
  readonly logger: Logger;
}

/**
 * Takes a kill, and what guards latched or counted, over into one's own state, to be called by who holds the lock of the
 * account, as with what journals left open. It is on the disk in its new place before it leaves the old one; what may be of
 * another account, or is in another folder, stays there, too.
 * @throws CautionsUnreadableError for a file that is damaged; an error of the file system
 */
export function takeOverLatches(successor: Successor, { others, kills }: LatchedElsewhere): void {
  const { own } = successor;
  for (const { paths, kinship } of others) {
    takeOverKill(successor, paths.kill);
    // What its run left is ours now: its guard has nothing to withdraw, and looks for us.
    if (kinship !== 'may-be') copyHeartbeat(paths.heartbeat, paths.accepted);
    if (kinship !== 'same') continue;
    new LatchFile(paths.kill).clear();
    forgetUserKill(paths);
    takeOverCautions(own, paths);
    takeOverEnded(own, paths);
    mergeWindows(paths.windows, own.windows);
  }
  for (const { path } of kills) if (!new LatchFile(own.kill).isUp) takeOverKill(successor, path);
}

function takeOverKill({ own, lock, logger }: Successor, kill: string): void {
  const found = new LatchFile(kill).read();
  if (found === null) return;
  logger.warn(
    'a kill switch that was latched with another key, under another name of the venue or in another folder holds',
    { kill, into: own.kill },
  );
  const record = { reason: `${found.reason} (found at ${kill})`, at: found.at };
  new LatchFile(own.kill).raise(record);
  new KillOnDisk(own.kill, new UserKill(own, lock), logger).write(record);
}

/** A person resumes a bot: a kill of its account that stands elsewhere is not to hold the next start. */
export function forgetKillsElsewhere({ others, kills }: LatchedElsewhere, logger: Logger): void {
  const places = others.filter(({ kinship }) => kinship !== 'may-be').map(({ paths }) => paths.kill);
  const known = kills.filter(({ kinship }) => kinship !== 'may-be').map(({ path }) => path);
  for (const path of [...places, ...known]) {
    try {
      new LatchFile(path).clear();
    } catch (err) {
      logger.error('a kill switch of this account cannot be reset; it holds the next start', { path, err });
    }
  }
}

function takeOverCautions(own: StatePaths, other: StatePaths): void {
  const found = keptCautions(other);
  if (found === NO_CAUTIONS) return;
  replaceFile(own.cautions, JSON.stringify(mergedCautions(keptCautions(own), found)));
  rmSync(other.cautions, { force: true });
}

/** What both know counts as the one knows it that was left behind: it is the one that ran last. */
function takeOverEnded(own: StatePaths, { ended }: StatePaths): void {
  const found = readEnded(ended);
  if (found.length === 0) return;
  const known = new Map([...readEnded(own.ended), ...found].map((one) => [one.marketId, one]));
  replaceFile(own.ended, JSON.stringify([...known.values()]));
  rmSync(ended);
}
