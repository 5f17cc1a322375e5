import type { Micros, PriceUnits, Shares } from '../../domain/units.js';
import type { Book } from '../books.js';
import { modeAt } from '../codes.js';
import type { OrderBookUpdateEvent } from '../contract.js';
import type { Floor } from '../floor.js';
import type { PublishedSide } from '../published-top.js';
import { ORDER_BOOK_UPDATE } from './event-log.js';

const BOOK = 0;
const AT = 1;
const BIDS = 2;
const ASKS = 3;
/** From here on a tick and shares for each bid, then for each ask, best first. */
const LEVELS = 4;
const LEVEL_CELLS = 2;

/** Says what a book's best levels have become. */
export function sayBookTop({ outbox: { log }, now }: Floor, book: Book): void {
  const { bids, asks } = book.published;
  const start = log.open(ORDER_BOOK_UPDATE, LEVELS + LEVEL_CELLS * (bids.count + asks.count));
  const { cells } = log;
  cells[start + BOOK] = book.index;
  cells[start + AT] = now;
  cells[start + BIDS] = bids.count;
  cells[start + ASKS] = asks.count;
  writeLevels(bids, cells, start + LEVELS);
  writeLevels(asks, cells, start + LEVELS + LEVEL_CELLS * bids.count);
}

function writeLevels({ count, ticks, sizes }: PublishedSide, cells: Float64Array, start: number): void {
  for (let level = 0, at = start; level < count; level++, at += LEVEL_CELLS) {
    cells[at] = ticks[level] as number;
    cells[at + 1] = sizes[level] as number;
  }
}

export function readBookTop(floor: Floor, start: number): OrderBookUpdateEvent {
  const { cells } = floor.outbox.log;
  const book = floor.markets.bookAt(cells[start + BOOK] as number);
  const bids = cells[start + BIDS] as number;
  const asks = cells[start + ASKS] as number;
  const { tickUnits } = book.market.config;
  const firstAsk = start + LEVELS + LEVEL_CELLS * bids;
  return {
    kind: 'order-book-update',
    marketId: book.market.id,
    eventId: book.market.event.id,
    mode: modeAt(book.mode),
    topN: book.published.depth,
    bidPrices: readPrices(cells, start + LEVELS, bids, tickUnits),
    bidShares: readShares(cells, start + LEVELS, bids),
    askPrices: readPrices(cells, firstAsk, asks, tickUnits),
    askShares: readShares(cells, firstAsk, asks),
    at: cells[start + AT] as Micros,
  };
}

function readPrices(cells: Float64Array, start: number, count: number, tickUnits: number): PriceUnits[] {
  const prices: PriceUnits[] = [];
  for (let level = 0; level < count; level++)
    prices.push(((cells[start + LEVEL_CELLS * level] as number) * tickUnits) as PriceUnits);
  return prices;
}

function readShares(cells: Float64Array, start: number, count: number): Shares[] {
  const shares: Shares[] = [];
  for (let level = 0; level < count; level++) shares.push(cells[start + LEVEL_CELLS * level + 1] as Shares);
  return shares;
}
