/**
 * Where state is kept: one folder per venue, currency mode and account. Two keys of an account, two spellings of its venue
 * and starts from two folders meet there.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { accountId, type AccountId } from '../../domain/ids.js';
import type { BotSettings, VenueSettings } from '../../settings/index.js';
import { makeFolder } from '../../storage/files/whole-files.js';

/** The files of one account. Bot, guard and the commands of an operator find each other by these paths. */
export interface StatePaths {
  readonly folder: string;
  /** Name of the folder: venue, currency mode and account. */
  readonly name: string;
  readonly journal: string;
  readonly lock: string;
  /** The same lock among the files of the user; null: nobody else can know this venue. */
  readonly lockCopy: string | null;
  readonly guardLock: string;
  readonly heartbeat: string;
  /** The heartbeat that a person accepted as ended when the fence was cleared. */
  readonly accepted: string;
  readonly fence: string;
  /** Proof that nothing of the bot is left behind the fence. */
  readonly proof: string;
  readonly kill: string;
  /** The same kill switch among the files of the user; null: nobody else can know this venue. */
  readonly killCopy: string | null;
  /** What risk guards latched. */
  readonly riskState: string;
  /** Strategy instances that a fault stopped; there only while their bot runs. */
  readonly stopped: string;
  /** What strategies remember of their markets. */
  readonly strategyStates: string;
  /** Fills and mark-outs that still count for the risk guards. */
  readonly windows: string;
  /** Markets that have ended. */
  readonly ended: string;
  /** Requests that the key of the bot has used of its allowance. */
  readonly spending: string;
  /** Requests that the guard and an operator's commands have used of theirs. */
  readonly guardSpending: string;
}

export type StateSettings = Pick<BotSettings, 'stateDir' | 'currencyMode' | 'venue'>;
export type StateVenue = Pick<VenueSettings, 'baseUrl' | 'publicKey'>;

/** Name of the venue that a configuration without one brings along. */
export const BUNDLED = 'bundled';
/** Stands for the account while nobody knows whose key it is; no name of an account reads like that. */
const UNKNOWN = '~unknown';
const INDEX = 'index.ndjson';

/**
 * The files of an account, in the state folder in which the user keeps them already, else in that of the settings.
 * @param venue   of the settings, or the bundled exchange that was started for them
 * @param account null: nobody knows yet whose key it is
 */
export function accountPaths(
  settings: StateSettings,
  venue: StateVenue,
  account: AccountId | null,
): StatePaths {
  const prefix = venuePrefix(settings, venue);
  const name = `${prefix}${account === null ? UNKNOWN : fileNameOf(account)}`;
  const folder = join(stateDirOf(settings, name), 'accounts', name);
  return pathsIn(folder, name, keyOf(prefix, venue), settings.venue !== null);
}

/** The account that a key belongs to, if the venue has told it before. Asks nobody. */
export function knownAccount(settings: StateSettings, venue: StateVenue): AccountId | null {
  const prefix = venuePrefix(settings, venue);
  const key = keyOf(prefix, venue);
  const found = indexesOf(settings).findLast((entry) => entry.key === key);
  return found === undefined ? null : accountIn(found.name, prefix);
}

/** Every account of the venue and currency mode that has state here. */
export function knownAccounts(settings: StateSettings, venue: StateVenue): readonly AccountId[] {
  const prefix = venuePrefix(settings, venue);
  const names = [...indexesOf(settings).map(({ name }) => name), ...foldersIn(settings.stateDir)];
  return [...new Set(names)].flatMap((name) => accountIn(name, prefix) ?? []);
}

/**
 * The venue has told whose key it is: notes it for commands that cannot ask. Where no file can be written nothing is noted,
 * and the next command asks the venue.
 */
export function learnAccount(settings: StateSettings, venue: StateVenue, account: AccountId): StatePaths {
  const paths = accountPaths(settings, venue, account);
  const { name, folder } = paths;
  const key = keyOf(venuePrefix(settings, venue), venue);
  note(join(settings.stateDir, 'accounts'), { key, name }, folder);
  if (settings.venue !== null) {
    const stateDir = resolve(dirname(dirname(folder)));
    note(userFolder(), { key, name, stateDir }, folder);
  }
  return paths;
}

