import { LatchFile } from '../../runtime/latch-file.js';
import { acquireLock, type Lock } from '../../runtime/lock-file.js';
import type { Clock } from '../../ports/clock.js';
import type { BotSettings } from '../../settings/index.js';
import { copyHeartbeat } from '../../runtime/heartbeat-file.js';
import type { RestClient } from '../../venue/rest/rest-client.js';
import { clockWindowMsOf } from '../engine-options.js';
import { startFailure } from '../start-failure.js';
import { statePathsOf } from '../state-paths.js';
import { Guard, type GuardEnd } from './guard.js';
import type { GuardNews } from './guard-news.js';
import { guardShareOf, openGuardedVenue, outsideVenueOf, tradedMarketsOf } from './guarded-venue.js';

export interface GuardRun {
  readonly settings: BotSettings;
  /** Of the configuration, for messages. */
  readonly file: string;
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
  readonly signal: AbortSignal;
}

interface OpenedGuard {
  readonly lock: Lock;
  readonly rest: RestClient;
  readonly guard: Guard;
}

/**
 * Guards the bot of a configuration until the signal comes.
 * @throws UsageError when it has no venue, or its files cannot be written; LockHeldError when another guard does
 */
export async function runGuard(run: GuardRun): Promise<GuardEnd> {
  const { lock, rest, guard } = opened(run);
  try {
    return await guard.run(run.signal);
  } finally {
    lock.release();
    await rest.close();
  }
}

function opened(run: GuardRun): OpenedGuard {
  try {
    return open(run);
  } catch (error) {
    throw startFailure(error, { who: 'guard', settings: run.settings, file: run.file });
  }
}

function open({ settings, file, clock, tell, signal }: GuardRun): OpenedGuard {
  const venue = outsideVenueOf(settings, file);
  const paths = statePathsOf(settings, venue);
  const lock = acquireLock(paths.guardLock, `the guard of ${venue.name}, key ${venue.publicKey}`);
  const share = guardShareOf(settings, paths.guardSpending, clock);
  const rest = openGuardedVenue({ settings, venue, share, clock, signal });
  const guard = new Guard({
    paths,
    silenceMs: settings.guard.silenceMs,
    windowMs: clockWindowMsOf(venue),
    markets: tradedMarketsOf(settings),
    rest,
    share,
    clock,
    tell,
  });
  return { lock, rest, guard };
}

/**
 * A person has looked and clears the fence; the heartbeat of the bot that fell silent raises no other.
 * @returns whether one stood
 * @throws UsageError when the configuration has no venue
 */
export function clearFence(settings: BotSettings, file: string): boolean {
  const paths = statePathsOf(settings, outsideVenueOf(settings, file));
  copyHeartbeat(paths.heartbeat, paths.accepted);
  return new LatchFile(paths.fence).clear();
}
