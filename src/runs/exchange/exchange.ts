/** The bundled exchange as a running service: core, wire, participants. */
import { addPage, EXCHANGE_PAGE } from '../../ops/http/page.js';
import { randomBytes } from 'node:crypto';
import type { Micros, Money } from '../../domain/units.js';
import type {
  Command,
  AccountConfig,
  EventConfig,
  ExchangeConfig,
  MarketConfig,
} from '../../exchange/contract.js';
import { Exchange } from '../../exchange/exchange.js';
import { type Participant, Stage } from '../../exchange/participants/index.js';
import type { Clock } from '../../core/ports/clock.js';
import type { CommandLog } from '../../core/ports/command-log.js';
import { JournalError } from '../../core/ports/journal.js';
import type { Logger } from '../../core/ports/logger.js';
import type { Random } from '../../core/ports/random.js';
import { resumedClock } from '../../storage/clocks/system-clock.js';
import type {
  ExchangeServer,
  UsageStore,
  AdminReaders,
  ExchangeServerConfig,
} from '../../exchange-server/index.js';
import {
  type ExchangeSettings,
  type ItemReading,
  keyPairsOf,
  readExchangeEvent,
  readExchangeMarket,
  type ExchangeEventSettings,
  tradingAccounts,
  type VenueSettings,
} from '../../settings/index.js';
import { openDurableExchange, UsageFile } from './durable/durable-exchange.js';
import { participantsOf } from './participants.js';
import { accountId, eventId, marketId } from '../../exchange/contract/ids.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../exchange/defaults.js';
import { UsageError } from '../../domain/errors.js';
import { BUNDLED } from '../../ops/state/account-folder.js';

export interface ExchangeRunOptions {
  readonly settings: ExchangeSettings;
  /** The configuration file: recordings are found from its folder. */
  readonly file: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** What to do when the port is taken: a free one instead, or a PortBusyError. */
  readonly busyPort: 'use-free-one' | 'fail';
  /** When participants begin, recordings included. */
  readonly start: Micros;
}

export interface RunningExchange {
  readonly server: ExchangeServer;
  close(): Promise<void>;
}

/**
 * Starts the exchange with its participants.
 * @throws PortBusyError, ListenError, RecordingError
 */
export async function runExchange(options: ExchangeRunOptions): Promise<RunningExchange> {
  const readParticipants = (start: Micros): readonly Participant[] =>
    participantsOf({ exchange: options.settings, file: options.file, random: options.random, start });
  const early = readParticipants(options.start);
  const core = openCore(options);
  const clock = clockOf(core, options);
  const server = await listen({ ...options, clock }, core).catch(async (error: unknown) => {
    await core.close();
    throw error;
  });
  const { exchange } = core;
  const participants = clock === options.clock ? early : readParticipants(clock.now());
  const stage = new Stage({ participants, exchange, clock, execute: (command) => trade(server, command) });
  server.observe((events) => stage.observe(events));
  stage.start();
  return {
    server,
    close: async () => {
      stage.stop();
      await server.close();
      await core.close();
    },
  };
}

/** What it tells the time by, to everybody and for everything: what has been is not before that. */
function clockOf({ exchange }: Core, { clock, logger }: ExchangeRunOptions): Clock {
  const resumed = resumedClock(clock, exchange.now());
  const aheadS = Math.ceil((resumed.now() - clock.now()) / MICROS_PER_SECOND);
  if (aheadS > 1) logger.warn(AHEAD, { aheadS });
  return resumed;
}

const MICROS_PER_SECOND = 1_000_000;
const AHEAD =
  'the clock was set back since the last command: the exchange goes on from there, slower than time until it is caught ' +
  'up with; clients that do not heed its Date header are refused meanwhile';

