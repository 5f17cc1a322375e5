import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseHeartbeat, readHeartbeatText } from '../../storage/state/heartbeat-file.js';
import { LatchFile } from '../../storage/state/latch-file.js';
import { acquireLock, type Lock, LockHeldError } from '../../storage/state/lock-file.js';
import { accountScopes, isSameScope, type ScopeSettings, type ScopeVenue } from '../state/account-scopes.js';
import { type StatePaths, statePathsOf } from '../state/state-paths.js';
import type { GuardNews } from './guard-news.js';

export interface WhereaboutsOptions {
  readonly settings: ScopeSettings;
  readonly venue: ScopeVenue;
  readonly tell: (news: GuardNews) => void;
}

/**
 * Which state the guard of a configuration looks after: that of the key of its file, and while nobody is there that of the
 * same account with another key, under another name of its venue or in another folder. No two guards look after one.
 */
export class Whereabouts {
  readonly #options: WhereaboutsOptions;
  readonly #what: string;
  readonly #home: StatePaths;
  readonly #homeLock: Lock;
  #away: { readonly paths: StatePaths; readonly lock: Lock } | null = null;
  #refused = '';

  /** @throws LockHeldError when another guard is at home; an error of the file system */
  constructor(options: WhereaboutsOptions) {
    const { settings, venue } = options;
    this.#options = options;
    this.#what = `the guard of ${venue.name}, key ${venue.publicKey}`;
    this.#home = statePathsOf(settings, venue);
    this.#homeLock = acquireLock(this.#home.guardLock, this.#what);
  }

  /**
   * Asked while nothing is to be done where the guard is.
   * @param account of the keys; null: the venue has not told yet
   * @throws an error of the file system
   */
  now(account: number | null): StatePaths {
    const { settings, venue } = this.#options;
    const surely = accountScopes(settings, venue, account).others.filter(
      ({ kinship }) => kinship !== 'may-be',
    );
    const there = [this.#home, ...surely.map(({ paths }) => paths)].find((paths) => this.#hasWork(paths));
    return there === undefined ? this.#current : this.#moveTo(there);
  }

  release(): void {
    this.#leave();
    this.#homeLock.release();
  }

  get #current(): StatePaths {
    return this.#away?.paths ?? this.#home;
  }

  /**
   * A fence stands, a bot runs, or one died and nobody has accepted that; what died elsewhere before a bot ran at home is
   * over.
   */
  #hasWork(paths: StatePaths): boolean {
    if (new LatchFile(paths.fence).isUp) return true;
    const text = readHeartbeatText(paths.heartbeat);
    if (text === null || text === readHeartbeatText(paths.accepted)) return false;
    const last = parseHeartbeat(text);
    return last !== null && last.ended !== CLEAN && beatAt(paths) >= beatAt(this.#home);
  }

  #moveTo(there: StatePaths): StatePaths {
    if (isSameScope(there, this.#current)) return this.#current;
    if (isSameScope(there, this.#home)) {
      this.#leave();
      return this.#home;
    }
    const lock = this.#lockAt(there);
    if (lock === null) return this.#current;
    this.#leave();
    this.#away = { paths: there, lock };
    return there;
  }

  #lockAt({ guardLock, heartbeat }: StatePaths): Lock | null {
    try {
      const lock = acquireLock(guardLock, this.#what);
      this.#refused = '';
      return lock;
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error;
      const path = dirname(heartbeat);
      if (this.#refused !== path) this.#options.tell({ kind: 'other-guard', path });
      this.#refused = path;
      return null;
    }
  }

  #leave(): void {
    this.#away?.lock.release();
    this.#away = null;
  }
}

const CLEAN = 'clean';

/** When its last bot beat last; 0: none ran. */
const beatAt = ({ heartbeat }: StatePaths): number =>
  statSync(heartbeat, { throwIfNoEntry: false })?.mtimeMs ?? 0;
