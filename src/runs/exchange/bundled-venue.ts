import { UsageError } from '../../domain/errors.js';
import type { Money } from '../../domain/units.js';
import type { ExchangeServer } from '../../exchange-server/index.js';
import type { ExchangeSettings, VenueSettings } from '../../settings/index.js';
import { BUNDLED } from '../../ops/state/state-paths.js';

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
    realtime: { key, host, port, cluster: null, tls: false },
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
