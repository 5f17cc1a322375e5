import { accountId } from '../../domain/ids.js';
import type { AdminReaders, ExchangeServerConfig } from '../../exchange-server/index.js';
import {
  type ExchangeSettings,
  type ItemReading,
  keyPairsOf,
  readExchangeEvent,
  readExchangeMarket,
} from '../../settings/index.js';
import { eventConfigOf, marketConfigOf } from './config.js';

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