/** A trader whose command cannot be stored has not traded. */
function trade(server: ExchangeServer, command: Command): void {
  try {
    server.execute(command);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
}

interface Core {
  readonly exchange: Exchange;
  readonly log: CommandLog<Command> | null;
  readonly snapshots?: () => object;
  readonly usage?: UsageStore;
  close(): Promise<void>;
}

/** With a data folder the exchange goes on where the run before ended. */
function openCore({ settings, logger }: ExchangeRunOptions): Core {
  const { dataDir: dir, snapshotEvery } = settings;
  const config = exchangeConfigOf(settings);
  if (dir === null) return { exchange: new Exchange(config), log: null, close: async () => {} };
  const { exchange, log, snapshots, close } = openDurableExchange({ dir, config, snapshotEvery, logger });
  return { exchange, log, snapshots, close, usage: new UsageFile(dir, logger) };
}

/** A backtest knows the bundled venue, too: the server is loaded by who serves it. */
const loadServer = () => import('../../exchange-server/index.js');
type ServerModule = Awaited<ReturnType<typeof loadServer>>;

async function listen(options: ExchangeRunOptions, core: Core): Promise<ExchangeServer> {
  const { settings } = options;
  const server = await loadServer();
  try {
    return await serve(server, options, core, settings.port);
  } catch (error) {
    if (!(error instanceof server.PortBusyError) || options.busyPort === 'fail') throw error;
    return serve(server, options, core, 0);
  }
}

function serve(
  { startExchangeServer }: ServerModule,
  { settings, clock, random, logger }: ExchangeRunOptions,
  { exchange, log, snapshots, usage }: Core,
  port: number,
): Promise<ExchangeServer> {
  const appSecret = process.env['EXCHANGE_APP_SECRET'] ?? randomBytes(16).toString('hex');
  return startExchangeServer({
    exchange,
    clock,
    random: random.fork('server'),
    logger,
    readers: ADMIN_READERS,
    participants: settings.participants,
    addPage: (listener) => addPage(listener, EXCHANGE_PAGE),
    ...(log === null ? {} : { log }),
    ...(snapshots === undefined ? {} : { snapshots }),
    ...(usage === undefined ? {} : { usage }),
    config: { ...exchangeServerConfigOf(settings, appSecret), port },
  });
}

/**
 * What the wire of the exchange needs of its settings; the core's part is `exchangeConfigOf`.
 * @param appSecret signs private subscriptions; from the environment, or drawn for this run
 */
export const exchangeServerConfigOf = (
  settings: ExchangeSettings,
  appSecret: string,
): ExchangeServerConfig => ({
  host: settings.host,
  port: settings.port,
  appKey: settings.appKey,
  appSecret,
  credentials: settings.accounts.flatMap((account) =>
    keyPairsOf(account).map((pair) => ({ accountId: accountId(account.id), ...pair })),
  ),
  adminToken: settings.adminToken,
  clockWindowS: settings.clockWindowS,
  rateLimit: settings.rateLimit,
  bookCacheMs: settings.bookCacheMs,
  channelsPerConnection: settings.channelsPerConnection,
  nested: settings.signing.nested,
  faults: settings.faults,
});

/** Events and markets that administrators add have the keys of the file. */
export const ADMIN_READERS: AdminReaders = {
  event: (input) => mapped(readExchangeEvent(input), eventConfigOf),
  market: (input) => mapped(readExchangeMarket(input), marketConfigOf),
};

const mapped = <Settings, Value>(
  reading: ItemReading<Settings>,
  translate: (settings: Settings) => Value,
): ItemReading<Value> => (reading.ok ? { ok: true, value: translate(reading.value) } : reading);

type AccountSettings = ExchangeSettings['accounts'][number];

/** What the core of the exchange needs of its settings; listeners, keys and faults stay with the server. */
export const exchangeConfigOf = (settings: ExchangeSettings): ExchangeConfig =>
  exchangeConfig({
    duplicateWindowMs: settings.duplicateWindowMs,
    processingDelayMs: settings.processingDelayMs,
    fees: settings.fees,
    accounts: [...settings.accounts, ...standInsOf(settings)].map(accountConfigOf),
    events: settings.events.map(eventConfigOf),
  });

/** Accounts like those that the file names, funded as they are. They have no keys: nobody signs as one of them. */
const standInsOf = ({ accounts, participants }: ExchangeSettings): readonly AccountSettings[] =>
  tradingAccounts(participants).flatMap((trading) => {
    const account = accounts.find(({ id }) => id === trading?.named);
    if (trading === null || account === undefined || trading.id === account.id) return [];
    return [{ ...account, id: trading.id, username: `${account.username}-${trading.ordinal}`, email: null }];
  });

function accountConfigOf(account: AccountSettings): AccountConfig {
  const { publicKey: _publicKey, privateKey: _privateKey, keys: _keys, email, ...rest } = account;
  return accountConfig({
    ...rest,
    id: accountId(account.id),
    following: account.following.map(accountId),
    ...(email === null ? {} : { email }),
  });
}

/** An event of the file, or of the admin interface, in the exchange's own terms. */
function eventConfigOf(event: ExchangeEventSettings): EventConfig {
  const { slug, isBinary, category } = event;
  return eventConfig({
    id: eventId(event.id),
    title: event.title,
    description: event.description,
    resolutionMode: event.resolutionMode,
    betStart: event.betStartDate,
    betEnd: event.betEndDate,
    eventStart: event.eventStartDate,
    eventEnd: event.eventEndDate,
    tax: event.tax,
    minAmount: event.minAmount,
    maxAmount: event.maxAmount,
    markets: event.markets.map(marketConfigOf),
    ...(slug === null ? {} : { slug }),
    ...(isBinary === null ? {} : { isBinary }),
    ...(category === null ? {} : { category }),
  });
}

const marketConfigOf = (market: ExchangeEventSettings['markets'][number]): MarketConfig =>
  marketConfig({
    id: marketId(market.id),
    title: market.title,
    tickUnits: market.tickSize,
    longLabel: market.longLabel,
    shortLabel: market.shortLabel,
  });

const REQUEST_TIMEOUT_MS = 5_000;
/** Where the exchange has no limit the bot still paces itself. */
const UNLIMITED = { perMinute: 60_000, perDay: 50_000_000 } as const;
const WIDEST = { min: 10_000 as Money, max: 100_000_000_000 as Money } as const;

/** The bundled exchange as a client has to know it: its first account trades. */
export function bundledVenueOf(
  exchange: ExchangeSettings,
  server: Pick<ExchangeServer, 'restUrl' | 'realtime'>,
): VenueSettings {
  const [account] = exchange.accounts;
  if (account === undefined)
    throw new UsageError('exchange.accounts is empty: the first account is the one that trades');
  const { key, host, port } = server.realtime;
  return {
    name: BUNDLED,
    baseUrl: server.restUrl,
    realtime: {
      key,
      host,
      port,
      cluster: null,
      tls: false,
      channelsPerConnection: exchange.channelsPerConnection,
    },
    publicKey: account.publicKey,
    privateKey: account.privateKey,
    signing: exchange.signing,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    clockWindowS: exchange.clockWindowS,
    bookCacheMs: exchange.bookCacheMs,
    rateLimit: exchange.rateLimit ?? UNLIMITED,
    fees: exchange.fees,
    minAmount: Math.max(...exchange.events.map((event) => event.minAmount), WIDEST.min) as Money,
    maxAmount: Math.min(...exchange.events.map((event) => event.maxAmount), WIDEST.max) as Money,
  };
}
