/** Where a bot keeps what outlives it. Bot, guard and the commands of an operator find each other by these paths. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountId } from '../../domain/ids.js';
import type { BotSettings, VenueSettings } from '../../settings/index.js';
import { canonicalAddress, canonicalHost } from './venue-address.js';

/** One key at one venue in one mode has one of each. */
export interface StatePaths {
  /** The folder that all of them are in. */
  readonly stateDir: string;
  /** What they are named after. */
  readonly scope: string;
  /** Which account the key belongs to, where that was asked without a bot that ran. */
  readonly owner: string;
  readonly journal: string;
  readonly guardLock: string;
  readonly heartbeat: string;
  /** The heartbeat that a person accepted as over when the fence was cleared. */
  readonly accepted: string;
  readonly fence: string;
  /** That a guard has proved that nothing stands behind it. */
  readonly proof: string;
  readonly kill: string;
  /** What guards latched. */
  readonly cautions: string;
  /** Strategy instances that a fault stopped; there only while their bot runs. */
  readonly stopped: string;
  /** What counts in the guards' windows. */
  readonly windows: string;
  /** Which markets have ended. */
  readonly ended: string;
  /** What requests have used of the allowances of the key. */
  readonly spending: string;
  /** The same for the share of its guard, with the commands of an operator. */
  readonly guardSpending: string;
}

/** @param venue of the settings, or the bundled exchange that was started for them */
export function statePathsOf(
  { stateDir, currencyMode }: Pick<BotSettings, 'stateDir' | 'currencyMode'>,
  { name, baseUrl, publicKey }: Pick<VenueSettings, 'name' | 'baseUrl' | 'publicKey'>,
): StatePaths {
  const key = createHash('sha256')
    .update(`${canonicalAddress(baseUrl)} ${publicKey}`)
    .digest('hex')
    .slice(0, 12);
  return statePathsIn(stateDir, `${name}-${currencyMode}-${key}`);
}

/** Those of every key, venue and mode of which a bot ran on this folder, in order of their names. */
export function everyStatePath(stateDir: string): readonly StatePaths[] {
  const control = join(stateDir, 'control');
  const scopes = existsSync(control) ? readdirSync(control).sort() : [];
  return scopes.map((scope) => statePathsIn(stateDir, scope));
}

/** @param scope of such paths */
export function statePathsIn(stateDir: string, scope: string): StatePaths {
  const control = join(stateDir, 'control', scope);
  return {
    stateDir,
    scope,
    owner: join(control, 'account.json'),
    journal: join(stateDir, 'journal', scope),
    guardLock: join(stateDir, 'locks', `${scope}.guard.lock`),
    heartbeat: join(control, 'heartbeat.json'),
    accepted: join(control, 'heartbeat.accepted.json'),
    fence: join(control, 'fence.json'),
    proof: join(control, 'fence.proved.json'),
    kill: join(control, 'kill.json'),
    cautions: join(control, 'cautions.json'),
    stopped: join(control, 'stopped.json'),
    windows: join(control, 'windows.ndjson'),
    ended: join(control, 'ended.json'),
    spending: join(control, 'spending.json'),
    guardSpending: join(control, 'guard-spending.json'),
  };
}

/** The name of the venue that a configuration without one brings along. */
export const BUNDLED = 'bundled';

/** Whether it is the state of a bot on an exchange that it brought along: nobody else trades there. */
export const isBundled = ({ scope }: Pick<StatePaths, 'scope'>): boolean => scope.startsWith(`${BUNDLED}-`);

/** The lock of a bot: an account has one bot per venue and mode, whichever of its keys that signs with. */
export const botLockOf = (
  settings: Pick<BotSettings, 'stateDir' | 'currencyMode'>,
  venue: Pick<VenueSettings, 'baseUrl'>,
  account: AccountId,
): string => join(settings.stateDir, 'locks', `${venueLocksOf(settings, venue)}${account}.lock`);

/** How the names of the locks of all accounts of a venue in a mode begin. */
export function venueLocksOf(
  { currencyMode }: Pick<BotSettings, 'currencyMode'>,
  { baseUrl }: Pick<VenueSettings, 'baseUrl'>,
): string {
  const host = canonicalHost(baseUrl).replaceAll(/[^\w.-]/g, '-');
  return `${host}-${currencyMode}-account-`;
}

/** Where the folders of runs are, those of backtests among them. */
export const runsFolder = (stateDir: string): string => join(stateDir, 'runs');

/** Where the results of sweeps are. */
export const sweepsFolder = (stateDir: string): string => join(stateDir, 'sweeps');

/** Where the tapes of public channels are, a folder for each configuration file. */
export const tapesFolder = (stateDir: string): string => join(stateDir, 'tapes');

/** Where the files of a run are kept: tape and report side by side. */
export const runFolder = (stateDir: string, runId: string): string => join(runsFolder(stateDir), runId);
