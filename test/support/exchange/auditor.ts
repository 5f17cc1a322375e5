/**
 * Holds an exchange against what must be true after every command, from its public reads alone: the ledger adds up
 * to nothing, what is locked is exactly what working orders need, collateral backs every share, the book is the sum of
 * its orders and is not crossed.
 */
import type { ExchangeCore, LedgerView, ListedOrderStatus, OrderView } from '../../../src/exchange/contract.js';
import { InvariantError } from '../../../src/domain/errors.js';
import { CURRENCIES, CURRENCY_MODES, bookSide, modeOf } from '../../../src/domain/vocabulary.js';
import type { Currency } from '../../../src/domain/vocabulary.js';

const ALL = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };
const WORKING: readonly ListedOrderStatus[] = ['processing', 'open', 'partial_filled'];

/** @throws InvariantError that says what does not add up */
export function audit(exchange: ExchangeCore): void {
  const ledger = exchange.ledger();
  const orders = workingOrders(exchange, ledger);
  auditSums(ledger);
  auditLocks(ledger, orders);
  auditCollateral(ledger);
  auditBooks(exchange, orders);
}

function workingOrders(exchange: ExchangeCore, ledger: LedgerView): OrderView[] {
  const accounts = [...new Set(ledger.accounts.map(({ id }) => id))];
  return accounts.flatMap((id) =>
    WORKING.flatMap((status) => exchange.orders(id, { status, ...ALL }).results),
  );
}

function check(condition: boolean, text: string): void {
  if (!condition) throw new InvariantError(text);
}

function auditSums({ sum }: LedgerView): void {
  for (const currency of CURRENCIES)
    check(sum[currency] === 0, `${currency} adds up to ${sum[currency]}, not 0`);
}

function auditLocks({ accounts }: LedgerView, orders: readonly OrderView[]): void {
  for (const { id, currency, locked, shares } of accounts) {
    const own = orders.filter((order) => order.account === id && order.currency === currency);
    const bids = own.filter(({ side, price }) => side === 'bid' && price !== null);
    const cost = bids.reduce((sum, order) => sum + (order.price ?? 0) * leftOf(order), 0);
    check(
      locked >= cost && locked <= cost + 0.01 * 100 * bids.reduce((sum, order) => sum + leftOf(order), 0) * 1e4,
      `account ${id} has ${locked} ${currency} locked for bids worth ${cost}`,
    );
    for (const holding of shares) {
      const asks = own.filter(
        ({ side, marketId, position }) =>
          side === 'ask' && marketId === holding.marketId && position === holding.position,
      );
      const left = asks.reduce((sum, order) => sum + leftOf(order), 0);
      check(
        holding.locked === left && left <= holding.shares,
        `account ${id} has ${holding.locked} of ${holding.shares} shares locked for asks of ${left}`,
      );
    }
  }
}

const leftOf = ({ shares, filled }: OrderView): number => shares - filled;

/** Every long share is backed by one unit of its currency, and there are as many shorts as longs in each mode. */
function auditCollateral(ledger: LedgerView): void {
  for (const currency of CURRENCIES) {
    const longs = sharesOf(ledger, 'long', [currency]);
    const collateral = ledger.system.find((row) => row.name === 'collateral' && row.currency === currency);
    check(
      (collateral?.amount ?? 0) >= longs * 10_000,
      `${longs} long shares of ${currency} are backed by ${collateral?.amount}`,
    );
  }
}

function sharesOf({ accounts }: LedgerView, position: string, currencies: readonly Currency[]): number {
  return accounts
    .filter(({ currency }) => currencies.includes(currency))
    .flatMap(({ shares }) => shares)
    .filter((holding) => holding.position === position)
    .reduce((sum, { shares }) => sum + shares, 0);
}

function auditBooks(exchange: ExchangeCore, orders: readonly OrderView[]): void {
  for (const event of exchange.events(ALL).results) {
    for (const market of event.markets) {
      for (const mode of CURRENCY_MODES) {
        const own = orders.filter((order) => order.marketId === market.id && modeOf(order.currency) === mode);
        auditBook(exchange, { market, mode, own: own.filter(({ status }) => status !== 'processing') });
      }
    }
  }
}

interface BookAudit {
  readonly market: { readonly id: OrderView['marketId'] };
  readonly mode: (typeof CURRENCY_MODES)[number];
  readonly own: readonly OrderView[];
}

function auditBook(exchange: ExchangeCore, { market, mode, own }: BookAudit): void {
  const book = exchange.book(market.id, mode, 'long', null);
  if (book === null) throw new InvariantError(`market ${market.id} has no book`);
  const [bid, ask] = [book.bids[0], book.asks[0]];
  check(bid === undefined || ask === undefined || bid.price < ask.price, `book ${market.id} is crossed`);
  for (const [side, levels] of [
    ['bid', book.bids],
    ['ask', book.asks],
  ] as const) {
    const volumes = new Map<number, number>();
    for (const order of own.filter((one) => bookSide(one.side, one.position) === side)) {
      const price = order.position === 'long' ? (order.price ?? 0) : 10_000 - (order.price ?? 0);
      volumes.set(price, (volumes.get(price) ?? 0) + leftOf(order));
    }
    for (const level of levels) {
      check((volumes.get(level.price) ?? 0) <= level.shares, `level ${level.price} of ${market.id} lacks orders`);
      volumes.delete(level.price);
    }
    check(volumes.size === 0, `orders of ${market.id} are missing in its book`);
  }
}
