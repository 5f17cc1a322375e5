/** The account of a paper bot: live public data of the venue of its file, and a simulated venue that fills its orders. */
import { UsageError, VenueUnreachableError } from '../../domain/errors.js';
import { accountId, eventId } from '../../domain/ids.js';
import { accountId as listedAccount } from '../../exchange/contract/ids.js';
import { accountConfig, exchangeConfig } from '../../exchange/defaults.js';
import type { ExchangeConfig } from '../../exchange/contract.js';
import type { StatePaths } from '../../ops/state/account-folder.js';
import type { Metrics } from '../../ops/telemetry/metrics.js';
import { type BotSettings, paperScenarioOf, type VenueSettings } from '../../settings/index.js';
import { clientOf } from '../../venues/futuur/requests.js';
import { PusherFeed } from '../../venues/futuur/realtime/feed.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import type { LatencyModel } from '../../venues/simulated/models/latency.js';
import type { Feed, VenueClient } from '../../venues/port.js';
import type { PaperEvent } from '../../venues/simulated/event-commands.js';
import { PaperVenue } from '../../venues/simulated/paper-venue.js';
import { latencyOf, liquidityOf } from '../backtest/scenario-session.js';
import type { Identity } from '../live/account.js';
import { type BotOptions, openPublicRest } from '../live/connections.js';
import { tickUnitsOf } from '../live/engine-options.js';
import type { VenueDoor } from '../live/live-door.js';
import { PaperState } from './paper-state.js';

/** The only account of the simulated venue. */
const ACCOUNT = listedAccount(1);
/** What the simulated exchange remembers. */
const RETENTION = { orders: 1_000, trades: 1_000, wagerActions: 1_000, priceSamples: 0 } as const;
const IDEMPOTENCY = { keptMs: 60_000, bytes: 1 << 16 } as const;
/** Price units of a market whose grid is not known. */
const FINEST_TICK = 1;

/** What a paper bot hears of the real venue. */
export interface PublicSide {
  readonly feed: Feed;
  readonly client: VenueClient;
  /** @throws VenueUnreachableError */
  readonly event: RestClient['event'];
}

/** The simulated venue of a paper account. @param state of its folder */
export async function openPaperVenue(
  options: Pick<BotOptions, 'settings' | 'venue' | 'clock' | 'random' | 'logger'>,
  side: PublicSide,
  state: PaperState,
  onChange: () => void,
): Promise<PaperVenue> {
  const { settings, venue, clock, random, logger } = options;
  const { paper, currencyMode: mode } = settings;
  const fills = paper.scenarios[paperScenarioOf(settings)];
  const exchange = exchangeOf(options);
  const snapshot = state.load(exchange, ACCOUNT, clock.now());
  const paperVenue = new PaperVenue({
    ...side,
    clock,
    mode,
    exchange,
    ...(snapshot !== null && { snapshot }),
    account: ACCOUNT,
    events: paperEventsOf(settings, venue),
    liquidity: liquidityOf(fills),
    crossing: fills.crossing,
    staleMs: venue.bookCacheMs,
    latency: behindTheFeed(latencyOf(paper.latency, random.fork('paper latency'))),
    timeoutMs: venue.requestTimeoutMs,
    onChange,
    onFault: (text) => logger.warn(text),
  });
  for (const { id } of settings.events) {
    const outcome = await side.event(eventId(id), tickUnitsOf(settings));
    if (!outcome.ok) throw unread(id, venue.baseUrl, outcome.failure);
    paperVenue.learn(outcome.value);
  }
  return paperVenue;
}

/** Events of the file for the simulated venue. */
const paperEventsOf = (
  { events }: Pick<BotSettings, 'events'>,
  { minAmount, maxAmount }: Pick<VenueSettings, 'minAmount' | 'maxAmount'>,
): readonly PaperEvent[] =>
  events.map(({ id, markets }) => ({
    id: eventId(id),
    minAmount,
    maxAmount,
    markets: markets.map((market) => ({
      id: market.id,
      tickUnits: market.tickSize === 'auto' ? FINEST_TICK : market.tickSize,
    })),
  }));

/**
 * What the venue tells has travelled already when the simulated venue hears it: a request meets a book that is younger by
 * that way than the one at which it was aimed.
 */
