/** What others' volume does to our orders when it is the aggressor. */
import { ZERO_MONEY, ZERO_SHARES, type PriceUnits, type Shares } from '../../domain/units.js';
import type { Book } from '../books/books.js';
import type { ForeignLine } from '../books/foreign-book.js';
import type { Floor } from '../floor.js';
import { ASK, BID, opposite, type BookSide } from '../matching/index.js';
import { isTradable } from '../markets/tradability.js';
import { FOREIGN, TRANSFER } from '../money/trade-register.js';
import { reportTrade } from './trade-reports.js';
import { countVolume, settleMatch } from './trading.js';

/** Applies a recorded line; while the market is not tradable the latest one waits for it. */
export function applyForeignLine(floor: Floor, book: Book, line: ForeignLine): void {
  const { foreign } = book;
  if (!isTradable(book.market, floor.now)) return foreign.wait(line);
  foreign.waiting = null;
  foreign.set(line);
  if (book.matching.othersChanged(BID)) floor.outbox.touchSide(book, BID);
  if (book.matching.othersChanged(ASK)) floor.outbox.touchSide(book, ASK);
  settleForeignTaker(floor, book);
}

/** Settles the fills of our orders that others' volume has just made. @returns the shares filled */
export function settleForeignTaker(floor: Floor, book: Book): Shares {
  const { fills } = floor.markets;
  let filled = ZERO_SHARES;
  for (let entry = 0; entry < fills.count; entry++) {
    const maker: number = fills.makerId(entry);
    const takerSide = opposite(floor.orders.bookSide(maker));
    const shares = fills.shares(entry);
    filled = (filled + shares) as Shares;
    settleMatch(floor, { book, taker: FOREIGN, maker, takerSide, tick: fills.tick(entry), shares });
  }
  return filled;
}

/** Registers what others traded with each other: price and volume, no money of ours. */
export function reportForeignTrade(
  floor: Floor,
  trade: {
    readonly book: Book;
    readonly takerSide: BookSide;
    readonly price: PriceUnits;
    readonly shares: Shares;
  },
): void {
  const { book, takerSide, price, shares } = trade;
  countVolume(floor, book, price * shares);
  reportTrade(floor, {
    book,
    price,
    shares,
    takerSide,
    settlement: TRANSFER,
    taker: FOREIGN,
    maker: FOREIGN,
    takerFee: ZERO_MONEY,
    makerFee: ZERO_MONEY,
  });
}
