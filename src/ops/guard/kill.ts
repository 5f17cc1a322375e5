/** `oddsmith kill`: latches the kill switch, withdraws every order and proves it. */
import { type JournalWork, workIn } from '../../core/execution/orders/left-behind.js';
import { EMPTY_LISTINGS } from '../../core/execution/sending/request-cost.js';
import type { Clock } from '../../core/ports/clock.js';
import type { RequestFailure } from '../../domain/answers.js';
import { accountId, type AccountId } from '../../domain/ids.js';
import { clockWindowMsOf } from '../../runs/live/engine-options.js';
import { type BotSettings, type UnsetKey, type VenueSettings, wholeAccount } from '../../settings/index.js';
import { readOpenWork } from '../../storage/journal/file-journal.js';
import { isGone, parseHeartbeat, readHeartbeatText } from '../../storage/state/heartbeat-file.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import {
  accountPaths,
  knownAccount,
  knownAccounts,
  learnAccount,
  shardPaths,
  type StatePaths,
  type StateSettings,
} from '../state/account-folder.js';
import { KillFile } from '../state/kill-file.js';
import { isoTime } from '../state/latches.js';
import type { GuardNews } from './guard-news.js';
import { withKeptSelection } from '../state/selection-file.js';
import { pauseFor } from '../../storage/clocks/pause.js';
import { guardBudgetOf, openGuardVenue, outsideVenueOf, tradedMarketsOf } from './guard-venue.js';
import { LostRequests } from './order-proof.js';
import { WAITING_MS, Withdrawal } from './withdrawal.js';

export interface KillOptions {
  readonly settings: BotSettings;
  /** Keys of the settings whose variables are not set. */
  readonly unsetKeys: readonly UnsetKey[];
  /** Configuration file, for messages. */
  readonly file: string;
  /** `account-wide` also cancels orders of other programs and of people. */
  readonly reach: 'configuration' | 'account-wide';
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
  readonly signal: AbortSignal;
}

/**
 * Latches the kill switch of an account for its running bot and the next one. Then withdraws every order and proves it.
 * Without a key it only latches, and says what it could not do at the venue.
 * @returns whether it is proved; false after a signal or without a key
 * @throws UsageError when the configuration has no venue
 */
export async function killFromOutside(given: KillOptions): Promise<boolean> {
  const { file, reach, clock, tell, signal } = given;
  const options = { ...given, settings: wholeAccount(given.settings) };
  if (options.settings.mode === 'paper') return killOnPaper(options);
  const { settings, missing } = signing(options);
  const venue = outsideVenueOf(settings, file);
  if (missing.length > 0) {
    await latchKill({ settings, venue, rest: KEYLESS, clock, tell });
    tell({ kind: 'keys-unset', names: missing });
    return false;
  }
  let places: readonly StatePaths[] = [accountPaths(settings, venue, knownAccount(settings, venue))];
  const budget = guardBudgetOf(settings, () => places[0]!.guardSpending, clock);
  const rest = openGuardVenue({ settings, venue, budget, clock, signal });
  try {
    places = await latchKill({ settings, venue, rest, clock, tell });
    for (const paths of places) tellOfBot(paths, tell);
    const windowUs = clockWindowMsOf(venue) * 1_000;
    const work = (): JournalWork =>
      workIn(
        places.flatMap(({ journal }) => readOpenWork(journal)),
        rest.wire.venueAhead,
      );
    const lost = new LostRequests(windowUs, clock);
    if (reach === 'account-wide') {
      const lookUntil = lookUntilOf(work, lost, clock.monotonic() + windowUs);
      return await cancelAccount({ rest, lookUntil, clock, tell, signal });
    }
    const markets = tradedMarketsOf(withKeptSelection(settings, places));
    const lookUntil = (found: JournalWork): number => lost.mayActUntil(found);
    const withdrawal = new Withdrawal({ rest, markets, work, lookUntil, windowUs, clock, tell });
    return (await withdrawal.run(signal)) && !withdrawal.leavesDoubt;
  } finally {
    await rest.close();
  }
}

/** Orders of a paper account end with its process: the bot that runs withdraws them, and otherwise there are none. */
async function killOnPaper({ settings, file, clock, tell }: KillOptions): Promise<boolean> {
  const venue = outsideVenueOf(settings, file);
  for (const paths of await latchKill({ settings, venue, rest: KEYLESS, clock, tell }))
    tellOfBot(paths, tell);
  return true;
}

/** Reports that no request can be signed without a key. */
const KEYLESS: Pick<RestClient, 'me'> = {
  me: () => Promise.resolve({ ok: false, failure: { kind: 'not-sent', reason: 'no keys' }, sentAt: null }),
};

/**
 * Returns settings whose keys can sign: the guard's, or the venue's if variables of the guard's keys are not set.
 * @returns also the variables that are missing for both
 */
function signing({ settings, unsetKeys }: Pick<KillOptions, 'settings' | 'unsetKeys'>): {
  readonly settings: BotSettings;
  readonly missing: readonly string[];
} {
  const unset = (section: 'guard' | 'venue'): readonly string[] =>
    unsetKeys.filter(({ path }) => path.startsWith(`${section}.`)).map(({ at }) => at.name);
  const { guard } = settings;
  if (guard.publicKey !== null && unset('guard').length === 0) return { settings, missing: [] };
  const withoutGuardKeys = { ...guard, publicKey: null, privateKey: null };
  return { settings: { ...settings, guard: withoutGuardKeys }, missing: unset('venue') };
}

