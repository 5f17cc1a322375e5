import { expect, test } from 'vitest';
import { marketId as domainMarket, eventId as domainEvent } from '../../src/domain/ids.js';
import { readExchangeEvent } from '../../src/settings/exchange-problems.js';
import type { BotSettings, ExchangeSettings } from '../../src/settings/index.js';
import { RIVAL, World } from '../support/simulation/world.js';

const EVENTS = 20;
const MARKETS = 4;
const eventIds = Array.from({ length: EVENTS }, (_, event) => 10_000 + event);
const marketsOf = (event: number): readonly number[] =>
  Array.from({ length: MARKETS }, (_, market) => event * 10 + market);

const exchange = (settings: ExchangeSettings): ExchangeSettings => ({
  ...settings,
  rateLimit: { perMinute: 600, perDay: 1_000_000 },
  events: eventIds.map((id) => {
    const markets = marketsOf(id).map((market) => ({ id: market, title: `Market ${market}` }));
    const reading = readExchangeEvent({ id, title: `Event ${id}`, markets });
    if (!reading.ok) throw new Error(JSON.stringify(reading.fields));
    return reading.value;
  }),
  participants: [],
});

function bot(settings: BotSettings): BotSettings {
  const [event] = settings.events;
  const [market] = event!.markets;
  const [instance] = settings.instances;
  return {
    ...settings,
    events: eventIds.map((id) => ({
      ...event!,
      id: domainEvent(id),
      title: `Event ${id}`,
      markets: marketsOf(id).map((one) => ({ ...market!, id: domainMarket(one), title: `Market ${one}` })),
    })),
    instances: [{ ...instance!, markets: eventIds.flatMap(marketsOf).map(domainMarket) }],
  };
}

test('with many quiet markets quotes come back soon, many orders to a request, after a reconnection', async () => {
  const world = new World({ exchange });
  for (const marketId of eventIds.flatMap(marketsOf))
    for (const position of ['long', 'short'] as const)
      world.place(RIVAL, { marketId, side: 'bid', position, price: 4_000, shares: 50_000 });
  const { engine, line } = await world.start({ settings: bot });
  const quoted = (): number => engine.view().markets.filter(({ quotes }) => quotes.length > 0).length;
  await world.runUntil('everything is quoted', () => quoted() === EVENTS * MARKETS);
  const before = world.transport.seen.length;
  line.lose('test', 1_000);
  await world.run(50);
  expect(quoted()).toBe(0);
  await world.runUntil('a quarter is quoted', () => quoted() >= (EVENTS * MARKETS) / 4, 10_000);
  await world.runUntil('everything is quoted again', () => quoted() === EVENTS * MARKETS, 30_000);
  const sent = world.transport.seen.slice(before).map(({ endpoint }) => endpoint);
  expect(sent.filter((endpoint) => endpoint === 'batchCreate').length).toBeLessThan((EVENTS * MARKETS) / 3);
}, 60_000);
