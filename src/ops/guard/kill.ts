/** What an operator does to a bot from outside: the kill switch by command. */
import { type JournalWork, workIn } from '../../core/execution/orders/left-behind.js';
import type { Clock } from '../../core/ports/clock.js';
import type { BotSettings } from '../../settings/index.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import { clockWindowMsOf } from '../../runs/live/engine-options.js';
import { openWorkAtVenue } from '../state/other-journals.js';
import { statePathsOf, venueLocksOf } from '../state/state-paths.js';
import { proveAccountEmpty } from './account-wide.js';
import { Clearance } from './clearance.js';
import type { GuardNews } from './guard-news.js';
import { type KillLatchOptions, latchBotsElsewhere, latchKill } from './kill-latch.js';
import { LastAsked } from './last-asked.js';
import { guardShareOf, openGuardedVenue, outsideVenueOf, tradedMarketsOf } from './guarded-venue.js';

export interface KillOptions {
  readonly settings: BotSettings;
  /** Of the configuration, for messages. */
  readonly file: string;
  /** `account-wide` takes the orders of other programs and of hands, too. */
  readonly reach: 'configuration' | 'account-wide';
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
  readonly signal: AbortSignal;
}

/**
 * Latches the kill switch of a configuration, for the bot that runs and for the next that starts, withdraws everything
 * and proves it.
 * @returns whether it is proved; false when the signal came before
 * @throws UsageError when the configuration has no venue
 */
export async function killFromOutside(options: KillOptions): Promise<boolean> {
  const { settings, file, reach, clock, tell, signal } = options;
  const venue = outsideVenueOf(settings, file);
  const paths = statePathsOf(settings, venue);
  const latched = latchKill(paths, venueLocksOf(settings, venue), options);
  const share = guardShareOf(settings, paths.guardSpending, clock);
  const rest = openGuardedVenue({ settings, venue, share, clock, signal });
  try {
    const { away, holds } = await botsElsewhere({ settings, venue, rest, clock, tell });
    if (latched !== null) tell({ kind: 'kill-latched', path: latched, holds });
    const windowUs = clockWindowMsOf(venue) * 1_000;
    const work = (): JournalWork => {
      const { records, tended } = openWorkAtVenue(paths, settings, venue, away);
      return workIn(records, rest.wire.venueAhead, tended);
    };
    if (reach === 'account-wide') {
      const lookUntil = lookUntilOf(work, windowUs, clock);
      return await proveAccountEmpty({ rest, lookUntil, clock, tell, signal });
    }
    const clearance = clearanceOf(options, rest, work, windowUs);
    return (await clearance.run(signal)) && !clearance.leavesDoubt;
  } finally {
    await rest.close();
  }
}

/** What cannot be read of bots elsewhere is said; it keeps nothing from being withdrawn. */
async function botsElsewhere(options: KillLatchOptions): ReturnType<typeof latchBotsElsewhere> {
  try {
    return await latchBotsElsewhere(options);
  } catch (error) {
    options.tell({ kind: 'disk', error: error as Error });
    return { away: [], holds: 'bot' };
  }
}

function clearanceOf(
  { settings, clock, tell }: KillOptions,
  rest: RestClient,
  work: () => JournalWork,
  windowUs: number,
): Clearance {
  const asked = new LastAsked(windowUs, clock);
  return new Clearance({
    rest,
    markets: tradedMarketsOf(settings),
    work,
    lookUntil: (found) => asked.mayActUntil(found),
    windowUs,
    clock,
    tell,
  });
}

/** What a journal that cannot be read would name may have been signed until now. */
function lookUntilOf(work: () => JournalWork, windowUs: number, clock: Clock): () => number {
  const begunAt = clock.monotonic();
  const asked = new LastAsked(windowUs, clock);
  return () => {
    try {
      return asked.mayActUntil(work());
    } catch {
      return begunAt + windowUs;
    }
  };
}
