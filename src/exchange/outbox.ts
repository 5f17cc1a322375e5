import type { CurrencyMode } from '../domain/vocabulary.js';
import type { Account } from './accounts/accounts.js';
import type { Holding } from './accounts/book-accounts.js';
import type { ExchangeEvent } from './contract.js';
import type { Book } from './markets/book.js';
import type { VenueEvent } from './markets/markets.js';
import type { BookSide } from './matching/index.js';
import type { Amounts } from './money/ledger.js';

/**
 * What the running command has to say. Events are kept in order. What the command touched is remembered, so that each
 * change of the whole command is published once, at its end.
 */
export class Outbox {
  private events: ExchangeEvent[] = [];
  /** Touched accounts with their cash before the command. */
  readonly cashBefore = new Map<Account, Amounts>();
  /** Touched holdings with their shares before the command. */
  readonly sharesBefore = new Map<Holding, number>();
  readonly books = new Set<Book>();
  /** Events of which a price or the volume changed, by currency mode. */
  readonly prices = new Map<VenueEvent, Set<CurrencyMode>>();

  /** Forgets everything. @returns the events of the command */
  take(): readonly ExchangeEvent[] {
    const { events } = this;
    this.events = [];
    for (const touched of [this.cashBefore, this.sharesBefore, this.books, this.prices])
      if (touched.size > 0) touched.clear();
    return events;
  }

  say(event: ExchangeEvent): void {
    this.events.push(event);
  }

  /** Call before the account's cash changes. */
  touchCash(account: Account): void {
    if (!this.cashBefore.has(account)) this.cashBefore.set(account, { ...account.cash });
  }

  /** Call before the holding's shares change. */
  touchShares(holding: Holding): void {
    if (!this.sharesBefore.has(holding)) this.sharesBefore.set(holding, holding.shares);
  }

  /** Call when volume at a tick changed: only what can be seen in the best levels counts. */
  touchLevel(book: Book, side: BookSide, tick: number): void {
    if (book.published.side(side).shows(tick)) this.touchSide(book, side);
  }

  /** Call when the best levels of one side changed. */
  touchSide(book: Book, side: BookSide): void {
    book.published.side(side).isStale = true;
    this.books.add(book);
  }

  /** Call when both sides or the book's tradability may have changed. */
  touchBook(book: Book): void {
    book.published.bids.isStale = true;
    book.published.asks.isStale = true;
    this.books.add(book);
  }

  /** Call when a price or the volume of an event changed. */
  touchPrices(event: VenueEvent, mode: CurrencyMode): void {
    const modes = this.prices.get(event);
    if (modes === undefined) this.prices.set(event, new Set([mode]));
    else modes.add(mode);
  }
}
