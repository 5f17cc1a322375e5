/** Where a bot keeps what outlives it. Bot, guard and the commands of an operator find each other by these paths. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { BotSettings, VenueSettings } from '../settings/index.js';

/** One account at one venue in one mode has one of each. */
export interface StatePaths {
  readonly journal: string;
  readonly lock: string;
  readonly guardLock: string;
  readonly heartbeat: string;
  /** The heartbeat that a person accepted as over when the fence was cleared. */
  readonly accepted: string;
  readonly fence: string;
  readonly kill: string;
  /** What guards latched. */
  readonly cautions: string;
}

/** @param venue of the settings, or the bundled exchange that was started for them */
export function statePathsOf(
  { stateDir, currencyMode }: Pick<BotSettings, 'stateDir' | 'currencyMode'>,
  { name, baseUrl, publicKey }: Pick<VenueSettings, 'name' | 'baseUrl' | 'publicKey'>,
): StatePaths {
  const account = createHash('sha256').update(`${baseUrl} ${publicKey}`).digest('hex').slice(0, 12);
  const scope = `${name}-${currencyMode}-${account}`;
  const control = join(stateDir, 'control', scope);
  return {
    journal: join(stateDir, 'journal', scope),
    lock: join(stateDir, 'locks', `${scope}.lock`),
    guardLock: join(stateDir, 'locks', `${scope}.guard.lock`),
    heartbeat: join(control, 'heartbeat.json'),
    accepted: join(control, 'heartbeat.accepted.json'),
    fence: join(control, 'fence.json'),
    kill: join(control, 'kill.json'),
    cautions: join(control, 'cautions.json'),
  };
}

/** Where the folders of runs are, those of backtests among them. */
export const runsFolder = (stateDir: string): string => join(stateDir, 'runs');

/** Where the files of a run are kept: tape and report side by side. */
export const runFolder = (stateDir: string, runId: string): string => join(runsFolder(stateDir), runId);
