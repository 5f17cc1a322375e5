/** The bundled exchange as a running service: core, wire, participants. */
import { createHash, randomBytes } from 'node:crypto';
import type { Micros } from '../domain/units.js';
import type { Command } from '../exchange/contract.js';
import { Exchange } from '../exchange/exchange.js';
import { Stage } from '../participants/index.js';
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import type { Random } from '../ports/random.js';
import { FileCommandLog } from '../runtime/file-command-log.js';
import { type ExchangeServer, PortBusyError, startExchangeServer } from '../server/index.js';
import type { ExchangeSettings } from '../settings/index.js';
import { exchangeConfigOf } from './exchange-config.js';
import { ADMIN_READERS, exchangeServerConfigOf } from './exchange-wire.js';
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
  const { settings, clock, random, start } = options;
  const { exchange, log } = openCore(options);
  const server = await listen(options, exchange, log);
  const participants = participantsOf({ exchange: settings, file: options.file, random, start });
  const stage = new Stage({ participants, exchange, clock, execute: (command) => server.execute(command) });
  server.observe((events) => stage.observe(events));
  stage.start();
  return {
    server,
    close: async () => {
      stage.stop();
      await server.close();
      await log?.close();
    },
  };
}

/** With a data folder every command of the runs before is executed again first. */
function openCore({ settings, logger }: ExchangeRunOptions): {
  readonly exchange: Exchange;
  readonly log: FileCommandLog<Command> | null;
} {
  const config = exchangeConfigOf(settings);
  const exchange = new Exchange(config);
  if (settings.dataDir === null) return { exchange, log: null };
  const configHash = createHash('sha256').update(JSON.stringify(config)).digest('hex');
  const opened = FileCommandLog.open<Command>({ dir: settings.dataDir, configHash });
  for (const { command, at } of opened.records) exchange.execute(command, at);
  logger.info('the exchange is as it was', { commands: opened.records.length, tornBytes: opened.tornBytes });
  return { exchange, log: opened.log };
}

async function listen(
  options: ExchangeRunOptions,
  exchange: Exchange,
  log: FileCommandLog<Command> | null,
): Promise<ExchangeServer> {
  const { settings } = options;
  try {
    return await serve(options, exchange, log, settings.port);
  } catch (error) {
    if (!(error instanceof PortBusyError) || options.busyPort === 'fail') throw error;
    return serve(options, exchange, log, 0);
  }
}

function serve(
  { settings, clock, random, logger }: ExchangeRunOptions,
  exchange: Exchange,
  log: FileCommandLog<Command> | null,
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
    config: { ...exchangeServerConfigOf(settings, appSecret), port },
  });
}