const behindTheFeed = (latency: LatencyModel): LatencyModel => ({
  feed: () => 0,
  request: () => latency.request() + latency.feed(),
  response: () => Math.max(0, latency.response() - latency.feed()),
});

function exchangeOf({ settings, venue }: Pick<BotOptions, 'settings' | 'venue'>): ExchangeConfig {
  const { paper, currency } = settings;
  return exchangeConfig({
    duplicateWindowMs: paper.duplicateWindowMs,
    processingDelayMs: paper.processingDelayMs,
    fees: venue.fees,
    idempotency: IDEMPOTENCY,
    retention: RETENTION,
    accounts: [
      accountConfig({ id: ACCOUNT, username: paper.account, balances: { [currency]: paper.balance } }),
    ],
    events: [],
  });
}

type Failure = Extract<Awaited<ReturnType<RestClient['event']>>, { readonly ok: false }>['failure'];

function unread(id: string, address: string, failure: Failure): Error {
  if (failure.kind === 'refused' && failure.status === NOT_FOUND)
    return new UsageError(`event ${id} is not known at ${address}; look at the events of the file`);
  const reason = failure.kind === 'refused' ? `${failure.status} ${failure.code}` : failure.reason;
  return new VenueUnreachableError(`event ${id} cannot be read at ${address}: ${reason}`);
}

const NOT_FOUND = 404;
/** Time from one save of the account to the next, in times that one takes. */
const SAVE_SHARE = 20;

export class PaperDoor implements VenueDoor {
  readonly #rest: RestClient;
  #state: PaperState | null = null;
  #venue: PaperVenue | null = null;
  #isChanged = false;
  #isFailing = false;
  /** Monotonic. */
  #saveAt = 0;

  constructor(
    private readonly options: BotOptions,
    metrics: Metrics,
  ) {
    this.#rest = openPublicRest(options.venue, options.clock, metrics.observeRequest);
  }

  /** Asks nobody. */
  identify(): Promise<Identity> {
    const { account } = this.options.settings.paper;
    return Promise.resolve({ id: accountId(account), username: account, calls: 0 });
  }

  async open({ folder }: StatePaths): Promise<{ readonly feed: Feed; readonly client: VenueClient }> {
    const { settings, venue, clock, random, logger } = this.options;
    const state = (this.#state = new PaperState(folder));
    const feed = new PusherFeed({
      address: venue.realtime,
      events: settings.events.map(({ id }) => eventId(id)),
      account: null,
      clock,
      random: random.fork('reconnects'),
    });
    const side: PublicSide = {
      feed,
      client: clientOf(this.#rest.wire),
      event: (id, ticks) => this.#rest.event(id, ticks),
    };
    this.#venue = await openPaperVenue(this.options, side, state, () => (this.#isChanged = true));
    const facts = { account: settings.paper.account, scenario: paperScenarioOf(settings), folder };
    logger.info('PAPER: orders go to a simulated venue; nothing is sent to the real one', facts);
    return { feed: this.#venue, client: this.#venue };
  }

  follow(settings: BotSettings): void {
    this.#venue?.trade(paperEventsOf(settings, this.options.venue));
  }

  /** The orders end with the process. */
  withdraw(): Promise<void> {
    return Promise.resolve();
  }

  /** With many markets less often: a save may take a twentieth of the time. */
  beat(): void {
    if (this.options.clock.monotonic() >= this.#saveAt) this.settle();
  }

  settle(): void {
    if (!this.#isChanged || this.#venue === null) return;
    const { clock } = this.options;
    const begun = clock.monotonic();
    this.#isChanged = false;
    try {
      this.#state!.save(this.#venue.snapshot());
      this.#isFailing = false;
      this.#saveAt = begun + SAVE_SHARE * (clock.monotonic() - begun);
    } catch (error) {
      this.#isChanged = true;
      if (!this.#isFailing)
        this.options.logger.error('the paper account cannot be written; it is tried again', { err: error });
      this.#isFailing = true;
    }
  }

  close(): Promise<void> {
    this.settle();
    this.#venue?.stop();
    if (this.#venue !== null)
      this.options.logger.info('PAPER: the account is kept for the next run', { path: this.#state!.path });
    return this.#rest.close();
  }
}
