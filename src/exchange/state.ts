import { safeInteger, type Micros } from '../domain/units.js';
import { CURRENCIES } from '../domain/vocabulary.js';
import type { LiquidityModels } from '../venues/simulated/models/liquidity.js';
import { type Account, Accounts } from './accounts/accounts.js';
import { Wagers } from './accounts/wagers.js';
import type { AccountConfig, ExchangeConfig, MarketCommentEvent, TradeRow } from './contract.js';
import { RETENTION } from './defaults.js';
import { Fifo } from './records.js';
import { MarketRegistry } from './markets/market-registry.js';
import { Rebates, noAmounts, type BookSettlement } from './money/ledger.js';
import { Orders } from './orders/orders.js';
import { Outbox } from './publishing.js';
import { RepeatedRequests } from './repetition.js';
import { Schedule } from './schedule.js';

/** Everything the exchange knows, handed to the functions that act on it. */
export class State {
  now = 0 as Micros;
  readonly accounts = new Accounts([]);
  readonly markets: MarketRegistry;
  readonly orders: Orders;
  readonly wagers: Wagers;
  /** Latest trades of all books up to a limit, oldest first. Ids are 1, 2, 3, ... */
  readonly trades = new Fifo<TradeRow>();
  lastTradeId = 0;
  readonly repeats: RepeatedRequests;
  /** Payouts and refunds, so that a reversal can take them back. */
  settlements: BookSettlement[] = [];
  readonly rebates = new Rebates();
  /** Comments that are posted but not yet published, by id. Ids are 1, 2, 3, ... */
  readonly comments = new Map<number, MarketCommentEvent>();
  lastCommentId = 0;
  readonly schedule = new Schedule();
  readonly outbox = new Outbox();
  /** The world's side of deposits and first balances, money units. Negative: what the world paid in. */
  readonly deposits = noAmounts();
  private readonly keptTrades: number;

  constructor(
    readonly config: ExchangeConfig,
    liquidity: LiquidityModels,
  ) {
    const retention = config.retention ?? RETENTION;
    this.markets = new MarketRegistry(config, liquidity);
    this.orders = new Orders(retention.orders);
    this.wagers = new Wagers(retention.wagerActions);
    this.keptTrades = retention.trades;
    this.repeats = new RepeatedRequests(config.idempotency, config.duplicateWindowMs);
    for (const account of config.accounts) this.addAccount(account);
  }

  /** Adds an account whose first balances come from the world. */
  addAccount(config: AccountConfig): Account {
    const account = this.accounts.add(config);
    for (const currency of CURRENCIES) {
      const left = this.deposits[currency] - account.cash[currency];
      this.deposits[currency] = safeInteger(left, 'all balances of a currency');
    }
    return account;
  }

  /** Registers a trade, and forgets the oldest one beyond the limit. */
  addTrade(trade: TradeRow): void {
    this.trades.push(trade);
    if (this.trades.size > this.keptTrades) this.trades.shift();
  }
}
