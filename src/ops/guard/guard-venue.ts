/** Connects a guard or an operator's command to the venue, with its own request budget. */
import { OddsmithError, UsageError } from '../../domain/errors.js';
import { eventId, marketId } from '../../domain/ids.js';
import type { Clock } from '../../core/ports/clock.js';
import { traded } from '../../runs/live/live-door.js';
import { type BotSettings, loadKeylessSettings, ofShard, type VenueSettings } from '../../settings/index.js';
import { RestClient } from '../../venues/futuur/rest/rest-client.js';
import { openTransport, type Transport } from '../../venues/futuur/rest/transport.js';
import type { StatePaths } from '../state/account-folder.js';
import { withKeptSelection } from '../state/selection-file.js';
import { pauseFor } from '../../storage/clocks/pause.js';
import { GuardBudget } from './guard-budget.js';
import type { TradedMarket } from './withdrawal.js';

const CONNECTIONS = 2;
const ANSWER_BYTES = 16 * 1_048_576;

export interface GuardVenueOptions {
  readonly settings: Pick<BotSettings, 'guard'>;
  readonly venue: VenueSettings;
  readonly budget: GuardBudget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Request budget that a guard and an operator's commands share. @param path file of the counts, asked for each time */
export const guardBudgetOf = (
  { guard }: Pick<BotSettings, 'guard'>,
  path: () => string,
  clock: Clock,
): GuardBudget =>
  new GuardBudget(path, { perMinute: guard.requestsPerMinute, perDay: guard.requestsPerDay }, clock);

/** Signs with the guard's own key, if it has one. */
export function openGuardVenue({ settings, venue, budget, clock, signal }: GuardVenueOptions): RestClient {
  const { guard } = settings;
  const { origin } = new URL(venue.baseUrl);
  const transport = openTransport({ origin, connections: CONNECTIONS, answerBytes: ANSWER_BYTES });
  const { publicKey, privateKey } =
    guard.publicKey !== null && guard.privateKey !== null
      ? { publicKey: guard.publicKey, privateKey: guard.privateKey }
      : venue;
  return new RestClient({
    baseUrl: venue.baseUrl,
    credentials: { publicKey, privateKey },
    nested: venue.signing.nested,
    timeoutMs: venue.requestTimeoutMs,
    clock,
    observe: () => undefined,
    transport: pacedTransport(transport, { budget, clock, signal }),
  });
}

/** Every configured market, whether it is quoted or not. */
export const tradedMarketsOf = ({ events }: BotSettings): readonly TradedMarket[] =>
  events.flatMap(({ id, markets }) =>
    markets.map((market) => ({
      eventId: eventId(id),
      marketId: marketId(market.id),
      ownership: market.ownership,
    })),
  );

/**
 * Markets that a bot of the account may have orders in: those of the file as the guard read it and as it is now, because a
 * running bot takes over its file, and those that its run chose. A file that cannot be read now adds none.
 */
export const guardedMarkets = (
  settings: BotSettings,
  file: string,
  paths: Pick<StatePaths, 'selection'>,
): readonly TradedMarket[] =>
  tradedMarketsOf(
    ofShard(withKeptSelection({ ...settings, events: traded(settings.events, eventsNow(file)) }, [paths])),
  );

function eventsNow(file: string): BotSettings['events'] {
  try {
    return loadKeylessSettings(file, process.env).settings.events;
  } catch (error) {
    if (error instanceof OddsmithError) return [];
    throw error;
  }
}

/** @throws UsageError for a configuration that starts its own exchange, because that exchange ends with the bot */
export function outsideVenueOf({ venue }: Pick<BotSettings, 'venue'>, file: string): VenueSettings {
  if (venue !== null) return venue;
  throw new UsageError(
    `${file} has no venue: its exchange ends with the bot, and no order outlives it that could be withdrawn`,
  );
}

/** Reason of a request that was still waiting at the end. */
export const ENDING = 'ending';

export interface Pacing {
  readonly budget: Pick<GuardBudget, 'take'>;
  readonly clock: Clock;
  /** Stops requests that are still waiting. */
  readonly signal: AbortSignal;
}

/**
 * Sends one request at a time and within the budget. A request over the budget waits. Only the signal drops requests.
 */
export function pacedTransport(transport: Transport, { budget, clock, signal }: Pacing): Transport {
  let turn: Promise<unknown> = Promise.resolve();
  /** @returns whether it may leave */
  const allowed = async (): Promise<boolean> => {
    for (let wait = budget.take(); wait > 0; wait = budget.take()) {
      if (signal.aborted) return false;
      await pauseFor(clock, Math.ceil(wait / 1_000), signal);
    }
    return true;
  };
  return {
    send: (request) => {
      const sent = turn
        .then(allowed)
        .then((mayLeave) =>
          mayLeave ? transport.send(request) : { kind: 'not-sent' as const, reason: ENDING },
        );
      turn = sent.catch(() => undefined);
      return sent;
    },
    close: () => transport.close(),
  };
}
