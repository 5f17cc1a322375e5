/** What a bot opens: its REST client, its feed, the tape that records both, and its journal. */
import { type AccountId, eventId } from '../../domain/ids.js';
import type { Clock } from '../../core/ports/clock.js';
import { FileJournal, type OpenedJournal } from '../../storage/journal/file-journal.js';
import type { BotSettings, Loaded, SettingsSource, VenueSettings } from '../../settings/index.js';
import type { TapeWriteError } from '../../storage/tape/tape-writer.js';
import type { Metrics } from '../../ops/telemetry/metrics.js';
import { PusherFeed, type PusherFeedOptions } from '../../venues/futuur/realtime/feed.js';
import { RestClient } from '../../venues/futuur/rest/rest-client.js';
import type { WireOptions } from '../../venues/futuur/rest/wire.js';
import type { Listener, ListenerOptions } from '../../ops/http/listener.js';
import { AlertDesk } from '../../ops/alerts/alert-desk.js';
import { secretsOf } from '../secrets.js';
import { RunRecorder } from '../recording/run-recorder.js';
import type { Random } from '../../core/ports/random.js';
import type { Logger } from '../../ops/telemetry/logger.js';
import type { Micros } from '../../domain/units.js';
import { JournalError, type JournalFault } from '../../core/ports/journal.js';

/** What a bot on the wire is started with. */
export interface BotOptions {
  readonly settings: BotSettings;
  /** The venue to trade on: of the settings, or the bundled exchange that was started for it. */
  readonly venue: VenueSettings;
  readonly source: SettingsSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly runId: string;
  /** Reads a file anew while the bot runs; left out: as `oddsmith run` does. */
  readonly load?: (file: string) => Promise<Loaded<BotSettings>>;
  /** Why no order may leave, whatever the engine says, such as a lease that is over; null: it may. Left out: nothing. */
  readonly objection?: () => string | null;
  /** Where several bots of one process are heard; left out: this bot has an address of its own. */
  readonly among?: {
    readonly name: string;
    readonly listen: (options: ListenerOptions) => Promise<Listener>;
  };
}

/** Closes what a bot has opened, the last thing first. What fails is logged, and keeps nothing else from being closed. */
export class Closers {
  readonly #closers: (() => unknown)[] = [];

  constructor(private readonly logger: Pick<Logger, 'error'>) {}

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await this.#attempt(close);
  }

  async #attempt(close: () => unknown): Promise<void> {
    try {
      await close();
    } catch (error) {
      this.logger.error('a file of the run could not be closed as it should be', { err: error });
    }
  }
}

/** Opens the folder that the run is recorded in; a fault of the tape is logged and stops the tape alone. */
export function openRecorder(options: BotOptions): RunRecorder {
  const { logger } = options;
  const onFault = (error: TapeWriteError): void =>
    logger.error(`${error.message}; the run goes on without a tape`, { err: error.cause });
  const recorder = new RunRecorder({ ...options, onFault });
  logger.info('the run is recorded', { folder: recorder.folder });
  return recorder;
}

/** A client that signs nothing. @param observe left out: nobody */
export const openPublicRest = (
  { baseUrl, requestTimeoutMs }: Pick<VenueSettings, 'baseUrl' | 'requestTimeoutMs'>,
  clock: Clock,
  observe: WireOptions['observe'] = () => undefined,
): RestClient =>
  new RestClient({
    baseUrl,
    credentials: null,
    nested: 'python',
    timeoutMs: requestTimeoutMs,
    clock,
    observe,
  });

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

/** Who is told of what, by the section `alerts` of the file. */
export const openAlerts = (options: BotOptions): AlertDesk =>
  new AlertDesk({
    ...options,
    venue: options.venue.name,
    secrets: secretsOf(options.settings, options.venue.privateKey),
  });

/** A fault that went on is told again after so long without it. */
const QUIET_US = 60_000_000;

/** Tells a log of faults on the way of requests; what every request meets while a journal takes nothing, once. */
export function toldFaults(clock: Pick<Clock, 'now'>, logger: Pick<Logger, 'error'>): (error: Error) => void {
  const faults = new JournalFaults(clock, logger);
  return (error) => {
    if (error instanceof JournalError) faults.met(error);
    else logger.error('a request met a fault', { err: error });
  };
}

class JournalFaults {
  #fault: JournalFault | null = null;
  #metAt = 0 as Micros;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  met({ fault, message }: JournalError): void {
    const now = this.clock.now();
    const isKnown = fault === this.#fault && now - this.#metAt < QUIET_US;
    this.#fault = fault;
    this.#metAt = now;
    if (isKnown) return;
    this.logger.error(
      `the journal takes no record: ${message}. Cancels leave, no order is created; ${ADVICE[fault]}`,
    );
  }
}

const UNTIL_IT_DOES = 'once it takes records again, orders are';
const ADVICE: Readonly<Record<JournalFault, string>> = {
  'disk-full': `make room: ${UNTIL_IT_DOES}`,
  'write-failed': `look at the disk: ${UNTIL_IT_DOES}`,
  'sync-failed': 'look at the disk, then start the bot again: until then none is',
  removed:
    'stop the bot, which withdraws everything and proves it, and start it again (or put the folder back as it was): ' +
    'after a crash no start would know what stands',
  closed: 'the run is ending',
};
