import type { Money, Shares } from '../domain/units.js';
import type { Account } from './accounts.js';
import type { Book } from './books.js';
import { CURRENCY_COUNT } from './codes.js';
import type { Wager } from './wagers/wager.js';

/** Shares of one position held in one currency. */
export class Holding {
  shares = 0;
  /** The part that resting asks have locked. */
  locked = 0;
  /** The wager on it, open or the latest one; null before the first purchase. */
  wager: Wager | null = null;
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
  /** First and last own order by book side, in order of arrival; 0: none. */
  readonly first = new Int32Array(2);
  readonly last = new Int32Array(2);
  /** Own orders that are still `processing`. */
  processing = 0;
  /** Net cash flow by currency code, fees included, money units: what an undone market gives back. */
  readonly flow = new Float64Array(CURRENCY_COUNT);
  /** By position and currency. */
  private readonly holdings: (Holding | undefined)[] = [];

  constructor(
    readonly account: Account,
    readonly book: Book,
  ) {}

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

/** The account's stake at a book, made at first need. */
export function stakeAt(account: Account, book: Book): Stake {
  const known = account.stakes[book.index];
  if (known !== undefined) return known;
  const stake = new Stake(account, book);
  account.stakes[book.index] = stake;
  book.stakes.push(stake);
  return stake;
}
