import type { Account } from './accounts.js';
import type { Book } from './books.js';
import type { ExchangeEvent } from './contract.js';
import type { VenueEvent } from './markets.js';
import type { BookSide } from './matching/index.js';
import type { Holding } from './stakes.js';

/**
 * What the running command has to say: events in order, and what it touched, so that the changes of the whole
 * command can be told once at its end.
 */
export class Outbox {
  events: ExchangeEvent[] = [];
  readonly accounts: Account[] = [];
  readonly holdings: Holding[] = [];
  readonly books: Book[] = [];
  readonly venueEvents: VenueEvent[] = [];

  say(event: ExchangeEvent): void {
    this.events.push(event);
  }

  /** Call before the account's cash changes. */
  touchCash(account: Account): void {
    if (account.touched) return;
    account.touched = true;
    account.cashBefore.set(account.cash);
    this.accounts.push(account);
  }

  /** Call before the holding's shares change. */
  touchShares(holding: Holding): void {
    if (holding.touched) return;
    holding.touched = true;
    holding.sharesBefore = holding.shares;
    this.holdings.push(holding);
  }

  /** Call when volume at a tick changed: only what can be seen in the best levels counts. */
  touchLevel(book: Book, side: BookSide, tick: number): void {
    if (!book.touched && book.published.shows(side, tick)) this.touchBook(book);
  }

  /** Call when the book's touch or its tradability may have changed. */
  touchBook(book: Book): void {
    if (book.touched) return;
    book.touched = true;
    this.books.push(book);
  }

  /** Call when a price or the volume of an event changed. @param mode code */
  touchPrices(event: VenueEvent, mode: number): void {
    if (!event.priceTouched[0] && !event.priceTouched[1]) this.venueEvents.push(event);
    event.priceTouched[mode] = true;
  }

  /** Hands over the events said so far. */
  take(): readonly ExchangeEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}
