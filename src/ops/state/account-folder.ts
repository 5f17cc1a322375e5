/**
 * Finds the state folder: one per venue, currency mode and account, and one per shard where several processes trade the
 * account. Two keys of an account, two spellings of its venue and starts from two folders lead to the same one.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { accountId, type AccountId } from '../../domain/ids.js';
import {
  type BotSettings,
  eachShard,
  PAPER_ACCOUNT,
  type ShardingSettings,
  type VenueSettings,
} from '../../settings/index.js';
import { makeFolder } from '../../storage/files/whole-files.js';

/** The files of one account. Bot, guard and the commands of an operator find each other by these paths. */
export interface StatePaths {
  readonly folder: string;
  /** Name of the folder: venue, currency mode and account; of a shard also which one. */
  readonly name: string;
  readonly journal: string;
  readonly lock: string;
  /** A second lock in the user's own folder; null for an exchange that the configuration starts. */
  readonly lockCopy: string | null;
  readonly guardLock: string;
  readonly heartbeat: string;
  /** The heartbeat that a person accepted as ended when the fence was cleared. */
  readonly accepted: string;
  readonly fence: string;
  /** Proof that no order of the bot is left since the fence was raised. */
  readonly proof: string;
  /** Of the whole account: every shard obeys it. */
  readonly kill: string;
  /** A second kill switch in the user's own folder; null for an exchange that the configuration starts. */
  readonly killCopy: string | null;
  /** What risk guards latched. */
  readonly riskState: string;
  /** Strategy instances that a fault stopped. The file exists only while their bot runs. */
  readonly stopped: string;
  /** What strategies remember of their markets. */
  readonly strategyStates: string;
  /** Fills and mark-outs that still count for the risk guards. */
  readonly windows: string;
  /** Markets that have ended. */
  readonly ended: string;
  /** Every fill and resolution of all runs. */
  readonly fills: string;
  /** Markets that the last run chose at the venue. */
  readonly selection: string;
  /** Requests that the bot's key has used. */
  readonly spending: string;
  /** Requests that the guard and an operator's commands have used. */
  readonly guardSpending: string;
}

export type StateSettings = Pick<BotSettings, 'stateDir' | 'currencyMode' | 'venue'> &
  Partial<Pick<BotSettings, 'mode' | 'paper' | 'sharding'>>;
export type StateVenue = Pick<VenueSettings, 'baseUrl' | 'publicKey'>;

/** Name of the exchange that a configuration without a venue starts. */
export const BUNDLED = 'bundled';
/** Replaces the account while it is unknown. No account has this name. */
const UNKNOWN = '~unknown';
const INDEX = 'index.ndjson';

/**
 * Returns the files of an account: in the state folder that already has them, else in that of the settings.
 * @param venue   of the settings, or the bundled exchange that was started for them
 * @param account null: not known yet
 */
export function accountPaths(
  settings: StateSettings,
  venue: StateVenue,
  account: AccountId | null,
): StatePaths {
  const prefix = venuePrefix(settings, venue);
  const whole = `${prefix}${account === null ? UNKNOWN : fileNameOf(account)}`;
  const name = `${whole}${shardSuffix(settings.sharding)}`;
  const folder = join(stateDirOf(settings, whole), 'accounts', name);
  return pathsIn(folder, whole, keyOf(prefix, venue), settings.venue !== null);
}

/** The same of each shard that the settings may mean. */
export const shardPaths = (
  settings: StateSettings,
  venue: StateVenue,
  account: AccountId | null,
): readonly StatePaths[] => eachShard(settings).map((one) => accountPaths(one, venue, account));

/** `~2of4` behind the name of the account, which has no `~`. */
const shardSuffix = (sharding: ShardingSettings | null | undefined): string =>
  sharding === null || sharding === undefined || sharding.shard === null
    ? ''
    : `~${sharding.shard}of${sharding.of}`;

const SHARD_SUFFIX = /~\d+of(\d+)$/;

/** Locks of bots that divide the same account otherwise: not at all, or into another number of shards. */
export function locksOfOtherDivisions({ lock, lockCopy, name }: StatePaths): readonly string[] {
  const [whole, of] = [name.replace(SHARD_SUFFIX, ''), SHARD_SUFFIX.exec(name)?.[1]];
  const isOther = (other: string): boolean =>
    other.replace(SHARD_SUFFIX, '') === whole && SHARD_SUFFIX.exec(other)?.[1] !== of;
  const accounts = dirname(dirname(lock));
  const copies = lockCopy === null ? null : dirname(lockCopy);
  return [
    ...namesIn(accounts).flatMap((other) => (isOther(other) ? [join(accounts, other, 'bot.lock')] : [])),
    ...namesIn(copies).flatMap((file) =>
      file.endsWith(LOCK) && isOther(file.slice(0, -LOCK.length)) ? [join(copies!, file)] : [],
    ),
  ];
}

