/** The account of a bot at the venue of its file: whose keys it has, what it hears and where its requests go. */
import { eventId, marketId } from '../../domain/ids.js';
import { accountPaths, knownAccount } from '../../ops/state/account-folder.js';
import { KeptSilence } from '../../ops/state/spending-file.js';
import type { Logger } from '../../ops/telemetry/logger.js';
import type { Metrics } from '../../ops/telemetry/metrics.js';
import type { StatePaths } from '../../ops/state/account-folder.js';
import type { BotSettings } from '../../settings/index.js';
import { clientOf } from '../../venues/futuur/requests.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import type { Feed, VenueClient } from '../../venues/port.js';
import type { RunRecorder } from '../recording/run-recorder.js';
import { identify, type Identity } from './account.js';
import { type BotOptions, openFeed, openRest } from './connections.js';

/** Where a bot trades. */
export interface VenueDoor {
  /** The first question of every run. @throws KeysRefusedError, VenueUnreachableError */
  identify(): Promise<Identity>;
  /** The folder of the account is locked. @throws VenueUnreachableError, StateUnreadableError */
  open(paths: StatePaths): Promise<{ readonly feed: Feed; readonly client: VenueClient }>;
  /** Withdraws for a bot whose engine cannot be asked any more. */
  withdraw(): Promise<void>;
  /** These events and markets are traded from now on. */
  follow(settings: BotSettings): void;
  /** Several times a second. */
  beat(): void;
  /** The last word of the engine; the folder of the account is still locked. */
  settle(): void;
  close(): Promise<void>;
}

export class LiveDoor implements VenueDoor {
  readonly #rest: RestClient;
  #account: Identity | null = null;
  #settings: BotSettings;

  constructor(
    private readonly options: BotOptions,
    metrics: Metrics,
    private readonly recorder: RunRecorder | null,
  ) {
    this.#rest = openRest(options.venue, options.clock, metrics, recorder);
    this.#settings = options.settings;
  }

  async identify(): Promise<Identity> {
    const { settings, venue, clock, logger } = this.options;
    const { spending } = accountPaths(settings, venue, knownAccount(settings, venue));
    const silence = new KeptSilence(spending, clock, logger);
    this.#account = await identify(this.#rest, silence, venue.baseUrl);
    logger.info('the venue knows the keys', { account: this.#account.id });
    return this.#account;
  }

  open(): ReturnType<VenueDoor['open']> {
    const { recorder } = this;
    const feed = openFeed(this.options, {
      rest: this.#rest,
      account: this.#account!.id,
      ...(recorder !== null && { onFrame: (frame, input) => recorder.frame(frame, input) }),
    });
    return Promise.resolve({ feed, client: clientOf(this.#rest.wire) });
  }

  /** Markets that left are withdrawn, too, if it comes to that. */
  follow(settings: BotSettings): void {
    this.#settings = { ...settings, events: traded(this.#settings.events, settings.events) };
  }

  withdraw(): Promise<void> {
    return withdrawExclusiveMarkets(this.#settings, this.#rest, this.options.logger);
  }

  beat(): void {
    // The venue keeps its own books.
  }

  settle(): void {
    // As above.
  }

  close(): Promise<void> {
    return this.#rest.close();
  }
}

/** Events and markets of both, each once, as the later ones state them. */
export function traded(before: BotSettings['events'], now: BotSettings['events']): BotSettings['events'] {
  const known = new Map(before.map((event) => [event.id, event]));
  for (const event of now) {
    const left = known.get(event.id)?.markets.filter(({ id }) => !event.markets.some((one) => one.id === id));
    known.set(event.id, { ...event, markets: [...event.markets, ...(left ?? [])] });
  }
  return [...known.values()];
}

/**
 * Cancels every market that is ours alone, one after the other, for a bot whose engine cannot be asked any more. Shared
 * markets are left alone: without the engine nobody knows which orders there are ours.
 * @param logger told of each market in which orders may remain
 */
export async function withdrawExclusiveMarkets(
  { events }: Pick<BotSettings, 'events'>,
  rest: Pick<RestClient, 'cancelScope'>,
  logger: Pick<Logger, 'error'>,
): Promise<void> {
  for (const event of events)
    for (const market of event.markets.filter(({ ownership }) => ownership === 'exclusive')) {
      const scope = { kind: 'market', eventId: eventId(event.id), marketId: marketId(market.id) } as const;
      const outcome = await rest.cancelScope(scope);
      if (!outcome.ok)
        logger.error('orders may remain in this market', {
          marketId: scope.marketId,
          failure: outcome.failure,
        });
    }
}
