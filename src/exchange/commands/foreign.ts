/** Others' volume as a recording states it (architecture, "Others' liquidity in the matching engine"). */
import type { MarketId } from '../contract/ids.js';
import type { Shares, Ticks } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type {
  ForeignMoment,
  ForeignOrder,
  ForeignOutcome,
  ForeignPrint,
  SetForeignBook,
} from '../contract.js';
import type { Book } from '../markets/book.js';
import { foreignLine, isSize } from '../markets/foreign-book.js';
import { applyForeignLine } from '../markets/lifecycle.js';
import { isTradable } from '../markets/markets.js';
import { opposite, toBookSide, type BookSide } from '../matching/index.js';
import { reportForeignTrade, settleForeignTaker } from '../orders/trading.js';
import type { State } from '../state.js';

const TAKEN: ForeignOutcome = { ok: true };
const REFUSED: ForeignOutcome = { ok: false };

/** Sets others' absolute volume. */
export function executeSetForeignBook(state: State, command: SetForeignBook): ForeignOutcome {
  const book = bookOf(state, command.marketId, command.mode);
  const line = book === null ? null : foreignLine(book.market, command);
  if (book === null || line === null || !book.foreign.admit(command)) return REFUSED;
  applyForeignLine(state, book, line);
  return TAKEN;
}

/** Trades of others: better-priced orders of ours are filled first. Nothing happens while the market is closed. */
export function executeForeignPrint(state: State, command: ForeignPrint): ForeignOutcome {
  const book = bookOf(state, command.marketId, command.mode);
  if (book === null) return REFUSED;
  const { market } = book;
  const tick = command.price / market.config.tickUnits;
  if (!market.isTick(tick) || !isSize(command.shares)) return REFUSED;
  if (isTradable(market, state.now)) print(state, book, toBookSide(command.takerSide), tick, command.shares);
  return TAKEN;
}

/** Prints and the book they led to, published as one change. */
export function executeForeignMoment(state: State, command: ForeignMoment): ForeignOutcome {
  const book = bookOf(state, command.marketId, command.mode);
  if (book === null || !book.foreign.admit(command)) return REFUSED;
  if (isTradable(book.market, state.now))
    for (const { takerSide, tick, shares } of command.prints)
      print(state, book, toBookSide(takerSide), tick as Ticks, shares);
  if (command.book !== null) applyForeignLine(state, book, command.book);
  return TAKEN;
}

/** An order of others joins a queue or leaves it, each in its place. */
export function executeForeignOrder(state: State, command: ForeignOrder): ForeignOutcome {
  const book = bookOf(state, command.marketId, command.mode);
  if (book === null || !book.foreign.admit(command)) return REFUSED;
  const side = toBookSide(command.side);
  book.matching.recordOrder(side, command);
  state.outbox.touchSide(book, side);
  state.outbox.touchSide(book, opposite(side));
  settleForeignTaker(state, book);
  return TAKEN;
}

function print(state: State, book: Book, takerSide: BookSide, tick: Ticks, shares: Shares): void {
  const { matching, foreign } = book;
  if (foreign.isOpen) matching.recordPrint(takerSide, tick, shares);
  else matching.take(takerSide, tick, shares);
  state.outbox.touchLevel(book, opposite(takerSide), tick);
  const others = (shares - settleForeignTaker(state, book)) as Shares;
  if (others > 0) reportForeignTrade(state, { book, takerSide, price: book.price(tick), shares: others });
}

function bookOf({ markets }: State, id: MarketId, mode: CurrencyMode): Book | null {
  const market = markets.market(id);
  return market === null ? null : markets.book(market, mode);
}
