/** The venue as a guard and an operator's commands reach it: a connection of their own, at a pace of their own. */
import { UsageError } from '../../domain/errors.js';
import { eventId, marketId } from '../../domain/ids.js';
import type { Clock } from '../../core/ports/clock.js';
import type { BotSettings, VenueSettings } from '../../settings/index.js';
import { RestClient } from '../../venues/futuur/rest/rest-client.js';
import { openTransport } from '../../venues/futuur/rest/transport.js';
import type { TradedMarket } from './clearance.js';
import { GuardShare } from './guard-share.js';
import { pacedTransport } from './paced-transport.js';

const CONNECTIONS = 2;
const ANSWER_BYTES = 16 * 1_048_576;

export interface GuardedVenueOptions {
  readonly settings: Pick<BotSettings, 'guard'>;
  readonly venue: VenueSettings;
  readonly share: GuardShare;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What a guard and an operator's commands may send together. @param path where it is kept */
export const guardShareOf = ({ guard }: Pick<BotSettings, 'guard'>, path: string, clock: Clock): GuardShare =>
  new GuardShare(path, { perMinute: guard.requestsPerMinute, perDay: guard.requestsPerDay }, clock);

/** Signs with the guard's own key where there is one. */
export function openGuardedVenue({ settings, venue, share, clock, signal }: GuardedVenueOptions): RestClient {
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
    transport: pacedTransport(transport, { share, clock, signal }),
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

/** @throws UsageError for a configuration that runs its own exchange, which ends with it */
export function outsideVenueOf({ venue }: Pick<BotSettings, 'venue'>, file: string): VenueSettings {
  if (venue !== null) return venue;
  throw new UsageError(
    `${file} has no venue: its exchange ends with the bot, and no order outlives it that could be withdrawn`,
  );
}
