/**
 * Where else the state of an account may lie. A key names a folder of state, and an account has several keys, names that
 * its venue goes by and folders that a bot may be started from: what latched in any of them holds for all.
 */
import { basename, resolve } from 'node:path';
import { parseHeartbeat, readHeartbeatText } from '../../storage/state/heartbeat-file.js';
import { replaceFile } from '../../storage/files/whole-files.js';
import type { BotSettings, VenueSettings } from '../../settings/index.js';
import { type LockedBot, lockedBots } from './account-lock.js';
import { textOf } from './caution-file.js';
import { everyStatePath, isBundled, type StatePaths, statePathsOf, venueLocksOf } from './state-paths.js';
import { type KnownKill, userKillsAt } from './user-kills.js';
import { canonicalLock } from './venue-address.js';

export type ScopeSettings = Pick<BotSettings, 'stateDir' | 'currencyMode'>;
export type ScopeVenue = Pick<VenueSettings, 'name' | 'baseUrl' | 'publicKey'>;

/** State beside one's own. */
export interface OtherScope {
  readonly paths: StatePaths;
  readonly kinship:
    | 'same'
    /** Nobody knows whose its key is; its venue and mode do not speak against it. */
    | 'may-be'
    /** Of the account, in another folder: a bot that runs there does not know of this one. */
    | 'away';
}

/** A kill among the files of the user. */
export interface ScopedKill extends KnownKill {
  /** `own`: of the key itself, in whatever folder. */
  readonly kinship: 'own' | 'same' | 'may-be';
}

/** What an operator's command acts on. */
export interface AccountScopes {
  readonly own: StatePaths;
  /** Name of the lock of the account; null: nobody knows yet which one the key belongs to. */
  readonly lock: string | null;
  /** The venue has told it, now or to a bot that ran with the key. */
  readonly isSure: boolean;
  readonly others: readonly OtherScope[];
  /** Kill switches that the user knows of, latched in this folder or another, that may be of the account. */
  readonly kills: readonly ScopedKill[];
  /** Bots of the account; of every account of the venue while nobody knows which it is. */
  readonly bots: readonly LockedBot[];
  /** The accounts, by their locks, that the key may belong to, where that is not known and there are several. */
  readonly candidates: readonly string[];
}

/**
 * Without a question to the venue: a key of which no bot ran is taken for one of the only account that is known there.
 * @param account as the venue told it just now; null: it was not asked; `any`: it did not answer
 */
export function accountScopes(
  settings: ScopeSettings,
  venue: ScopeVenue,
  account: number | 'any' | null = null,
): AccountScopes {
  const own = statePathsOf(settings, venue);
  const ofVenue = venueLocksOf(settings, venue);
  const bots = lockedBots(settings, venue);
  const kills = userKillsAt(ofVenue).map(withOwner);
  const ofKey = kills.find(({ paths, lock }) => paths?.scope === own.scope && isWhole(lock));
  const known =
    typeof account === 'number' ? `${ofVenue}${account}.lock` : (knownLock(own) ?? ofKey?.lock ?? null);
  const seen = [
    ...new Set([
      ...scopesBeside(own, settings, ofVenue).flatMap(({ paths }) => knownLock(paths) ?? []),
      ...bots.map(({ lock }) => lock),
      ...kills.flatMap(({ lock }) => (isWhole(lock) ? [lock] : [])),
    ]),
  ];
  const lock = known ?? (seen.length === 1 && account !== 'any' ? seen[0]! : null);
  const ours = bots.filter((bot) => lock === null || bot.lock === lock);
  const beside = scopesBeside(own, settings, lock ?? ofVenue);
  const away = ours.flatMap(({ paths }) => paths ?? []);
  const latched = kills.flatMap((kill) => killOf(kill, own, lock ?? ofVenue));
  const others = [
    ...beside,
    ...away.map((paths): OtherScope => ({ paths, kinship: 'away' })),
    ...latched.flatMap(placeOf),
  ];
  return {
    own,
    lock,
    isSure: known !== null,
    others: others.filter(({ paths }, at) => isFirst(others, paths, at) && !isSameScope(paths, own)),
    kills: latched,
    bots: ours,
    candidates: lock === null ? seen : [],
  };
}

