/** The exchange as it is measured: eight rich accounts, twenty events of one market each, no rate limit. */
import type { AccountId, EventId, MarketId } from '../../../src/exchange/contract/ids.js';
import type { Money } from '../../../src/domain/units.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../../src/exchange/defaults.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { SystemClock } from '../../../src/storage/clocks/system-clock.js';
import { type ExchangeServer, startExchangeServer } from '../../../src/exchange-server/index.js';
import { SILENT } from '../../support/process/silent-logger.js';

export const ACCOUNTS = 8;
export const EVENTS = 20;
export const APP_KEY = 'bench';
export const publicKey = (account: number): string => `pk_${account}`;
export const privateKey = (account: number): string => `sk_${account}`;

export const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);
const RICH = 1_000_000_000_000_000 as Money;
const closed = () => ({ ok: false, fields: {} }) as const;

/** As it is measured. */
const benchExchange = (): Exchange =>
  new Exchange(
    exchangeConfig({ accounts: numbers(ACCOUNTS).map(account), events: numbers(EVENTS).map(event) }),
  );

/** Listens on a free port of loopback. */
export const startVenue = (exchange = benchExchange()): Promise<ExchangeServer> =>
  startExchangeServer({
    exchange,
    clock: new SystemClock(),
    random: seededRandom(1),
    logger: SILENT,
    readers: { event: closed, market: closed },
    config: {
      host: '127.0.0.1',
      port: 0,
      appKey: APP_KEY,
      appSecret: 'bench',
      credentials: numbers(ACCOUNTS).map((id) => ({
        accountId: id as AccountId,
        publicKey: publicKey(id),
        privateKey: privateKey(id),
      })),
      adminToken: '',
      clockWindowS: 3_600,
      rateLimit: null,
      bookCacheMs: 0,
      channelsPerConnection: null,
      nested: 'python',
      faults: { seed: 0, rules: [] },
    },
  });

export const account = (id: number) =>
  accountConfig({ id: id as AccountId, username: `account ${id}`, balances: { OOM: RICH } });

const event = (id: number) =>
  eventConfig({
    id: id as EventId,
    title: `Event ${id}`,
    markets: [marketConfig({ id: id as MarketId, title: `Market ${id}` })],
  });
