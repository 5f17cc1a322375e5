import { safeInteger, type Micros } from '../domain/units.js';
import type { LiquidityModels } from '../venues/simulated/models/liquidity.js';
import { type Account, Accounts } from './money/accounts.js';
import { CURRENCY_COUNT } from './codes.js';
import { Comments } from './comments.js';
import type { ExchangeConfig } from './contract.js';
import { RETENTION } from './defaults.js';
import { Due } from './due.js';
import { Duplicates } from './duplicates.js';
import { IdempotencyRecords } from './idempotency.js';
import { MarketRegistry } from './markets/market-registry.js';
import { OrderTable } from './orders/order-table.js';
import { Ticket } from './orders/ticket.js';
import { Outbox } from './outbox.js';
import { Rebates } from './money/rebates.js';
import { BookSettlements } from './money/book-settlements.js';
import { Stakes } from './money/stakes.js';
import { TradeRegister } from './money/trade-register.js';
import { ReusedTrade } from './wagers/action-table.js';
import { Wagers } from './wagers/wagers.js';

/** The trading floor: everything the exchange knows, handed to the functions that act on it. */
export class Floor {
  now = 0 as Micros;
  readonly accounts: Accounts;
  readonly markets: MarketRegistry;
  readonly orders: OrderTable;
  readonly wagers: Wagers;
  readonly trades: TradeRegister;
  readonly idempotency: IdempotencyRecords;
  readonly duplicates: Duplicates;
  readonly stakes = new Stakes();
  readonly settlements = new BookSettlements();
  readonly rebates = new Rebates();
  readonly comments = new Comments();
  readonly due = new Due();
  readonly outbox = new Outbox();
  readonly ticket = new Ticket();
  /** One order's half of the trade that is being booked. */
  readonly half = new ReusedTrade();
  /** The world's side of deposits and first balances, by currency code, money units. */
  readonly deposits = new Float64Array(CURRENCY_COUNT);

  constructor(
    readonly config: ExchangeConfig,
    liquidity: LiquidityModels,
  ) {
    const retention = config.retention ?? RETENTION;
    this.accounts = new Accounts(config.accounts);
    this.markets = new MarketRegistry(config, liquidity);
    this.orders = new OrderTable(retention.orders);
    this.wagers = new Wagers(retention.wagerActions);
    this.trades = new TradeRegister(retention.trades);
    this.idempotency = new IdempotencyRecords(config.idempotency);
    this.duplicates = new Duplicates(config.duplicateWindowMs);
    for (const account of this.accounts.list) this.balanceDeposits(account);
  }

  /** Negative: what the world paid in. @param currency code */
  depositsOf(currency: number): number {
    return this.deposits[currency] as number;
  }

  /** What an account begins with comes from the world. */
  balanceDeposits({ cash }: Account): void {
    for (const [currency, amount] of cash.entries()) {
      this.deposits[currency] = safeInteger(this.depositsOf(currency) - amount, 'all balances of a currency');
    }
  }
}
