import type { Account } from './money/accounts.js';
import type { Book } from './books/books.js';
import type { ExchangeEvent } from './contract.js';
import { EventLog } from './events/event-log.js';
import type { VenueEvent } from './markets/markets.js';
import type { BookSide } from './matching/index.js';
import type { Holding } from './money/stakes.js';

/** A list that is emptied after every command and keeps its memory. */
class Touched<Item> {
  count = 0;
  private readonly items: Item[] = [];

  add(item: Item): void {
    this.items[this.count] = item;
    this.count += 1;
  }

  /** @param place less than {@link count} */
  at(place: number): Item {
    return this.items[place] as Item;
  }

  clear(): void {
    this.count = 0;
  }
}

/**
 * What the running command has to say: events in order, and what it touched, so that the changes of the whole
 * command can be told once at its end.
 */
export class Outbox {
  readonly accounts = new Touched<Account>();
  readonly holdings = new Touched<Holding>();
  readonly books = new Touched<Book>();
  readonly venueEvents = new Touched<VenueEvent>();
  /** The events said so far. */
  readonly log = new EventLog();

  /** Says an event of a kind that has no cells in the log. */
  say(event: ExchangeEvent): void {
    this.log.say(event);
  }

  /** Call before the account's cash changes. */
  touchCash(account: Account): void {
    if (account.touched) return;
    account.touched = true;
    account.rememberCash();
    this.accounts.add(account);
  }

  /** Call before the holding's shares change. */
  touchShares(holding: Holding): void {
    if (holding.touched) return;
    holding.touched = true;
    holding.sharesBefore = holding.shares;
    this.holdings.add(holding);
  }

  /** Call when volume at a tick changed: only what can be seen in the best levels counts. */
  touchLevel(book: Book, side: BookSide, tick: number): void {
    if (book.published.side(side).shows(tick)) this.touchSide(book, side);
  }

  /** Call when the best levels of one side changed. */
  touchSide(book: Book, side: BookSide): void {
    book.published.side(side).isStale = true;
    this.list(book);
  }

  /** Call when both sides or the book's tradability may have changed. */
  touchBook(book: Book): void {
    book.published.bids.isStale = true;
    book.published.asks.isStale = true;
    this.list(book);
  }

  private list(book: Book): void {
    if (book.touched) return;
    book.touched = true;
    this.books.add(book);
  }

  /** Call when a price or the volume of an event changed. @param mode code */
  touchPrices(event: VenueEvent, mode: number): void {
    if (!event.priceTouched[0] && !event.priceTouched[1]) this.venueEvents.add(event);
    event.priceTouched[mode] = true;
  }
}
