import { join } from 'node:path';
import { workIn } from '../../core/execution/orders/left-behind.js';
import type { Clock } from '../../core/ports/clock.js';
import type { AccountId } from '../../domain/ids.js';
import { clockWindowMsOf } from '../../runs/live/engine-options.js';
import { startFailure } from '../../runs/live/start-failure.js';
import { type BotSettings, ofShard, type VenueSettings } from '../../settings/index.js';
import { UsageError } from '../../domain/errors.js';
import { makeFolder } from '../../storage/files/whole-files.js';
import { readOpenWork } from '../../storage/journal/file-journal.js';
import { acquireLock } from '../../storage/state/lock-file.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import { accountPaths, knownAccount, learnAccount, type StatePaths } from '../state/account-folder.js';
import { pauseFor } from '../../storage/clocks/pause.js';
import { Guard, type GuardEnd, KeyCheck } from './guard.js';
import type { GuardNews } from './guard-news.js';
import { guardBudgetOf, guardedMarkets, openGuardVenue, outsideVenueOf } from './guard-venue.js';

export interface GuardRun {
  readonly settings: BotSettings;
  /** Configuration file, read again when a bot is withdrawn. */
  readonly file: string;
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
  readonly signal: AbortSignal;
}

const LOOK_MS = 250;

/**
 * Guards the bot of a configuration until the signal comes.
 * @throws UsageError when it has no venue, or its files cannot be written; LockHeldError while another guard runs
 */
export async function runGuard(run: GuardRun): Promise<GuardEnd> {
  const { settings, clock, tell, signal } = run;
  requireOneShard(settings, run.file);
  const venue = outsideVenueOf(settings, run.file);
  begun(run, () => makeFolder(join(settings.stateDir, 'accounts')));
  let paths = accountPaths(settings, venue, knownAccount(settings, venue));
  const budget = guardBudgetOf(ofShard(settings), () => paths.guardSpending, clock);
  const rest = openGuardVenue({ settings, venue, budget, clock, signal });
  const keys = new KeyCheck({ rest, budget, clock, tell });
  let end: GuardEnd = 'idle';
  try {
    while (!signal.aborted) {
      const account = await accountOf(run, venue, keys);
      if (account === null) break;
      paths = accountPaths(settings, venue, account);
      end = await guardAccount(run, { venue, account, paths, rest, keys });
    }
    return end;
  } finally {
    await rest.close();
  }
}

/** @throws UsageError where nobody knows which shard is to be guarded, or its next process withdraws what the last one left */
function requireOneShard({ sharding }: BotSettings, file: string): void {
  if (sharding === null) return;
  if (sharding.lease !== null)
    throw new UsageError(
      `${file} leases its shards: the process that takes a shard over cancels what the last one left, and a guard would ` +
        'cancel the orders of both. Run one process more than there are shards instead',
    );
  if (sharding.shard !== null) return;
  throw new UsageError(
    `${file} divides the account among ${sharding.of} shards, and each needs a guard of its own: oddsmith guard ${file} --shard 1`,
  );
}

/** Waits for the account of the bot's key, from the bot's state or the venue. @returns null after a signal */
async function accountOf(
  { settings, clock, tell, signal }: GuardRun,
  venue: VenueSettings,
  keys: KeyCheck,
): Promise<AccountId | null> {
  for (let isTold = false; !signal.aborted; isTold = true) {
    keys.review();
    const known = knownAccount(settings, venue);
    if (known !== null) return known;
    if (keys.account !== null) {
      const publicKey = settings.guard.publicKey ?? venue.publicKey;
      learnAccount(settings, { ...venue, publicKey }, keys.account);
      return keys.account;
    }
    if (!isTold) tell({ kind: 'waiting' });
    await pauseFor(clock, LOOK_MS, signal);
  }
  return null;
}

interface GuardedAccount {
  readonly venue: VenueSettings;
  readonly account: AccountId;
  readonly paths: StatePaths;
  readonly rest: RestClient;
  readonly keys: KeyCheck;
}

async function guardAccount(run: GuardRun, guarded: GuardedAccount): Promise<GuardEnd> {
  const { settings, clock, tell, signal } = run;
  const { venue, account, paths, rest, keys } = guarded;
  const what = `the guard of ${venue.name}, account ${account}`;
  const lock = begun(run, () => acquireLock(paths.guardLock, what));
  try {
    tell({ kind: 'guarding', path: paths.folder });
    const guard = new Guard({
      paths,
      hasMoved: () => {
        const now = knownAccount(settings, venue) ?? account;
        return accountPaths(settings, venue, now).folder !== paths.folder;
      },
      silenceMs: settings.guard.silenceMs,
      windowMs: clockWindowMsOf(venue),
      // Those of the run that is withdrawn, which may have begun after the guard.
      get markets() {
        return guardedMarkets(settings, run.file, paths);
      },
      rest,
      keys,
      work: () => workIn(readOpenWork(paths.journal), rest.wire.venueAhead),
      clock,
      tell,
    });
    return await guard.run(signal);
  } finally {
    lock.release();
  }
}

/** @throws UsageError with advice when the file system refuses */
function begun<Result>({ settings, file }: GuardRun, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw startFailure(error, { who: 'guard', settings, file });
  }
}
