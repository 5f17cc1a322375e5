/** Others' liquidity as a recording states it (architecture, "Others' liquidity in the matching engine"). */
import type { MarketId } from '../../domain/ids.js';
import type { Shares, Ticks } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type { Book } from '../books/books.js';
import { modeCode } from '../codes.js';
import type {
  ForeignMoment,
  ForeignOrder,
  ForeignOutcome,
  ForeignPrint,
  SetForeignBook,
} from '../contract.js';
import type { Floor } from '../floor.js';
import { foreignLine, isSize, isTick } from '../books/foreign-book.js';
import { opposite, toBookSide, type BookSide } from '../matching/index.js';
import { applyForeignLine, reportForeignTrade, settleForeignTaker } from '../orders/foreign-trading.js';
import { isTradable } from '../markets/tradability.js';

const TAKEN: ForeignOutcome = { ok: true };
const REFUSED: ForeignOutcome = { ok: false };

/** Sets others' absolute volume. */
export function executeSetForeignBook(floor: Floor, command: SetForeignBook): ForeignOutcome {
  const book = bookOf(floor, command.marketId, command.mode);
  const line = book === null ? null : foreignLine(book.market, command);
  if (book === null || line === null || !book.foreign.admit(command)) return REFUSED;
  applyForeignLine(floor, book, line);
  return TAKEN;
}

/** Trades of others: better-priced orders of ours are filled first. Nothing happens while the market is closed. */
export function executeForeignPrint(floor: Floor, command: ForeignPrint): ForeignOutcome {
  const book = bookOf(floor, command.marketId, command.mode);
  if (book === null) return REFUSED;
  const tick = command.price / book.market.config.tickUnits;
  if (!isTick(book.market, tick) || !isSize(command.shares)) return REFUSED;
  if (isTradable(book.market, floor.now)) {
    print(floor, book, toBookSide(command.takerSide), tick, command.shares);
  }
  return TAKEN;
}

/** Prints and the book they led to, without a look at the book in between. */
export function executeForeignMoment(floor: Floor, command: ForeignMoment): ForeignOutcome {
  const book = bookOf(floor, command.marketId, command.mode);
  if (book === null || !book.foreign.admit(command)) return REFUSED;
  if (command.prints.length > 0 && isTradable(book.market, floor.now)) {
    for (const { takerSide, tick, shares } of command.prints)
      print(floor, book, toBookSide(takerSide), tick as Ticks, shares);
  }
  if (command.book !== null) applyForeignLine(floor, book, command.book);
  return TAKEN;
}

/** An order of others joins a queue or leaves it, each in its place. */
export function executeForeignOrder(floor: Floor, command: ForeignOrder): ForeignOutcome {
  const book = bookOf(floor, command.marketId, command.mode);
  if (book === null || !book.foreign.admit(command)) return REFUSED;
  const side = toBookSide(command.side);
  book.matching.recordOrder(side, command);
  floor.outbox.touchSide(book, side);
  floor.outbox.touchSide(book, opposite(side));
  settleForeignTaker(floor, book);
  return TAKEN;
}

function print(floor: Floor, book: Book, takerSide: BookSide, tick: Ticks, shares: Shares): void {
  const { matching, foreign } = book;
  if (foreign.isOpen) matching.recordPrint(takerSide, tick, shares);
  else matching.take(takerSide, tick, shares);
  floor.outbox.touchLevel(book, opposite(takerSide), tick);
  const others = (shares - settleForeignTaker(floor, book)) as Shares;
  if (others > 0) reportForeignTrade(floor, { book, takerSide, price: book.price(tick), shares: others });
}

function bookOf(floor: Floor, id: MarketId, mode: CurrencyMode): Book | null {
  const market = floor.markets.market(id);
  return market === null ? null : floor.markets.book(market, modeCode(mode));
}
