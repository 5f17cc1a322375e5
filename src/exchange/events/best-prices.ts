import type { PriceUnits } from '../../domain/units.js';
import type { Book } from '../books/books.js';
import { modeAt } from '../codes.js';
import type { BestPricesChangeEvent } from '../contract.js';
import type { Floor } from '../floor.js';
import { BEST_PRICES_CHANGE } from './event-log.js';

const BOOK = 0;
const BID = 1;
const ASK = 2;
const CELLS = 3;

/** @param bid 0: none, as of `ask` */
export function sayBestPrices({ outbox: { log } }: Floor, book: Book, bid: number, ask: number): void {
  const start = log.open(BEST_PRICES_CHANGE, CELLS);
  const { cells } = log;
  cells[start + BOOK] = book.index;
  cells[start + BID] = bid;
  cells[start + ASK] = ask;
}

export function readBestPrices(floor: Floor, start: number): BestPricesChangeEvent {
  const { cells } = floor.outbox.log;
  const { market, mode } = floor.markets.bookAt(cells[start + BOOK] as number);
  return {
    kind: 'best-prices-change',
    marketId: market.id,
    eventId: market.event.id,
    mode: modeAt(mode),
    bid: priceAt(cells, start + BID),
    ask: priceAt(cells, start + ASK),
  };
}

const priceAt = (cells: Float64Array, at: number): PriceUnits | null =>
  cells[at] === 0 ? null : (cells[at] as PriceUnits);
