import { LatchFile } from '../../runtime/latch-file.js';
import { readOpenWork } from '../../runtime/journal-reader.js';
import { workIn } from '../../execution/orders/left-behind.js';
import { acquireLock, type Lock } from '../../runtime/lock-file.js';
import type { Clock } from '../../ports/clock.js';
import type { BotSettings } from '../../settings/index.js';
import { copyHeartbeat } from '../../runtime/heartbeat-file.js';
import type { RestClient } from '../../venue/rest/rest-client.js';
import { clockWindowMsOf } from '../engine-options.js';
import { startFailure } from '../start-failure.js';
import { statePathsOf } from '../state-paths.js';
import { FenceProof } from './fence-proof.js';
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
    work: () => workIn(readOpenWork(paths.journal), rest.wire.venueAhead),
    clock,
    tell,
  });
  return { lock, rest, guard };
}

/** What became of a fence that a person clears. */
export type FenceClearing =
  | 'cleared'
  /** None stood. */
  | 'none'
  /** It stands: no guard has proved yet that nothing of the bot is left behind it. */
  | 'unproved';

/**
 * A person has looked and clears the fence; the heartbeat of the bot that fell silent raises no other. One that beats no
 * more while no fence stands is left to the guard, which may not have noticed yet.
 * @param even `unproved`: although no guard has proved that nothing is left
 * @throws UsageError when the configuration has no venue; an error of the file system
 */
export function clearFence(
  settings: Pick<BotSettings, 'stateDir' | 'currencyMode' | 'venue'>,
  file: string,
  even: 'proved' | 'unproved' = 'proved',
): FenceClearing {
  const paths = statePathsOf(settings, outsideVenueOf(settings, file));
  const fence = new LatchFile(paths.fence);
  const proof = new FenceProof(paths.proof, fence);
  if (!fence.isUp) return 'none';
  if (even === 'proved' && !proof.holds) return 'unproved';
  copyHeartbeat(paths.heartbeat, paths.accepted);
  fence.clear();
  proof.takeBack();
  return 'cleared';
}
