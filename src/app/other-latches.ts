/** What holds an account back in state that was written with another of its keys, or under another name of its venue. */
import { rmSync } from 'node:fs';
import { mergedCautions, NO_CAUTIONS } from '../risk/index.js';
import { copyHeartbeat } from '../runtime/heartbeat-file.js';
import { LatchFile } from '../runtime/latch-file.js';
import { replaceFile } from '../runtime/replaced-file.js';
import type { Logger } from '../ports/logger.js';
import { noteOwner, type OtherScope } from './account-scopes.js';
import { readEnded } from './ended-file.js';
import { keptCautions } from './kept-state.js';
import { requireNoFence } from './latches.js';
import type { StatePaths } from './state-paths.js';
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

/**
 * Takes a kill, and what guards latched or counted, over into one's own state, to be called by who holds the lock of the
 * account, as with what journals left open. It is on the disk in its new place before it leaves the old one; what may be of
 * another account stays there, too.
 * @throws CautionsUnreadableError for a file that is damaged; an error of the file system
 */
export function takeOverLatches(own: StatePaths, others: readonly OtherScope[], logger: Logger): void {
  for (const { paths, kinship } of others) {
    takeOverKill(own, paths, logger);
    // What its run left is ours now: its guard has nothing to withdraw, and looks for us.
    if (kinship !== 'may-be') copyHeartbeat(paths.heartbeat, paths.accepted);
    if (kinship !== 'same') continue;
    new LatchFile(paths.kill).clear();
    takeOverCautions(own, paths);
    takeOverEnded(own, paths);
    mergeWindows(paths.windows, own.windows);
  }
}

function takeOverKill(own: StatePaths, { kill }: StatePaths, logger: Logger): void {
  const found = new LatchFile(kill).read();
  if (found === null) return;
  logger.warn('a kill switch that was latched with another key or under another name of the venue holds', {
    kill,
    into: own.kill,
  });
  new LatchFile(own.kill).raise({ reason: `${found.reason} (found at ${kill})`, at: found.at });
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
