/** Where a kill by command has to stand: at the key of the file, and wherever a bot of the account keeps its state. */
import { existsSync } from 'node:fs';
import type { Clock } from '../../core/ports/clock.js';
import { LatchFile } from '../../storage/state/latch-file.js';
import type { VenueSettings } from '../../settings/index.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import type { LockedBot } from '../state/account-lock.js';
import {
  type AccountScopes,
  accountScopes,
  isSameScope,
  noteOwner,
  type ScopeSettings,
} from '../state/account-scopes.js';
import { isoTime } from '../state/latches.js';
import { type StatePaths, venueLocksOf } from '../state/state-paths.js';
import { type KillPlace, UserKill } from '../state/user-kills.js';
import type { GuardNews } from './guard-news.js';

export interface KillLatchOptions {
  readonly settings: ScopeSettings;
  readonly venue: VenueSettings;
  readonly rest: Pick<RestClient, 'me'>;
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
}

/**
 * Latches at a place and among the files of the user, before anything is asked. Orders are withdrawn even when no disk takes
 * it; a bot that runs would quote again then, and that is said, as it is when one of both alone takes it.
 * @param lock name of the lock of the account, or how the names of all locks of the venue begin
 * @returns where this call latched it first; null: it stood already, or stands nowhere
 */
export function latchKill(
  place: KillPlace,
  lock: string,
  { clock, tell }: Pick<KillLatchOptions, 'clock' | 'tell'>,
): string | null {
  const record = { reason: 'oddsmith kill', at: isoTime(clock.now()) };
  const latches = [new LatchFile(place.kill), new UserKill(place, lock)];
  const failed: Error[] = [];
  const raised = latches.filter((latch) => {
    try {
      return latch.raise(record);
    } catch (error) {
      failed.push(error as Error);
      return false;
    }
  });
  const standing = latches.find(({ isUp }) => isUp);
  for (const error of failed)
    tell(
      standing === undefined ? { kind: 'disk', error } : { kind: 'kill-half', path: standing.path, error },
    );
  return raised[0]?.path ?? null;
}

/**
 * Latches where the bots of the account read it that were started from another folder, with another key or under another
 * name of the venue.
 * @returns state of the account's bots, those in other folders among them
 */
export async function latchBotsElsewhere(options: KillLatchOptions): Promise<{
  readonly away: readonly StatePaths[];
  /** Whom the kill at the key of the file holds back. */
  readonly holds: 'bot' | 'next';
}> {
  const { settings, venue } = options;
  const scopes = await whose(accountScopes(settings, venue), options);
  const { own, bots } = scopes;
  const elsewhere = bots.filter(
    (bot) => isThere(bot) && (bot.paths === null || !isSameScope(bot.paths, own)),
  );
  for (const bot of elsewhere) latchBot(bot, options);
  noteOwner(own, scopes.lock ?? venueLocksOf(settings, venue));
  return { away: bots.flatMap(({ paths }) => paths ?? []), holds: elsewhere.length > 0 ? 'next' : 'bot' };
}

/**
 * A key of which no bot ran may be of any account at the venue, until that says whose it is. Where it says nothing every
 * one of them counts: a bot that was stopped for nothing can be resumed.
 */
async function whose(known: AccountScopes, options: KillLatchOptions): Promise<AccountScopes> {
  const { settings, venue, rest } = options;
  if (known.isSure) return known;
  const answer = await rest.me();
  return answer.ok ? accountScopes(settings, venue, answer.value.id) : accountScopes(settings, venue, 'any');
}

/** One that died counts where its folder is left: it may be started there again. */
const isThere = ({ isRunning, paths }: LockedBot): boolean =>
  isRunning || (paths !== null && existsSync(paths.heartbeat));

function latchBot({ lock, pid, paths, isRunning }: LockedBot, options: KillLatchOptions): void {
  const { tell } = options;
  if (paths === null) return tell({ kind: 'bot-unreached', pid });
  latchKill(paths, lock, options);
  if (new LatchFile(paths.kill).isUp) tell({ kind: 'bot-killed', pid, isRunning, path: paths.kill });
}
