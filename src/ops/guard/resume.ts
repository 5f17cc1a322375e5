/** `oddsmith resume`: resets the kill switch, the latches of risk guards, and the fence. */
import { UsageError } from '../../domain/errors.js';
import { wholeAccount } from '../../settings/index.js';
import { copyHeartbeat } from '../../storage/state/heartbeat-file.js';
import { LatchFile } from '../../storage/state/latch-file.js';
import {
  accountPaths,
  bundledPaths,
  knownAccount,
  knownAccounts,
  shardPaths,
  type StatePaths,
  type StateSettings,
} from '../state/account-folder.js';
import { forgetRiskState } from '../state/risk-file.js';
import { KillFile } from '../state/kill-file.js';
import { requireNoFence } from '../state/latches.js';
import { resumeStopped } from '../state/stopped-file.js';
import { forgetWindows } from '../state/window-file.js';
import { Fence } from './fence.js';
import { outsideVenueOf } from './guard-venue.js';

/**
 * Resets the kill switch of an account and the latches of its risk guards, for the running bot and the next one. Strategy
 * instances that a fault stopped go on. That holds for all shards of the account. For a configuration that starts its own exchange, every address of it is reset.
 * @returns the files of the latches, and the instances that were stopped
 * @throws UsageError when the account is not known yet; FencedError while a fence is up
 */
export function resumeFromOutside(given: StateSettings, file: string): readonly string[] {
  const settings = wholeAccount(given);
  const places =
    settings.venue === null
      ? bundledPaths(settings)
      : placesOf(settings, file, ['kill', 'riskState', 'stopped']);
  for (const { fence } of places) requireNoFence(fence, file);
  return places.flatMap(resumeAt);
}

function resumeAt(paths: StatePaths): readonly string[] {
  const { riskState, windows, stopped } = paths;
  // Removed before the kill switch, because a bot that resumes removes this file itself.
  const resumed = resumeStopped(stopped);
  const hadRiskState = forgetRiskState(riskState);
  forgetWindows(windows);
  const [kill = null] = new KillFile(paths, TOLD_ALREADY).clear();
  return [...(kill === null ? [] : [kill]), ...(hadRiskState ? [riskState] : []), ...resumed];
}

/** Result of clearing a fence. */
export type FenceClearing =
  | 'cleared'
  /** There was none. */
  | 'none'
  /** It stays: no guard has proved yet that no order of the bot is left. */
  | 'unproved';

/**
 * Clears the fence for a person. The heartbeat of the silent bot is accepted, so it raises no other fence. Without a fence,
 * a silent heartbeat is left to the guard, which may not have noticed yet.
 * @param even `unproved`: also without proof that no order is left
 * @throws UsageError when the configuration has no venue, or the account is not known yet; an error of the file system
 */
export function clearFence(
  settings: StateSettings,
  file: string,
  even: 'proved' | 'unproved' = 'proved',
): FenceClearing {
  const fences = placesOf(settings, file, ['fence'])
    .map((paths) => ({ paths, fence: new Fence(paths) }))
    .filter(({ fence }) => fence.isUp);
  if (fences.length === 0) return 'none';
  if (even === 'proved' && fences.some(({ fence }) => !fence.isProved)) return 'unproved';
  for (const { paths, fence } of fences) {
    copyHeartbeat(paths.heartbeat, paths.accepted);
    fence.clear();
    fence.takeProofBack();
  }
  return 'cleared';
}

/**
 * Finds the account of a file, and latches from before the account was known. A key that no bot has used counts as a key
 * of the only known account of the venue.
 * @param latches latches to reset there
 * @throws UsageError when several accounts are known, and such a latch belongs to one of them
 */
function placesOf(
  settings: StateSettings,
  file: string,
  latches: readonly ('kill' | 'riskState' | 'stopped' | 'fence')[],
): readonly StatePaths[] {
  const venue = outsideVenueOf(settings, file);
  const known = knownAccount(settings, venue);
  const accounts = known === null ? knownAccounts(settings, venue) : [known];
  const places = accounts.flatMap((account) => shardPaths(settings, venue, account));
  const standing = places.flatMap((paths) =>
    latches.map((latch) => paths[latch]).filter((path) => new LatchFile(path).isUp),
  );
  if (accounts.length > 1 && standing.length > 0)
    throw new UsageError(
      `${standing.join(' and ')} may be of the account of ${file} or of another one: no bot has run with its key yet, and ` +
        `several accounts are known at the venue. Start it with: oddsmith run ${file}; that asks the venue whose key it is. ` +
        'What is of its account keeps it from quoting, and is reset by the same command again',
    );
  return settings.mode === 'paper' ? places : [...places, accountPaths(settings, venue, null)];
}

/** If the copy cannot be removed, the next start does not quote and says why. */
const TOLD_ALREADY = { error: (): void => undefined };
