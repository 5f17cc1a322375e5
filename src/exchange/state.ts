import TinyQueue from 'tinyqueue';
import { type Micros, safeInteger } from '../domain/units.js';
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

/** What can fall due: an order's expiry or the end of its processing, an edge of a bet window, a comment. */
export interface DueItem {
  readonly at: Micros;
  readonly kind: 'expire-order' | 'open-order' | 'event-window' | 'market-window' | 'comment';
  /** Id of the order, event, market or comment. */
  readonly id: number;
}

/** The first size at which the queue is searched for stale items; then whenever it has doubled. */
const FIRST_SWEEP = 1_024;

type Entry = DueItem & { readonly seq: number };

/** What falls due when, earliest first; of the same time, first scheduled first. */
export class Schedule {
  private seq = 0;
  private queue = new TinyQueue<Entry>([], earlier);
  private sweepAt = FIRST_SWEEP;

  add({ at, kind, id }: DueItem): void {
    this.seq += 1;
    this.queue.push({ at, kind, id, seq: this.seq });
  }

  /** @returns the time of the earliest item, null when there is none */
  next(): Micros | null {
    return this.queue.peek()?.at ?? null;
  }

  /** Takes out the earliest item that is due. @returns null when none is due by `now` */
  take(now: Micros): DueItem | null {
    const next = this.queue.peek();
    return next === undefined || next.at > now ? null : (this.queue.pop() ?? null);
  }

  /** Drops items that need not happen any more: from the front, and everywhere when the queue has grown. */
  drop(isStale: (item: DueItem) => boolean): void {
    if (this.queue.length >= this.sweepAt) this.sweep(isStale);
    for (let next = this.queue.peek(); next !== undefined && isStale(next); next = this.queue.peek())
      this.queue.pop();
  }

  private sweep(isStale: (item: DueItem) => boolean): void {
    this.queue = new TinyQueue(
      this.queue.data.filter((item) => !isStale(item)),
      earlier,
    );
    this.sweepAt = Math.max(FIRST_SWEEP, 2 * this.queue.length);
  }

  /** All items in the order in which they will happen. */
  items(): readonly DueItem[] {
    return [...this.queue.data].sort(earlier).map(({ at, kind, id }) => ({ at, kind, id }));
  }
}

const earlier = (a: Entry, b: Entry): number => a.at - b.at || a.seq - b.seq;

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
