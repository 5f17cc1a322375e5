/** What a person resets from outside who has looked: the kill switch with what guards latched, and the fence. */
import { UsageError } from '../../domain/errors.js';
import { copyHeartbeat } from '../../storage/state/heartbeat-file.js';
import { LatchFile } from '../../storage/state/latch-file.js';
import type { BotSettings } from '../../settings/index.js';
import { accountScopes, type ScopedKill } from '../state/account-scopes.js';
import { forgetCautions } from '../state/caution-file.js';
import { requireNoFence } from '../state/latches.js';
import { BUNDLED, everyStatePath, type StatePaths } from '../state/state-paths.js';
import { resumeStopped } from '../state/stopped-file.js';
import { forgetWindows } from '../state/window-file.js';
import { FenceProof } from './fence-proof.js';
import { outsideVenueOf } from './guarded-venue.js';

type ResetSettings = Pick<BotSettings, 'stateDir' | 'currencyMode' | 'venue'>;

/**
 * Resets the kill switch of a configuration and what its guards latched, for the bot that runs and for the next that
 * starts, and lets strategy instances of the bot that runs go on which a fault stopped, with whatever key of the account and name of its venue that was latched. A configuration that brings its
 * exchange along is reset wherever that listened.
 * @returns the files and folders of what was latched, and which instances were stopped
 * @throws UsageError when nobody knows yet which account is meant; FencedError while a fence stands
 */
export function resumeFromOutside(settings: ResetSettings, file: string): readonly string[] {
  const { scopes, kills } =
    settings.venue === null
      ? { scopes: bundledScopes(settings), kills: [] }
      : scopesOf(settings, file, ['kill', 'cautions', 'stopped']);
  scopes.forEach(({ fence }, at) => requireNoFence(fence, file, at === 0 ? undefined : fence));
  const reset = scopes.flatMap(resumeScope);
  return [...reset, ...kills.flatMap((kill) => resumeKill(kill, reset))];
}

/** What the user knows of a place that was reset is not worth a word of its own. */
function resumeKill({ path, paths }: ScopedKill, reset: readonly string[]): readonly string[] {
  const wasUp = new LatchFile(path).clear();
  return wasUp && (paths === null || !reset.includes(paths.kill)) ? [path] : [];
}

function resumeScope({ kill, cautions, windows, stopped }: StatePaths): readonly string[] {
  // Before what makes a bot resume: it takes the file away itself then.
  const resumed = resumeStopped(stopped);
  const hadCautions = forgetCautions(cautions);
  forgetWindows(windows);
  return [...(new LatchFile(kill).clear() ? [kill] : []), ...(hadCautions ? [cautions] : []), ...resumed];
}

const bundledScopes = ({ stateDir, currencyMode }: ResetSettings): readonly StatePaths[] =>
  everyStatePath(stateDir).filter(({ scope }) => scope.startsWith(`${BUNDLED}-${currencyMode}-`));

/** What became of a fence that a person clears. */
export type FenceClearing =
  | 'cleared'
  /** None stood. */
  | 'none'
  /** It stands: no guard has proved yet that nothing of the bot is left behind it. */
  | 'unproved';

/**
 * A person has looked and clears the fence; the heartbeat of the bot that fell silent raises no other. One that beats no
 * more while no fence stands is left to the guard, which may not have noticed yet.
 * @param even `unproved`: although no guard has proved that nothing is left
 * @throws UsageError when the configuration has no venue, or nobody knows yet which account is meant; an error of the
 *   file system
 */
export function clearFence(
  settings: ResetSettings,
  file: string,
  even: 'proved' | 'unproved' = 'proved',
): FenceClearing {
  const fences = scopesOf(settings, file, ['fence'])
    .scopes.map((paths) => ({ paths, fence: new LatchFile(paths.fence) }))
    .filter(({ fence }) => fence.isUp)
    .map(({ paths, fence }) => ({ paths, fence, proof: new FenceProof(paths.proof, fence) }));
  if (fences.length === 0) return 'none';
  if (even === 'proved' && fences.some(({ proof }) => !proof.holds)) return 'unproved';
  for (const { paths, fence, proof } of fences) {
    copyHeartbeat(paths.heartbeat, paths.accepted);
    fence.clear();
    proof.takeBack();
  }
  return 'cleared';
}

/**
 * Every state that may be of the account of a file.
 * @param latches what is to be reset there
 * @throws UsageError when that stands in one and nobody knows which of several accounts the key belongs to
 */
function scopesOf(
  settings: ResetSettings,
  file: string,
  latches: readonly ('kill' | 'cautions' | 'stopped' | 'fence')[],
): { readonly scopes: readonly StatePaths[]; readonly kills: readonly ScopedKill[] } {
  const { own, others, kills, candidates } = accountScopes(settings, outsideVenueOf(settings, file));
  const elsewhere = others.map(({ paths }) => paths);
  const standing = elsewhere
    .filter(({ scope }) => scope !== own.scope)
    .flatMap((paths) => latches.map((latch) => paths[latch]).filter((path) => new LatchFile(path).isUp));
  if (candidates.length > 0 && standing.length > 0)
    throw new UsageError(
      `${standing.join(' and ')} may be of the account of ${file} or of another one: no bot has run with its key yet, and ` +
        `several accounts are known at the venue. Start it with: oddsmith run ${file}; that asks the venue whose key it is. ` +
        'What is of its account keeps it from quoting, and is reset by the same command again',
    );
  return { scopes: [own, ...elsewhere], kills };
}
