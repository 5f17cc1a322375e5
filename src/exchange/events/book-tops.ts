import type { Micros } from '../../domain/units.js';
import type { Book } from '../books/books.js';
import { modeAt } from '../codes.js';
import type { OrderBookUpdateEvent } from '../contract.js';
import type { Floor } from '../floor.js';
import { ORDER_BOOK_UPDATE } from './event-log.js';

const BOOK = 0;
const AT = 1;
const CELLS = 2;

/** Says that a book's best levels have changed; which they are stands in the book until the next command. */
export function sayBookTop({ outbox: { log }, now }: Floor, book: Book): void {
  const start = log.open(ORDER_BOOK_UPDATE, CELLS);
  const { cells } = log;
  cells[start + BOOK] = book.index;
  cells[start + AT] = now;
}

export function readBookTop(floor: Floor, start: number): OrderBookUpdateEvent {
  const { cells } = floor.outbox.log;
  const { market, mode, published } = floor.markets.bookAt(cells[start + BOOK] as number);
  const { tickUnits } = market.config;
  return {
    kind: 'order-book-update',
    marketId: market.id,
    eventId: market.event.id,
    mode: modeAt(mode),
    topN: published.depth,
    bids: published.bids.told(tickUnits),
    asks: published.asks.told(tickUnits),
    at: cells[start + AT] as Micros,
  };
}
