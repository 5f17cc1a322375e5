/** What runs in the server's process: an exchange with many markets, simulated makers and takers. */
import type { AccountId, EventId, MarketId } from '../../../src/exchange/contract/ids.js';
import { eventConfig, exchangeConfig, marketConfig } from '../../../src/exchange/defaults.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import { CompetingMaker, NoiseTrader, Stage, type Trader } from '../../../src/exchange/participants/index.js';
import { type Money, type Micros, priceUnits, shares } from '../../../src/domain/units.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { SystemClock } from '../../../src/storage/clocks/system-clock.js';
import { account, ACCOUNTS, numbers, startVenue } from './venue.js';

const EVENTS = 50;
const MARKETS_PER_EVENT = 20;

const ids = numbers(EVENTS * MARKETS_PER_EVENT);
const exchange = new Exchange(
  exchangeConfig({
    accounts: numbers(ACCOUNTS).map(account),
    events: numbers(EVENTS).map((event) =>
      eventConfig({
        id: event as EventId,
        title: `Event ${event}`,
        markets: ids
          .filter((id) => Math.ceil(id / MARKETS_PER_EVENT) === event)
          .map((id) => marketConfig({ id: id as MarketId, title: `Market ${id}` })),
      }),
    ),
  }),
);
const trader = (id: number): Trader => ({
  account: id as AccountId,
  currency: 'OOM',
  markets: ids.map((market) => ({ id: market as MarketId, tickUnits: 100, minAmount: 10_000 as Money })),
});
const clock = new SystemClock();
const start = clock.now();
const sizes = { sizeMin: shares(2_000), sizeMax: shares(6_000) };
/** Makers look once a second. The second one begins half a second later. */
const maker = (id: number, delay: number) =>
  new CompetingMaker(
    trader(id),
    { ...sizes, halfSpread: priceUnits(400), opinions: [] },
    seededRandom(id),
    (start + delay) as Micros,
  );
const taker = (id: number) =>
  new NoiseTrader(trader(id), { ...sizes, ratePerS: 25 }, seededRandom(id), start);

const server = await startVenue(exchange);
const stage = new Stage({
  participants: [maker(2, 0), maker(3, 500_000), taker(4), taker(5)],
  exchange,
  clock,
  execute: (command) => void server.execute(command),
});
server.observe((events) => stage.observe(events));
stage.start();
process.on('disconnect', () => process.exit(0));
process.send?.({ port: server.port });
