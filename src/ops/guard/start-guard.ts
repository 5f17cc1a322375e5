import { readOpenWork } from '../../storage/journal/journal-file.js';
import { workIn } from '../../core/execution/orders/left-behind.js';
import type { Clock } from '../../core/ports/clock.js';
import type { BotSettings } from '../../settings/index.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import { clockWindowMsOf } from '../../runs/live/engine-options.js';
import { startFailure } from '../../runs/live/start-failure.js';
import { statePathsOf } from '../state/state-paths.js';
import { Guard, type GuardEnd } from './guard.js';
import type { GuardNews } from './guard-news.js';
import { guardShareOf, openGuardedVenue, outsideVenueOf, tradedMarketsOf } from './guarded-venue.js';
import { Whereabouts } from './whereabouts.js';

export interface GuardRun {
  readonly settings: BotSettings;
  /** Of the configuration, for messages. */
  readonly file: string;
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
  readonly signal: AbortSignal;
}

interface OpenedGuard {
  readonly whereabouts: Whereabouts;
  readonly rest: RestClient;
  readonly guard: Guard;
}

/**
 * Guards the bot of a configuration until the signal comes.
 * @throws UsageError when it has no venue, or its files cannot be written; LockHeldError when another guard does
 */
export async function runGuard(run: GuardRun): Promise<GuardEnd> {
  const { whereabouts, rest, guard } = opened(run);
  try {
    return await guard.run(run.signal);
  } finally {
    whereabouts.release();
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
  const whereabouts = new Whereabouts({ settings, venue, tell });
  const share = guardShareOf(settings, paths.guardSpending, clock);
  const rest = openGuardedVenue({ settings, venue, share, clock, signal });
  const guard = new Guard({
    paths,
    elsewhere: (account) => whereabouts.now(account),
    silenceMs: settings.guard.silenceMs,
    windowMs: clockWindowMsOf(venue),
    markets: tradedMarketsOf(settings),
    rest,
    share,
    work: ({ journal }) => workIn(readOpenWork(journal), rest.wire.venueAhead),
    clock,
    tell,
  });
  return { whereabouts, rest, guard };
}
