/** A small exchange and commands of many kinds for it, for tests of what outlives a process. */
import type { AccountId, EventId, MarketId, OrderId } from '../../../src/exchange/contract/ids.js';
import type { Money } from '../../../src/domain/units.js';
import type { Command } from '../../../src/exchange/contract.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../../src/exchange/defaults.js';

const EVENT = 1 as EventId;
const MARKET = 11 as MarketId;

export const durableConfig = exchangeConfig({
  retention: { orders: 50, trades: 50, wagerActions: 50 },
  accounts: [1, 2].map((id) =>
    accountConfig({
      id: id as AccountId,
      username: `trader${id}`,
      balances: { OOM: 1_000_000_000 as Money },
    }),
  ),
  events: [
    eventConfig({ id: EVENT, title: 'Event', markets: [marketConfig({ id: MARKET, title: 'Market' })] }),
  ],
});

const placing = (index: number): Command => ({
  kind: 'place-order',
  account: (1 + (index % 2)) as AccountId,
  order: {
    marketId: MARKET,
    eventId: null,
    side: 'bid',
    position: index % 2 === 0 ? 'long' : 'short',
    currency: 'OOM',
    price: 4_000 + 100 * (index % 20),
    shares: 100 + index,
    amount: null,
    expiresAt: null,
    cancelConflicting: true,
  },
  request: { key: `key ${index}`, body: `body ${index}` },
});

const OTHERS: readonly ((index: number) => Command)[] = [
  () => ({ kind: 'deposit', account: 1 as AccountId, currency: 'OOM', amount: 5_000_000 as Money }),
  () => ({ kind: 'post-comment', eventId: EVENT, account: 2 as AccountId, content: 'rain, surely' }),
  (index) => ({ kind: 'cancel-order', account: 1 as AccountId, orderId: (index >> 1) as OrderId }),
];

/** So many commands: orders that trade and rest, and now and then something else. */
export const durableCommands = (count: number): readonly Command[] =>
  Array.from({ length: count }, (_, index) =>
    index % 4 === 3 ? OTHERS[(index >> 2) % OTHERS.length]!(index) : placing(index),
  );
