import type { Money, Shares } from '../../domain/units.js';
import type { Account } from './accounts.js';
import type { Book } from '../books/books.js';
import { BID, type BookSide } from '../matching/index.js';
import { OwnSide } from '../books/own-side.js';
import { CURRENCY_COUNT } from '../codes.js';

/** Shares of one position held in one currency. */
export class Holding {
  shares = 0;
  /** The part that resting asks have locked. */
  locked = 0;
  /** Id of the wager on it, open or the latest one; 0: none yet. */
  wager = 0;
  /** Shares before the running command touched it. */
  sharesBefore = 0;
  touched = false;

  constructor(
    readonly stake: Stake,
    /** Codes. */
    readonly position: number,
    readonly currency: number,
  ) {}

  get free(): Shares {
    return (this.shares - this.locked) as Shares;
  }
}

/** What one account has at one book: working orders, holdings, and the cash it put in and took out. */
export class Stake {
  /** Own working orders by book side. */
  readonly ownBids = new OwnSide(0);
  readonly ownAsks = new OwnSide(1);
  /** Net cash flow by currency code, fees included, money units: what an undone market gives back. */
  readonly flow = new Float64Array(CURRENCY_COUNT);
  /** By position and currency. */
  private readonly holdings: (Holding | undefined)[] = [];

  /** @param index place in the list of all stakes */
  constructor(
    readonly account: Account,
    readonly book: Book,
    readonly index: number,
  ) {}

  /** Own working orders that an order of this side could meet. */
  facing(side: BookSide): OwnSide {
    return side === BID ? this.ownAsks : this.ownBids;
  }

  holding(position: number, currency: number): Holding {
    const at = position * CURRENCY_COUNT + currency;
    return (this.holdings[at] ??= new Holding(this, position, currency));
  }

  /** Shares neither sold nor locked; does not create the holding. */
  freeShares(position: number, currency: number): Shares {
    return this.holdings[position * CURRENCY_COUNT + currency]?.free ?? (0 as Shares);
  }

  /** Holdings that exist, by position, then currency. */
  allHoldings(): Holding[] {
    return this.holdings.filter((holding) => holding !== undefined);
  }

  /** Moves spendable cash and remembers it as flow of this book. @param amount negative: paid */
  pay(currency: number, amount: Money): void {
    this.account.cash[currency] = (this.account.cash[currency] as number) + amount;
    this.flow[currency] = (this.flow[currency] as number) + amount;
  }
}

/** Who has what where. */
export class Stakes {
  /** By index of the book, then of the account; a hole where nobody ever traded. */
  private readonly table: (Stake | undefined)[][] = [];
  private readonly byBook: Stake[][] = [];
  private readonly list: Stake[] = [];

  find(account: Account, book: Book): Stake | undefined {
    return this.table[book.index]?.[account.index];
  }

  /** The account's stake at a book, made at first need. */
  at(account: Account, book: Book): Stake {
    return this.table[book.index]?.[account.index] ?? this.open(account, book);
  }

  byIndex(index: number): Stake {
    return this.list[index] as Stake;
  }

  /** In order of first need. */
  ofBook(book: Book): readonly Stake[] {
    return this.byBook[book.index] ?? [];
  }

  /** In order of the books. */
  ofAccount(account: Account): Stake[] {
    return this.table.map((row) => row[account.index]).filter((stake) => stake !== undefined);
  }

  private open(account: Account, book: Book): Stake {
    const stake = new Stake(account, book, this.list.length);
    this.list.push(stake);
    (this.table[book.index] ??= [])[account.index] = stake;
    (this.byBook[book.index] ??= []).push(stake);
    return stake;
  }
}
