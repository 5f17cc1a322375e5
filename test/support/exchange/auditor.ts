/**
 * Holds an exchange against what must be true after every command, from its public reads alone: the ledger adds up
 * to nothing, what is locked is exactly what working orders need, collateral backs every share, the book is the sum of
 * its orders and is not crossed.
 */
import type {
  BookLevelView,
  ExchangeConfig,
  LedgerView,
  ListedOrderStatus,
  MarketView,
  OrderView,
} from '../../../src/exchange/contract.js';
import type { ExchangeCore } from '../../../src/exchange/exchange.js';
import { InvariantError } from '../../../src/domain/errors.js';
import type { Currency, CurrencyMode, Side } from '../../../src/domain/vocabulary.js';
import { CURRENCIES, CURRENCY_MODES, SIDES, bookSide, modeOf } from '../../../src/domain/vocabulary.js';

/** What an audit must know about the exchange. */
export interface AuditTerms {
  readonly fees: ExchangeConfig['fees'];
  /** Others' volume may stand crossed with our orders. */
  readonly mayCross: boolean;
}

const ALL = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };
const WORKING: readonly ListedOrderStatus[] = ['processing', 'open', 'partial_filled'];

/** @throws InvariantError that says what does not add up */
export function audit(exchange: ExchangeCore, terms: AuditTerms): void {
  const ledger = exchange.ledger();
  const orders = workingOrders(exchange, ledger);
  auditSums(ledger);
  auditCashLocks(ledger, orders, terms);
  auditShareLocks(ledger, orders);
  auditCollateral(ledger);
  for (const event of exchange.events(ALL).results) {
    for (const market of event.markets) auditMarket(exchange, market, orders, terms);
  }
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
  for (const currency of CURRENCIES) {
    check(sum[currency] === 0, `${currency} adds up to ${sum[currency]}, not 0`);
  }
}

const leftOf = ({ shares, filled }: OrderView): number => shares - filled;
const total = <Row>(rows: readonly Row[], value: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);

/** Each resting bid locks price x shares plus the larger fee; one micro-unit an order is lost or won in rounding. */
function auditCashLocks({ accounts }: LedgerView, orders: readonly OrderView[], { fees }: AuditTerms): void {
  for (const { id, currency, locked } of accounts) {
    const bids = orders.filter(
      (order) =>
        order.account === id && order.currency === currency && order.side === 'bid' && order.price !== null,
    );
    const { taker, maker } = fees[modeOf(currency)];
    const fee = Math.max(taker, maker, 0) / 100;
    const needed = total(bids, (order) => ((order.price ?? 0) + fee) * leftOf(order));
    check(
      Math.abs(locked - needed) <= (Number.isInteger(fee) ? 0 : bids.length) && locked >= 0,
      `account ${id} has ${locked} ${currency} locked, its bids need ${needed}`,
    );
  }
}

/** Each ask locks its shares. */
function auditShareLocks({ accounts }: LedgerView, orders: readonly OrderView[]): void {
  const asks = orders.filter(({ side }) => side === 'ask');
  for (const { id, currency, shares } of accounts) {
    for (const { marketId, position, locked, shares: held } of shares) {
      const needed = total(
        asks.filter(
          (order) =>
            order.account === id &&
            order.currency === currency &&
            order.marketId === marketId &&
            order.position === position,
        ),
        leftOf,
      );
      check(
        locked === needed && locked <= held,
        `account ${id} has ${locked} of ${held} shares locked, its asks need ${needed}`,
      );
    }
  }
}

/** Every long share is backed by one unit of its currency. */
function auditCollateral(ledger: LedgerView): void {
  for (const currency of CURRENCIES) {
    const longs = longShares(ledger, currency);
    const row = ledger.system.find(({ name, currency: of }) => name === 'collateral' && of === currency);
    const backing = row?.amount ?? 0;
    check(backing >= longs * 10_000, `${longs} long shares of ${currency} are backed by ${backing}`);
  }
}

const longShares = ({ accounts }: LedgerView, currency: Currency): number =>
  total(
    accounts
      .filter((row) => row.currency === currency)
      .flatMap(({ shares }) => shares)
      .filter(({ position }) => position === 'long'),
    ({ shares }) => shares,
  );

function auditMarket(
  exchange: ExchangeCore,
  { id }: MarketView,
  orders: readonly OrderView[],
  terms: AuditTerms,
): void {
  for (const mode of CURRENCY_MODES) {
    const own = orders.filter(
      (order) => order.marketId === id && modeOf(order.currency) === mode && order.status !== 'processing',
    );
    auditBook(exchange, { id, mode, own }, terms);
  }
}

interface AuditedBook {
  readonly id: MarketView['id'];
  readonly mode: CurrencyMode;
  readonly own: readonly OrderView[];
}

function auditBook(exchange: ExchangeCore, { id, mode, own }: AuditedBook, { mayCross }: AuditTerms): void {
  const book = exchange.book(id, mode, 'long', null);
  if (book === null) throw new InvariantError(`market ${id} has no book`);
  const [bid, ask] = [book.bids[0], book.asks[0]];
  const isCrossed = bid !== undefined && ask !== undefined && bid.price >= ask.price;
  check(mayCross || !isCrossed, `the book of ${id} is crossed`);
  const levels: Record<Side, readonly BookLevelView[]> = { bid: book.bids, ask: book.asks };
  for (const side of SIDES) auditSide(levels[side], ordersByPrice(own, side), `${side}s of ${id}`);
}

function ordersByPrice(orders: readonly OrderView[], side: Side): Map<number, number> {
  const volumes = new Map<number, number>();
  for (const order of orders.filter((one) => bookSide(one.side, one.position) === side)) {
    const own = order.price ?? 0;
    const price = order.position === 'long' ? own : 10_000 - own;
    volumes.set(price, (volumes.get(price) ?? 0) + leftOf(order));
  }
  return volumes;
}

/** A level holds our orders at its price, and others' volume besides. */
function auditSide(levels: readonly BookLevelView[], volumes: Map<number, number>, what: string): void {
  for (const { price, shares } of levels) {
    const own = volumes.get(price) ?? 0;
    check(own <= shares, `${what}: ${own} shares of orders at ${price}, ${shares} in the book`);
    volumes.delete(price);
  }
  check(volumes.size === 0, `${what}: orders at ${[...volumes.keys()].join(', ')} are missing in the book`);
}
