/** What a bot is connected to: its REST client, its feed, the tape that both are written to, and its journal. */
import { type AccountId, eventId } from '../../domain/ids.js';
import type { Clock } from '../../core/ports/clock.js';
import { FileJournal, type OpenedJournal } from '../../storage/journal/file-journal.js';
import type { VenueSettings } from '../../settings/index.js';
import type { TapeWriteError } from '../../storage/index.js';
import type { Metrics } from '../../ops/telemetry/metrics.js';
import { PusherFeed, type PusherFeedOptions } from '../../venues/futuur/realtime/feed.js';
import { RestClient } from '../../venues/futuur/rest/rest-client.js';
import type { BotOptions } from '../../ops/state/options.js';
import { RunRecorder } from '../recording/run-recorder.js';

/** Opens the folder that the run is recorded in; a fault of the tape is logged and stops the tape alone. */
export function openRecorder(options: BotOptions): RunRecorder {
  const { logger } = options;
  const onFault = (error: TapeWriteError): void =>
    logger.error(`${error.message}; the run goes on without a tape`, { err: error.cause });
  const recorder = new RunRecorder({ ...options, onFault });
  logger.info('the run is recorded', { folder: recorder.folder });
  return recorder;
}

/** The signing client of one venue; every exchange is observed by the metrics, and taped when the run is. */
export function openRest(
  venue: VenueSettings,
  clock: Clock,
  metrics: Metrics,
  recorder: RunRecorder | null,
): RestClient {
  return new RestClient({
    baseUrl: venue.baseUrl,
    credentials: { publicKey: venue.publicKey, privateKey: venue.privateKey },
    nested: venue.signing.nested,
    timeoutMs: venue.requestTimeoutMs,
    clock,
    observe: metrics.observeRequest,
    ...(recorder !== null && { onExchange: (exchange) => recorder.exchange(exchange) }),
  });
}

/** Who proves what a feed may hear, whose it is, and how it hears that. */
export interface FeedMeans extends Pick<PusherFeedOptions, 'onFrame' | 'open'> {
  readonly rest: Pick<RestClient, 'authorizeChannel'>;
  readonly account: AccountId;
}

/** The realtime feed of all events and of the account, whose private channel the REST client authorises. */
export function openFeed(
  { settings, venue, clock, random }: Pick<BotOptions, 'settings' | 'venue' | 'clock' | 'random'>,
  { rest, account: id, ...hearing }: FeedMeans,
): PusherFeed {
  return new PusherFeed({
    address: venue.realtime,
    events: settings.events.map((event) => eventId(event.id)),
    account: {
      id,
      authorize: async (channel, socketId) => {
        const outcome = await rest.authorizeChannel({ socket_id: socketId, channel_name: channel });
        if (outcome.ok) return { ok: true, auth: outcome.value.auth };
        const { failure } = outcome;
        if (failure.kind !== 'refused') return { ok: false, reason: failure.reason };
        return { ok: false, reason: failure.code, retryAfterMs: failure.retryAfterMs };
      },
    },
    clock,
    random: random.fork('reconnects'),
    ...hearing,
  });
}

/** The journal in its folder, and what it says of earlier runs. @throws JournalError, JournalCorruptError */
export function openJournal({ settings, logger }: BotOptions, dir: string): OpenedJournal {
  const opened = FileJournal.open({
    dir,
    sync: settings.journal.sync,
    onSyncFailure: (error) =>
      logger.error('the journal could not be synced; no order is created any more', { err: error }),
  });
  const { tornBytes } = opened;
  if (tornBytes > 0)
    logger.warn('the journal ended in a torn record, which was cut', { journal: dir, tornBytes });
  return opened;
}
