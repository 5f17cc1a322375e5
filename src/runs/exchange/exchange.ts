/** The bundled exchange as a running service: core, wire, participants. */
import { randomBytes } from 'node:crypto';
import type { Micros } from '../../domain/units.js';
import type { Command } from '../../exchange/contract.js';
import { Exchange } from '../../exchange/exchange.js';
import { type Participant, Stage } from '../../exchange/participants/index.js';
import type { Clock } from '../../core/ports/clock.js';
import type { CommandLog } from '../../core/ports/command-log.js';
import { JournalError } from '../../core/ports/journal.js';
import type { Logger } from '../../core/ports/logger.js';
import type { Random } from '../../core/ports/random.js';
import { resumedClock } from '../../storage/clocks/system-clock.js';
import {
  type ExchangeServer,
  PortBusyError,
  startExchangeServer,
  type UsageStore,
} from '../../exchange-server/index.js';
import type { ExchangeSettings } from '../../settings/index.js';
import { openDurableExchange } from './durable/durable-exchange.js';
import { UsageFile } from './durable/usage-file.js';
import { exchangeConfigOf } from './config.js';
import { ADMIN_READERS, exchangeServerConfigOf } from './wire.js';
import { participantsOf } from './participants.js';

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

async function listen(options: ExchangeRunOptions, core: Core): Promise<ExchangeServer> {
  const { settings } = options;
  try {
    return await serve(options, core, settings.port);
  } catch (error) {
    if (!(error instanceof PortBusyError) || options.busyPort === 'fail') throw error;
    return serve(options, core, 0);
  }
}

function serve(
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
    ...(log === null ? {} : { log }),
    ...(snapshots === undefined ? {} : { snapshots }),
    ...(usage === undefined ? {} : { usage }),
    config: { ...exchangeServerConfigOf(settings, appSecret), port },
  });
}