/** State of every account on exchanges that configurations brought along, in a currency mode. */
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
  return accounts.map((account) => accountPaths(settings, venue, account));
}

function pathsIn(folder: string, name: string, key: string, isShared: boolean): StatePaths {
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
    kill: join(folder, 'kill.json'),
    killCopy: isShared ? join(userFolder(), `${name}.kill.json`) : null,
    riskState: join(folder, 'risk.json'),
    stopped: join(folder, 'stopped.json'),
    strategyStates: join(folder, 'strategy-states.ndjson'),
    windows: join(folder, 'windows.ndjson'),
    ended: join(folder, 'ended.json'),
    spending: join(folder, `spending-${key}.json`),
    guardSpending: join(folder, 'guard-spending.json'),
  };
}

/** How the names of all accounts of a venue in a currency mode begin. */
function venuePrefix({ currencyMode, venue }: StateSettings, { baseUrl }: StateVenue): string {
  const host = canonicalHost(baseUrl).replaceAll(/[^\w.-]/g, '-');
  return `${venue === null ? `${BUNDLED}-` : ''}${host}-${currencyMode}-`;
}

/** The machine itself has several names; two exchanges that share a port there count as one. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `venue.example`, or with its port where that is not the usual one. @throws TypeError for no URL */
function canonicalHost(baseUrl: string): string {
  const { hostname, port } = new URL(baseUrl);
  const name = LOOPBACK.has(hostname) ? '127.0.0.1' : hostname.replace(/\.$/, '');
  return port === '' ? name : `${name}:${port}`;
}

/** Stands for a public key, which is not written down. */
const keyOf = (prefix: string, { publicKey }: StateVenue): string =>
  createHash('sha256').update(`${prefix} ${publicKey}`).digest('hex').slice(0, 12);

/** An id as part of the name of a folder. */
const fileNameOf = (account: AccountId): string =>
  encodeURIComponent(account).replaceAll(
    /[!'()*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function accountIn(name: string, prefix: string): AccountId | null {
  const rest = name.slice(prefix.length);
  if (!name.startsWith(prefix) || rest === UNKNOWN || rest === '') return null;
  try {
    return accountId(decodeURIComponent(rest));
  } catch {
    return null;
  }
}

/** Which account a key belongs to, and in which state folder its state is. */
interface IndexEntry {
  readonly key: string;
  readonly name: string;
  /** Absolute; in the index of the user alone. */
  readonly stateDir?: string;
}

/** An account keeps the state folder that it had first, as long as its state lies there. */
function stateDirOf({ stateDir, venue }: StateSettings, name: string): string {
  if (venue === null) return stateDir;
  const told = entriesIn(userFolder()).findLast((entry) => entry.name === name)?.stateDir;
  if (told === undefined || told === resolve(stateDir)) return stateDir;
  return existsSync(join(told, 'accounts', name)) ? told : stateDir;
}

const indexesOf = ({ stateDir, venue }: StateSettings): readonly IndexEntry[] => [
  ...(venue === null ? [] : entriesIn(userFolder())),
  ...entriesIn(join(stateDir, 'accounts')),
];

/** One line an entry; the last one of a key counts. A line that cannot be read counts for nothing. */
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
    // The line feed before it ends a line that a crash cut short.
    appendFileSync(join(index, INDEX), `\n${JSON.stringify(entry)}\n`, { mode: 0o600 });
  } catch {
    // See learnAccount.
  }
}

function foldersIn(stateDir: string): readonly string[] {
  try {
    return readdirSync(join(stateDir, 'accounts')).sort();
  } catch {
    return [];
  }
}

/** For whatever folder a command is started from. As the XDG base directories have it, a relative path counts as none. */
function userFolder(): string {
  const given = process.env['XDG_STATE_HOME'] ?? '';
  const state = isAbsolute(given) ? given : join(homedir(), '.local', 'state');
  return join(state, 'oddsmith', 'accounts');
}