const LOCK = '.lock';

/** Returns the account of a key if an earlier run noted it. Sends no request. */
export function knownAccount(settings: StateSettings, venue: StateVenue): AccountId | null {
  if (settings.mode === 'paper') return accountId(settings.paper!.account);
  const prefix = venuePrefix(settings, venue);
  const key = keyOf(prefix, venue);
  const found = indexesOf(settings).findLast((entry) => entry.key === key);
  return found === undefined ? null : accountIn(found.name, prefix);
}

/** Every account at the venue, of the currency mode, that has state here; paper accounts are at no venue. */
export function knownAccounts(settings: StateSettings, venue: StateVenue): readonly AccountId[] {
  const prefix = venuePrefix(settings, venue);
  const names = [...indexesOf(settings).map(({ name }) => name), ...foldersIn(settings.stateDir)];
  const accounts = [...new Set(names.flatMap((name) => accountIn(name, prefix) ?? []))];
  return accounts.filter((account) => !account.startsWith(PAPER_ACCOUNT));
}

/**
 * Notes the account of a key for commands that cannot ask the venue. If no file can be written, the next command asks the
 * venue.
 */
export function learnAccount(settings: StateSettings, venue: StateVenue, account: AccountId): StatePaths {
  const paths = accountPaths(settings, venue, account);
  const { folder } = paths;
  const name = paths.name.replace(SHARD_SUFFIX, '');
  const key = keyOf(venuePrefix(settings, venue), venue);
  note(join(settings.stateDir, 'accounts'), { key, name }, folder);
  if (settings.venue !== null) {
    const stateDir = resolve(dirname(dirname(folder)));
    note(userFolder(), { key, name, stateDir }, folder);
  }
  return paths;
}

/** Finds the state of every account on exchanges that configurations started, in a currency mode. */
export const bundledPaths = ({
  stateDir,
  currencyMode,
}: Pick<BotSettings, 'stateDir' | 'currencyMode'>): readonly StatePaths[] =>
  foldersIn(stateDir)
    .filter((name) => name.startsWith(`${BUNDLED}-`) && name.includes(`-${currencyMode}-`))
    .map((name) => pathsIn(join(stateDir, 'accounts', name), name, '', false));

/** The accounts that a file may mean, as far as it is known here. */
export function statePlaces(settings: StateSettings): readonly StatePaths[] {
  const { venue } = settings;
  if (venue === null) return bundledPaths(settings);
  const known = knownAccount(settings, venue);
  const accounts = known === null ? knownAccounts(settings, venue) : [known];
  return accounts.flatMap((account) => shardPaths(settings, venue, account));
}

/** @param whole name of the account's own folder, beside those of its shards */
function pathsIn(folder: string, whole: string, key: string, isShared: boolean): StatePaths {
  const name = basename(folder);
  return {
    folder,
    name,
    journal: join(folder, 'journal'),
    lock: join(folder, 'bot.lock'),
    lockCopy: isShared ? join(userFolder(), `${name}.lock`) : null,
    guardLock: join(folder, 'guard.lock'),
    heartbeat: join(folder, 'heartbeat.json'),
    accepted: join(folder, 'heartbeat.accepted.json'),
    fence: join(folder, 'fence.json'),
    proof: join(folder, 'fence.proved.json'),
    kill: join(dirname(folder), whole, 'kill.json'),
    killCopy: isShared ? join(userFolder(), `${whole}.kill.json`) : null,
    riskState: join(folder, 'risk.json'),
    stopped: join(folder, 'stopped.json'),
    strategyStates: join(folder, 'strategy-states.ndjson'),
    windows: join(folder, 'windows.ndjson'),
    ended: join(folder, 'ended.json'),
    fills: join(folder, 'fills.ndjson'),
    selection: join(folder, 'selection.json'),
    spending: join(folder, `spending-${key}.json`),
    guardSpending: join(folder, 'guard-spending.json'),
  };
}

