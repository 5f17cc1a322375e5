/**
 * Kill switches as the user of the machine knows them. One that is latched in any folder of state stands here, too, so
 * that a start from another folder finds it, and so that neither folder alone can forget it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { LatchFile, type LatchRecord } from '../../storage/state/latch-file.js';
import { type StatePaths, statePathsIn } from './state-paths.js';
import { userKills } from './user-state.js';
import { canonicalLock } from './venue-address.js';

/** Where a kill is latched: the state of one key in one folder. */
export type KillPlace = Pick<StatePaths, 'stateDir' | 'scope' | 'kill'>;

/** One kill among the files of the user. */
export interface KnownKill {
  /** Of its file there. */
  readonly path: string;
  /** Whose it was when it was latched: the name of the lock of the account, or how those of its venue and mode begin. */
  readonly lock: string;
  /** Where it was latched; null: there was no room to tell. */
  readonly paths: StatePaths | null;
}

/**
 * The kill of one place, among the files of the user. Its name tells venue and mode, should there be no room for more.
 */
export class UserKill {
  readonly path: string;
  readonly #latch: LatchFile;

  /** @param lock path or name of the lock of the account, or how the names of all locks of its venue and mode begin */
  constructor(
    private readonly place: KillPlace,
    private readonly lock: string,
  ) {
    const venue = basename(lock).replace(/\d+\.lock$/, '');
    this.path = join(userKills(), `${venue}${tagOf(place)}`);
    this.#latch = new LatchFile(this.path);
  }

  /** Surely: a bot whose user has no folder that can be looked into has the one of its own. */
  get isUp(): boolean {
    try {
      return statSync(this.path, { throwIfNoEntry: false }) !== undefined;
    } catch {
      return false;
    }
  }

  read(): LatchRecord | null {
    return this.isUp ? this.#latch.read() : null;
  }

  /** @returns whether this call raised it. @throws an error of the file system when it is not up afterwards */
  raise({ reason, at }: LatchRecord): boolean {
    const home = { folder: resolve(this.place.stateDir), scope: this.place.scope };
    const told = { reason, at, lock: basename(this.lock), home };
    const isNew = this.#latch.raise(told);
    // What nobody can look at counts as up there, and is none here.
    statSync(this.path);
    return isNew;
  }

  /** @throws an error of the file system */
  clear(): void {
    if (this.isUp) this.#latch.clear();
  }
}

/** A place is one, however the address of its venue was spelled. */
const tagOf = ({ kill }: Pick<KillPlace, 'kill'>): string =>
  `${createHash('sha256').update(resolve(kill)).digest('hex').slice(0, 12)}.json`;

/**
 * Those at a venue in a mode, of all accounts. A folder that cannot be looked into tells of none.
 * @param venueLocks how the names of its locks begin
 */
export const userKillsAt = (venueLocks: string): readonly KnownKill[] =>
  killNames()
    .filter((name) => canonicalLock(name).startsWith(venueLocks))
    .map((name) => knownKill(join(userKills(), name), venueLocks));

/** Takes the kill of a place away among the files of the user. @throws an error of the file system */
export function forgetUserKill(place: Pick<KillPlace, 'kill'>): void {
  for (const name of killNames().filter((one) => one.endsWith(`-${tagOf(place)}`)))
    new LatchFile(join(userKills(), name)).clear();
}

function killNames(): readonly string[] {
  try {
    const folder = userKills();
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  } catch {
    return [];
  }
}

function knownKill(path: string, venueLocks: string): KnownKill {
  try {
    const { lock, home } = JSON.parse(readFileSync(path, 'utf8')) as {
      readonly lock?: string;
      readonly home?: { readonly folder: string; readonly scope: string };
    };
    const paths = home === undefined ? null : statePathsIn(home.folder, home.scope);
    return { path, lock: canonicalLock(lock ?? venueLocks), paths };
  } catch {
    return { path, lock: venueLocks, paths: null };
  }
}