/** Waits for a running bot, which cancels its orders itself. */
function tellOfBot({ heartbeat: path }: StatePaths, tell: KillOptions['tell']): void {
  try {
    const heartbeat = parseHeartbeat(readHeartbeatText(path) ?? '');
    if (heartbeat === null || heartbeat.ended !== null || isGone(heartbeat)) return;
    tell({ kind: 'bot-withdraws', pid: heartbeat.pid, runId: heartbeat.runId });
  } catch (error) {
    tell({ kind: 'disk', error: error as Error });
  }
}

export interface KillLatchOptions extends Pick<KillOptions, 'clock' | 'tell'> {
  readonly settings: StateSettings;
  readonly venue: VenueSettings;
  readonly rest: Pick<RestClient, 'me'>;
}

/**
 * Latches the kill switch of the account, of all its shards, before it withdraws. An unknown account is asked of the venue. If the venue does
 * not answer, every account of the venue and currency mode is latched. A bot that was stopped in error can be resumed.
 * @returns the accounts that were latched
 */
export async function latchKill(options: KillLatchOptions): Promise<readonly StatePaths[]> {
  const { settings, venue, rest } = options;
  const known = knownAccount(settings, venue);
  if (known !== null) return latchAccount(known, options);
  const unknown = accountPaths(settings, venue, null);
  const before = new KillFile(unknown, SILENT).isUp;
  latchAt(unknown, options);
  const answer = await rest.me();
  if (answer.ok) {
    const account = accountId(answer.value.id);
    const places = latchAccount(account, options);
    if (!before && new KillFile(learnAccount(settings, venue, account), SILENT).isUp)
      forget(unknown, options);
    return places;
  }
  return [unknown, ...knownAccounts(settings, venue).flatMap((id) => latchAccount(id, options))];
}

/** One switch for all shards. @returns the places of the account, those of its shards among them */
function latchAccount(account: AccountId, options: KillLatchOptions): readonly StatePaths[] {
  const { settings, venue } = options;
  const paths = latchAt(accountPaths(settings, venue, account), options);
  return (settings.sharding ?? null) === null ? [paths] : [paths, ...shardPaths(settings, venue, account)];
}

/** Withdraws even if the switch cannot be written. A running bot would quote again then, so that is reported. */
function latchAt(paths: StatePaths, { clock, tell }: Pick<KillLatchOptions, 'clock' | 'tell'>): StatePaths {
  const record = { reason: 'oddsmith kill', at: isoTime(clock.now()) };
  const { path, standing, errors } = new KillFile(paths, SILENT).raise(record);
  for (const error of errors)
    tell(standing === null ? { kind: 'disk', error } : { kind: 'kill-half', path: standing, error });
  if (path !== null) tell({ kind: 'kill-latched', path });
  return paths;
}

/** The account is known now, and its own switch is up. */
function forget(unknown: StatePaths, { tell }: Pick<KillLatchOptions, 'tell'>): void {
  try {
    new KillFile(unknown, SILENT).clear();
  } catch (error) {
    tell({ kind: 'disk', error: error as Error });
  }
}

/** Reports failures as news. */
const SILENT = { error: (): void => undefined };

/** An unreadable journal may contain requests that were signed just now. */
const lookUntilOf =
  (work: () => JournalWork, lost: LostRequests, unread: number): (() => number) =>
  () => {
    try {
      return lost.mayActUntil(work());
    } catch {
      return unread;
    }
  };

export interface AccountCancelOptions {
  readonly rest: Pick<RestClient, 'activeOrders' | 'cancelWholeAccount'>;
  /** Nothing counts as proof before this monotonic time: a signed request may take effect until then. */
  readonly lookUntil: () => number;
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
  readonly signal: AbortSignal;
}

const ROUND_MS = 500;

/**
 * Cancels every order of the account, whoever placed it. Then lists until the account was empty twice and no signed request
 * can still take effect. Nothing else cancels a whole account.
 * @returns false after a signal
 */
export async function cancelAccount(options: AccountCancelOptions): Promise<boolean> {
  const { clock, tell, signal } = options;
  let proofs = 0;
  while (!signal.aborted) {
    const startedAt = clock.monotonic();
    const found = proofs === 0 ? await cancelAndList(options) : await list(options);
    proofs = found === 'empty' ? proofs + 1 : 0;
    if (proofs === EMPTY_LISTINGS) tell({ kind: 'empty' });
    if (proofs >= EMPTY_LISTINGS && startedAt >= options.lookUntil()) return true;
    const roundMs = typeof found === 'number' ? Math.max(found, ROUND_MS) : ROUND_MS;
    await pauseFor(clock, proofs >= EMPTY_LISTINGS ? WAITING_MS : roundMs, signal);
  }
  return false;
}

/** Result of a round, or the milliseconds that the venue asks to wait. */
type Found = 'empty' | 'orders' | number;

async function cancelAndList(options: AccountCancelOptions): Promise<Found> {
  const outcome = await options.rest.cancelWholeAccount({ kind: 'account-wide', confirmedBy: 'operator' });
  if (!outcome.ok) return failed(outcome.failure, options);
  const orderIds = outcome.value.canceledIds;
  if (orderIds.length > 0) options.tell({ kind: 'cancelled', orderIds });
  return list(options);
}

async function list(options: AccountCancelOptions): Promise<Found> {
  const outcome = await options.rest.activeOrders();
  if (!outcome.ok) return failed(outcome.failure, options);
  return outcome.value.length === 0 ? 'empty' : 'orders';
}

function failed(failure: RequestFailure, { tell }: AccountCancelOptions): number {
  tell({ kind: 'failed', failure });
  return failure.kind === 'refused' ? (failure.retryAfterMs ?? 0) : 0;
}