/** Prefix of the folder names of a venue and currency mode. */
function venuePrefix({ currencyMode, venue }: StateSettings, { baseUrl }: StateVenue): string {
  const host = canonicalHost(baseUrl).replaceAll(/[^\w.-]/g, '-');
  return `${venue === null ? `${BUNDLED}-` : ''}${host}-${currencyMode}-`;
}

/** All names of this machine count as one, so exchanges that share a port there count as one. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Such as `venue.example`, with the port if it is not the default one. @throws TypeError for no URL */
function canonicalHost(baseUrl: string): string {
  const { hostname, port } = new URL(baseUrl);
  const name = LOOPBACK.has(hostname) ? '127.0.0.1' : hostname.replace(/\.$/, '');
  return port === '' ? name : `${name}:${port}`;
}

/** Hash of a public key. The key itself is not written. */
const keyOf = (prefix: string, { publicKey }: StateVenue): string =>
  createHash('sha256').update(`${prefix} ${publicKey}`).digest('hex').slice(0, 12);

/** What processes of one account, started with one key pair, call it among themselves. */
export function leaseName(settings: StateSettings, venue: StateVenue): string {
  const prefix = venuePrefix(settings, venue);
  return `${prefix}${keyOf(prefix, venue)}`;
}

/** An id as part of the name of a folder. */
const fileNameOf = (account: AccountId): string =>
  encodeURIComponent(account).replaceAll(
    /[!'()*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function accountIn(name: string, prefix: string): AccountId | null {
  const rest = name.slice(prefix.length).replace(SHARD_SUFFIX, '');
  if (!name.startsWith(prefix) || rest === UNKNOWN || rest === '') return null;
  try {
    return accountId(decodeURIComponent(rest));
  } catch {
    return null;
  }
}

/** The account of a key, and the state folder of the account. */
interface IndexEntry {
  readonly key: string;
  readonly name: string;
  /** Absolute path; only in the user's index. */
  readonly stateDir?: string;
}

/** An account keeps its first state folder as long as its state is there. */
function stateDirOf({ stateDir, venue }: StateSettings, name: string): string {
  if (venue === null) return stateDir;
  const told = entriesIn(userFolder()).findLast((entry) => entry.name === name)?.stateDir;
  if (told === undefined || told === resolve(stateDir)) return stateDir;
  const isThere = namesIn(join(told, 'accounts')).some((found) => found.replace(SHARD_SUFFIX, '') === name);
  return isThere ? told : stateDir;
}

const indexesOf = ({ stateDir, venue }: StateSettings): readonly IndexEntry[] => [
  ...(venue === null ? [] : entriesIn(userFolder())),
  ...entriesIn(join(stateDir, 'accounts')),
];

/** Reads one entry a line. The last entry of a key counts, and unreadable lines are ignored. */
function entriesIn(folder: string): readonly IndexEntry[] {
  try {
    return readFileSync(join(folder, INDEX), 'utf8').split('\n').flatMap(entryIn);
  } catch {
    return [];
  }
}

function entryIn(line: string): readonly IndexEntry[] {
  if (!line.endsWith('}')) return [];
  try {
    const { key, name, stateDir } = JSON.parse(line) as Partial<IndexEntry>;
    if (typeof key !== 'string' || typeof name !== 'string') return [];
    return [{ key, name, ...(typeof stateDir === 'string' && { stateDir }) }];
  } catch {
    return [];
  }
}

function note(index: string, entry: IndexEntry, folder: string): void {
  const known = entriesIn(index).findLast(({ key }) => key === entry.key);
  if (known?.name === entry.name && known.stateDir === entry.stateDir) return;
  try {
    makeFolder(folder);
    makeFolder(index);
    // The leading line feed ends a line that a crash left incomplete.
    appendFileSync(join(index, INDEX), `\n${JSON.stringify(entry)}\n`, { mode: 0o600 });
  } catch {
    // See learnAccount.
  }
}

const foldersIn = (stateDir: string): readonly string[] => namesIn(join(stateDir, 'accounts'));

/** Of a folder that may be missing. */
function namesIn(folder: string | null): readonly string[] {
  try {
    return folder === null ? [] : readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The user's own state folder, whatever the working directory. A relative path is ignored (XDG base directories). */
function userFolder(): string {
  const given = process.env['XDG_STATE_HOME'] ?? '';
  const state = isAbsolute(given) ? given : join(homedir(), '.local', 'state');
  return join(state, 'oddsmith', 'accounts');
}
