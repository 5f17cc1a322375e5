/** What a person resets from outside who has looked: the kill switch with what risk guards latched, and the fence. */
import { UsageError } from '../../domain/errors.js';
import type { BotSettings } from '../../settings/index.js';
import { copyHeartbeat } from '../../storage/state/heartbeat-file.js';
import { LatchFile } from '../../storage/state/latch-file.js';
import {
  accountPaths,
  bundledPaths,
  knownAccount,
  knownAccounts,
  type StatePaths,
} from '../state/account-folder.js';
import { forgetRiskState } from '../state/risk-file.js';
import { KillFile } from '../state/kill-file.js';
import { requireNoFence } from '../state/latches.js';
import { resumeStopped } from '../state/stopped-file.js';
import { forgetWindows } from '../state/window-file.js';
import { Fence } from './fence.js';
import { outsideVenueOf } from './guard-venue.js';

type ResetSettings = Pick<BotSettings, 'stateDir' | 'currencyMode' | 'venue'>;

/**
 * Resets the kill switch of an account and what its risk guards latched, for the bot that runs and for the next that starts,
 * and lets strategy instances go on which a fault stopped. A configuration that brings its exchange along is reset wherever
 * that listened.
 * @returns the files of what was latched, and which instances were stopped
 * @throws UsageError when nobody knows yet which account is meant; FencedError while a fence stands
 */
export function resumeFromOutside(settings: ResetSettings, file: string): readonly string[] {
  const places =
    settings.venue === null
      ? bundledPaths(settings)
      : placesOf(settings, file, ['kill', 'riskState', 'stopped']);
  for (const { fence } of places) requireNoFence(fence, file);
  return places.flatMap(resumeAt);
}

function resumeAt(paths: StatePaths): readonly string[] {
  const { riskState, windows, stopped } = paths;
  // Before the kill: a bot that resumes removes this file itself.
  const resumed = resumeStopped(stopped);
  const hadRiskState = forgetRiskState(riskState);
  forgetWindows(windows);
  const [kill = null] = new KillFile(paths, TOLD_ALREADY).clear();
  return [...(kill === null ? [] : [kill]), ...(hadRiskState ? [riskState] : []), ...resumed];
}

/** What became of a fence that a person clears. */
export type FenceClearing =
  | 'cleared'
  /** None stood. */
  | 'none'
  /** It stands: no guard has proved yet that nothing of the bot is left behind it. */
  | 'unproved';

/**
 * A person has looked and clears the fence; the heartbeat of the bot that fell silent raises no other. A heartbeat that is
 * silent while no fence stands is left to the guard, which may not have noticed yet.
 * @param even `unproved`: although no guard has proved that nothing is left
 * @throws UsageError when the configuration has no venue, or nobody knows yet which account is meant; an error of the
 *   file system
 */
export function clearFence(
  settings: ResetSettings,
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
 * The account of a file, and what was latched before anybody knew an account. A key that no bot ran with is taken for one of
 * the only account that is known at the venue.
 * @param latches what is to be reset there
 * @throws UsageError when several accounts are known, and that stands for one of them
 */
function placesOf(
  settings: ResetSettings,
  file: string,
  latches: readonly ('kill' | 'riskState' | 'stopped' | 'fence')[],
): readonly StatePaths[] {
  const venue = outsideVenueOf(settings, file);
  const known = knownAccount(settings, venue);
  const accounts = known === null ? knownAccounts(settings, venue) : [known];
  const places = accounts.map((account) => accountPaths(settings, venue, account));
  const standing = places.flatMap((paths) =>
    latches.map((latch) => paths[latch]).filter((path) => new LatchFile(path).isUp),
  );
  if (accounts.length > 1 && standing.length > 0)
    throw new UsageError(
      `${standing.join(' and ')} may be of the account of ${file} or of another one: no bot has run with its key yet, and ` +
        `several accounts are known at the venue. Start it with: oddsmith run ${file}; that asks the venue whose key it is. ` +
        'What is of its account keeps it from quoting, and is reset by the same command again',
    );
  return [...places, accountPaths(settings, venue, null)];
}

/** A copy that cannot be removed keeps the next start from quoting, which says so. */
const TOLD_ALREADY = { error: (): void => undefined };
