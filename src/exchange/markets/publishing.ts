/** Tells, at the end of a command, what it changed as a whole: specification 6.2 says when, and not otherwise. */
import type { Account } from '../money/accounts.js';
import type { Book } from '../books/books.js';
import type { HalfPriceUnits } from '../contract.js';
import { sayBalanceChange } from '../events/balance-changes.js';
import { sayBestPrices } from '../events/best-prices.js';
import { sayBookTop } from '../events/book-tops.js';
import { sayPosition } from '../events/positions.js';
import { sayPrices } from '../events/prices.js';
import type { Floor } from '../floor.js';
import type { VenueEvent } from './markets.js';
import type { Holding } from '../money/stakes.js';
import { isTradable } from './tradability.js';

/** Publishes and forgets what the running command touched. */
export function publishChanges(floor: Floor): void {
  const { books, venueEvents, holdings, accounts } = floor.outbox;
  for (let place = 0; place < books.count; place++) publishBook(floor, books.at(place));
  for (let place = 0; place < venueEvents.count; place++) publishPrices(floor, venueEvents.at(place));
  for (let place = 0; place < holdings.count; place++) publishHolding(floor, holdings.at(place));
  for (let place = 0; place < accounts.count; place++) publishBalance(floor, accounts.at(place));
  books.clear();
  venueEvents.clear();
  holdings.clear();
  accounts.clear();
}

function publishBook(floor: Floor, book: Book): void {
  book.touched = false;
  if (book.published.refresh(book.matching)) sayBookTop(floor, book);
  const bid = book.bestBid();
  const ask = book.bestAsk();
  if (isTradable(book.market, floor.now)) publishBest(floor, book, bid ?? 0, ask ?? 0);
  publishMid(floor, book, book.midPrice(bid, ask));
}

function publishMid(floor: Floor, { market, mode }: Book, price: HalfPriceUnits | null): void {
  const which = mode === 0 ? 0 : 1;
  if (price === market.prices[which]) return;
  market.prices[which] = price;
  floor.outbox.touchPrices(market.event, which);
}

function publishBest(floor: Floor, book: Book, bid: number, ask: number): void {
  const { published } = book;
  if (published.bestBid === bid && published.bestAsk === ask) return;
  published.bestBid = bid;
  published.bestAsk = ask;
  sayBestPrices(floor, book, bid, ask);
}

function publishPrices(floor: Floor, event: VenueEvent): void {
  publishPricesOf(floor, event, 0);
  publishPricesOf(floor, event, 1);
}

function publishPricesOf(floor: Floor, event: VenueEvent, mode: 0 | 1): void {
  if (!event.priceTouched[mode]) return;
  event.priceTouched[mode] = false;
  sayPrices(floor, event, mode);
  event.histories[mode].record(floor.now, event.markets, mode);
}

function publishHolding(floor: Floor, holding: Holding): void {
  holding.touched = false;
  if (holding.shares !== holding.sharesBefore) sayPosition(floor, holding);
}

function publishBalance(floor: Floor, account: Account): void {
  account.touched = false;
  if (account.hasChanged()) sayBalanceChange(floor, account);
}
