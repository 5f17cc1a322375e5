import type { AccountId } from '../../../src/exchange/contract/ids.js';
import type { ExchangeConfig } from '../../../src/exchange/contract.js';
import type { Exchange } from '../../../src/exchange/exchange.js';

const ALL = { limit: 1_000_000, offset: 0 };
const MODES = ['play_money', 'real_money'] as const;
const STATUSES = ['open', 'partial_filled', 'filled', 'canceled', 'processing'] as const;

/** Everything that can be asked of an exchange, as text: two with the same text are the same to their users. */
export function visibleState(exchange: Exchange, { accounts }: Pick<ExchangeConfig, 'accounts'>): string {
  const events = exchange.events(ALL).results;
  const ids = accounts.map(({ id }) => id);
  return JSON.stringify({
    now: exchange.now(),
    ledger: exchange.ledger(),
    trades: exchange.trades(null),
    events,
    accounts: ids.map((id) => accountState(exchange, id)),
    books: events.flatMap(({ markets }) => markets.map(({ id }) => bookState(exchange, id, ids[0]!))),
    histories: events.flatMap(({ id }) => MODES.map((mode) => exchange.priceHistory(id, mode, null))),
  });
}

type MarketOf = Parameters<Exchange['book']>[0];

const bookState = (exchange: Exchange, market: MarketOf, viewer: AccountId) =>
  MODES.map((mode) => exchange.book(market, mode, 'long', viewer));

function accountState(exchange: Exchange, account: AccountId) {
  const wagers = exchange.wagers({ viewer: account, ...ALL }).results;
  return {
    account: exchange.account(account),
    author: exchange.author(account),
    orders: STATUSES.map((status) => exchange.orders(account, { status, ...ALL }).results),
    wagers: wagers.map(({ id }) => exchange.wager(id, account)),
    rebates: exchange.rebates({ account }),
  };
}
