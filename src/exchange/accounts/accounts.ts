import { invariant } from '../../domain/errors.js';
import type { Micros, Money, PriceUnits, Shares, Ticks } from '../../domain/units.js';
import { CURRENCIES, POSITIONS, type Currency, type Position, type Side } from '../../domain/vocabulary.js';
import type { AccountId, OrderId } from '../contract/ids.js';
import type { AccountConfig } from '../contract.js';
import type { Book } from '../markets/book.js';
import type { BookSide } from '../matching/index.js';
import { type Amounts, noAmounts } from '../money/ledger.js';
import { Fifo } from '../records.js';

/** The wallet registered with `POST /me/safe/`. */
export interface Safe {
  readonly address: string;
  readonly chainId: number;
}

/** One account: who it is, and its money. */
export class Account {
  /** Spendable, money units. */
  readonly cash = noAmounts();
  /** Locked by bids, money units. */
  readonly locked = noAmounts();
  /** Cash as it was when the last command ended. */
  readonly published: Amounts;
  /** The running command may have changed the cash. */
  isTouched = false;
  safe: Safe | null = null;
  /** What it has in each book, in order of first need. */
  readonly inBook = new Map<Book, BookAccount>();
  readonly id: AccountId;

  constructor(readonly config: AccountConfig) {
    this.id = config.id;
    for (const currency of CURRENCIES) this.cash[currency] = config.balances[currency] ?? 0;
    this.published = { ...this.cash };
  }
}

export type OrderStatus = 'processing' | 'open' | 'partial_filled' | 'filled' | 'canceled' | 'expired';

/** An order in the units of its book, changed as it trades. */
export interface Order {
  /** 0: it is not placed yet. */
  id: OrderId;
  readonly owner: BookAccount;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  readonly bookSide: BookSide;
  /** Of the named position; null: a market order. */
  readonly price: PriceUnits | null;
  /** Long-side limit; of a market order the worst price of the book. */
  readonly tick: Ticks;
  /** 0: a market order by amount alone. */
  readonly requested: Shares;
  /** What a market order may cost; 0: it is a limit order, or names shares alone. */
  readonly amount: Money;
  readonly expiresAt: Micros | null;
  readonly createdAt: Micros;
  /** Place among the working orders of its owner on this side. */
  place: number;
  status: OrderStatus;
  filled: Shares;
  /** Price x shares of all fills, in the named position's price. */
  filledAmount: Money;
  /** What the order has locked: money of a bid, shares of an ask. */
  locked: number;
  /** Fee rate x shares of all fills, see `ledger.ts`. */
  accruedFee: number;
}

/** Shares of one position held in one currency. */
export class Holding {
  shares = 0;
  /** The part that resting asks have locked. */
  locked = 0;
  /** Id of the open or latest wager on the holding; 0: none yet. */
  wager = 0;
  /** Shares as they were when the last command ended. */
  published = 0;
  /** The running command may have changed the shares. */
  isTouched = false;

  constructor(
    readonly owner: BookAccount,
    readonly position: Position,
    readonly currency: Currency,
  ) {}

  get free(): Shares {
    return (this.shares - this.locked) as Shares;
  }
}

/** What one account has in one book: working orders, holdings, and the cash it put in and took out. */
export class BookAccount {
  /** Net cash flow, fees included, money units: what an undone market gives back. */
  readonly flow = noAmounts();
  /** Finished orders that are still remembered, in the order in which they ended. */
  readonly finished = new Fifo<Order>();
  /** Working orders that are in processing. */
  processing = 0;
  /** Working orders by side of the book, those in processing included, in no order. */
  private readonly orders: readonly [Order[], Order[]] = [[], []];
  private readonly byPosition: Record<Position, Partial<Record<Currency, Holding>>> = { long: {}, short: {} };

  constructor(
    readonly account: Account,
    readonly book: Book,
  ) {}

  add(order: Order): void {
    if (order.status === 'processing') this.processing += 1;
    const orders = this.orders[order.bookSide];
    order.place = orders.length;
    orders.push(order);
  }

  remove(order: Order): void {
    if (order.status === 'processing') this.processing -= 1;
    const orders = this.orders[order.bookSide];
    const last = orders.pop();
    if (last === undefined || last === order) return;
    orders[order.place] = last;
    last.place = order.place;
  }

  ordersOn(side: BookSide): readonly Order[] {
    return this.orders[side];
  }

  /** Working orders of both sides in the order of their ids, which is the order of arrival. */
  workingOrders(): Order[] {
    return [...this.orders[0], ...this.orders[1]].sort(byId);
  }

  /** Unfilled shares of the account's orders in the book, by tick. */
  ownShares(side: BookSide): ReadonlyMap<number, number> {
    const levels = new Map<number, number>();
    for (const { status, tick, requested, filled } of this.orders[side])
      if (status !== 'processing') levels.set(tick, (levels.get(tick) ?? 0) + requested - filled);
    return levels;
  }

  holding(position: Position, currency: Currency): Holding {
    return (this.byPosition[position][currency] ??= new Holding(this, position, currency));
  }

  /** The holding if there is one. */
  held(position: Position, currency: Currency): Holding | undefined {
    return this.byPosition[position][currency];
  }

  /** Holdings that exist, by position, then currency. */
  holdings(): Holding[] {
    return POSITIONS.flatMap((position) =>
      CURRENCIES.flatMap((currency) => this.byPosition[position][currency] ?? []),
    );
  }

  /** Moves spendable cash and remembers it as cash flow of this book. @param amount negative: paid */
  pay(currency: Currency, amount: number): void {
    this.account.cash[currency] += amount;
    this.flow[currency] += amount;
  }
}

export const byId = (a: Order, b: Order): number => a.id - b.id;

/** All accounts, those of the configuration first, in its order. */
export class Accounts {
  readonly list: Account[] = [];
  private readonly byId = new Map<AccountId, Account>();
  /** By index of the book. */
  private readonly byBook: BookAccount[][] = [];

  constructor(configs: readonly AccountConfig[]) {
    for (const config of configs) this.add(config);
  }

  find(id: AccountId): Account | null {
    return this.byId.get(id) ?? null;
  }

  /** The account of a command. @throws InvariantError when there is none: callers have authenticated it */
  get(id: AccountId): Account {
    const account = this.byId.get(id);
    invariant(account !== undefined, `no account ${id}`);
    return account;
  }

  add(config: AccountConfig): Account {
    invariant(!this.byId.has(config.id), `two accounts have the id ${config.id}`);
    const account = new Account(config);
    this.list.push(account);
    this.byId.set(config.id, account);
    return account;
  }

  /** What accounts have in a book, in order of first need. */
  inBook(book: Book): readonly BookAccount[] {
    return this.byBook[book.index] ?? [];
  }

  /** What an account has in a book, opened at first need. */
  open(account: Account, book: Book): BookAccount {
    const known = account.inBook.get(book);
    if (known !== undefined) return known;
    const opened = new BookAccount(account, book);
    account.inBook.set(book, opened);
    (this.byBook[book.index] ??= []).push(opened);
    return opened;
  }
}
