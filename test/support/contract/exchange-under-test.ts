/**
 * The exchange that contract tests talk to: one in this process, or the one at `CONTRACT_BASE_URL`. With
 * `CONTRACT_DURABLE=1` the one in this process has a data folder, from which it must come back as it was.
 */
import { fileURLToPath } from 'node:url';
import {
  exchangeConfigOf,
  ADMIN_READERS,
  exchangeServerConfigOf,
} from '../../../src/runs/exchange/exchange.js';
import type { Command } from '../../../src/exchange/contract.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import type { Clock } from '../../../src/core/ports/clock.js';
import type { CommandLog } from '../../../src/core/ports/command-log.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { SystemClock } from '../../../src/storage/clocks/system-clock.js';
import { type ExchangeServer, startExchangeServer } from '../../../src/exchange-server/index.js';
import { type ExchangeSettings, loadExchangeSettings } from '../../../src/settings/index.js';
import { durableCore } from '../exchange/durable-core.js';
import { SILENT } from '../process/silent-logger.js';

/** Addresses of a running exchange. */
export interface ExchangeUnderTest {
  readonly restUrl: string;
  /** `ws://host:port/app/<key>`; the caller adds the query. */
  readonly realtimeUrl: string;
  readonly adminToken: string;
  close(): Promise<void>;
}

const FILE = fileURLToPath(new URL('../../contract/exchange.yaml', import.meta.url));

/** The settings of the contract suite's exchange. */
export const contractSettings = (): ExchangeSettings => loadExchangeSettings(FILE, process.env).settings;

/** @param changes settings that a test needs otherwise; such a test always gets an exchange of its own */
export async function exchangeUnderTest(changes?: Partial<ExchangeSettings>): Promise<ExchangeUnderTest> {
  const remote = changes === undefined ? process.env['CONTRACT_BASE_URL'] : undefined;
  const settings = contractSettings();
  return remote === undefined
    ? startInProcess({ ...settings, ...changes })
    : { ...addressesOf(remote, settings.appKey), adminToken: settings.adminToken, close: async () => {} };
}

async function startInProcess(settings: ExchangeSettings): Promise<ExchangeUnderTest> {
  const core = process.env['CONTRACT_DURABLE'] === '1' ? durableCore(settings) : plainCore(settings);
  const server = await startServer(settings, new SystemClock(), core);
  return {
    ...addressesOf(server.restUrl, settings.appKey),
    adminToken: settings.adminToken,
    close: async () => {
      await server.close();
      await core.close();
    },
  };
}

interface Core {
  readonly exchange: Exchange;
  readonly log?: CommandLog<Command>;
  close(): Promise<void>;
}

const plainCore = (settings: ExchangeSettings): Core => ({
  exchange: new Exchange(exchangeConfigOf(settings)),
  close: async () => {},
});

/** An exchange in this process, with its handle. */
export const startServer = (
  settings: ExchangeSettings,
  clock: Clock,
  { exchange, log }: Omit<Core, 'close'> = plainCore(settings),
): Promise<ExchangeServer> =>
  startExchangeServer({
    exchange,
    config: exchangeServerConfigOf(settings, 'the secret of the contract suite'),
    clock,
    random: seededRandom(settings.seed),
    logger: SILENT,
    readers: ADMIN_READERS,
    participants: settings.participants,
    ...(log === undefined ? {} : { log }),
  });

/** Where clients of an exchange connect. */
export const addressesOf = (restUrl: string, appKey: string) => ({
  restUrl,
  realtimeUrl: `${restUrl.replace(/^http/, 'ws')}/app/${appKey}`,
});