/** The state at the place of a kill may know better by now whose it is. */
function withOwner(kill: KnownKill): KnownKill {
  const known = kill.paths === null ? null : knownLock(kill.paths);
  return known === null ? kill : { ...kill, lock: known };
}

function killOf(kill: KnownKill, own: StatePaths, lock: string): readonly ScopedKill[] {
  if (kill.paths?.scope === own.scope) return [{ ...kill, kinship: 'own' }];
  const kinship = kinshipOf(kill.lock, lock, true);
  return kinship === null ? [] : [{ ...kill, kinship }];
}

const placeOf = ({ paths, kinship }: ScopedKill): readonly OtherScope[] =>
  paths === null ? [] : [{ paths, kinship: kinship === 'may-be' ? 'may-be' : 'away' }];

const isFirst = (all: readonly OtherScope[], paths: StatePaths, at: number): boolean =>
  all.findIndex((one) => isSameScope(one.paths, paths)) === at;

/** Whether two paths are those of one bot, relative or absolute. */
export const isSameScope = (one: StatePaths, other: StatePaths): boolean =>
  resolve(one.kill) === resolve(other.kill);

/**
 * State in the same folder that may be of the account of a lock. What another venue, mode or account is known of is not,
 * and what a bot left that brought its exchange along ended with that.
 * @param lock name of the lock of the account, or how the names of all locks of the venue begin
 */
const scopesBeside = (own: StatePaths, settings: ScopeSettings, lock: string): readonly OtherScope[] =>
  everyStatePath(settings.stateDir)
    .filter((paths) => paths.scope !== own.scope && !isBundled(paths))
    .flatMap((paths) => {
      const kinship = kinshipOf(ownerOf(paths), lock, paths.scope.includes(`-${settings.currencyMode}-`));
      return kinship === null ? [] : [{ paths, kinship }];
    });

function kinshipOf(owner: string | null, lock: string, isSameMode: boolean): 'same' | 'may-be' | null {
  if (owner === null) return isSameMode ? 'may-be' : null;
  if (owner === lock && isWhole(owner)) return 'same';
  return owner.startsWith(lock) || lock.startsWith(owner) ? 'may-be' : null;
}

/**
 * Name of the lock of the account that state is of, as far as it is known: its beginning, or null. What cannot be read
 * tells nothing.
 */
function ownerOf({ heartbeat, owner }: StatePaths): string | null {
  try {
    const { lock } = parseHeartbeat(readHeartbeatText(heartbeat) ?? '') ?? {};
    return lock === undefined ? noted(textOf(owner) ?? '{}') : canonicalLock(lock);
  } catch {
    return null;
  }
}

function noted(text: string): string | null {
  const { lock } = JSON.parse(text) as { readonly lock?: unknown };
  return typeof lock === 'string' ? lock : null;
}

function knownLock(paths: StatePaths): string | null {
  const owner = ownerOf(paths);
  return owner !== null && isWhole(owner) ? owner : null;
}

const isWhole = (lock: string): boolean => lock.endsWith('.lock');

/**
 * Writes down whose state it is, for who finds it before a bot of it ever ran. A folder that takes no file is no reason to
 * end: what is not known counts as possible.
 * @param lock path or name of the lock of the account, or how the names of all locks of the venue begin
 */
export function noteOwner(paths: StatePaths, lock: string): void {
  const known = ownerOf(paths);
  if (known !== null && (isWhole(known) || known === basename(lock))) return;
  try {
    replaceFile(paths.owner, JSON.stringify({ lock: basename(lock) }));
  } catch {
    // As the docstring says.
  }
}
