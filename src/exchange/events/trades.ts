import type { AccountId, OrderId } from '../../domain/ids.js';
import type { Micros, Money, PriceUnits, Shares } from '../../domain/units.js';
import type { Book } from '../books/books.js';
import { currencyOf, modeAt } from '../codes.js';
import type { TradeEvent, TradeParty } from '../contract.js';
import type { Floor } from '../floor.js';
import { BID, fromBookSide, opposite, type BookSide } from '../matching/index.js';
import { orderKind } from '../orders/order-words.js';
import { FOREIGN, SETTLEMENTS, type SettledTrade } from '../money/trade-register.js';
import { TRADE } from './event-log.js';

const ID = 0;
const BOOK = 1;
const PRICE = 2;
const SHARES = 3;
const SETTLEMENT = 4;
const TAKER_SIDE = 5;
const AT = 6;
const TAKER = 7;
const MAKER = 11;
const CELLS = 15;

/** Of a party; its order is 0 when it is {@link FOREIGN}. */
const ORDER = 0;
const ACCOUNT = 1;
const KIND = 2;
const FEE = 3;

/** Says a trade. @param id in the register */
export function sayTrade(floor: Floor, id: number, trade: SettledTrade): void {
  const { log } = floor.outbox;
  const start = log.open(TRADE, CELLS);
  const { cells } = log;
  cells[start + ID] = id;
  cells[start + BOOK] = trade.book.index;
  cells[start + PRICE] = trade.price;
  cells[start + SHARES] = trade.shares;
  cells[start + SETTLEMENT] = trade.settlement;
  cells[start + TAKER_SIDE] = trade.takerSide;
  cells[start + AT] = floor.now;
  writeParty(floor, start + TAKER, trade.taker, trade.takerFee);
  writeParty(floor, start + MAKER, trade.maker, trade.makerFee);
}

function writeParty({ orders, outbox: { log } }: Floor, start: number, row: number, fee: Money): void {
  const { cells } = log;
  cells[start + ORDER] = row === FOREIGN ? 0 : orders.id(row);
  if (row === FOREIGN) return;
  cells[start + ACCOUNT] = orders.account(row);
  cells[start + KIND] = orders.kind(row);
  cells[start + FEE] = fee;
}

export function readTrade(floor: Floor, start: number): TradeEvent {
  const { cells } = floor.outbox.log;
  const book = floor.markets.bookAt(cells[start + BOOK] as number);
  const takerSide = cells[start + TAKER_SIDE] as BookSide;
  return {
    kind: 'trade',
    tradeId: cells[start + ID] as number,
    marketId: book.market.id,
    eventId: book.market.event.id,
    mode: modeAt(book.mode),
    price: cells[start + PRICE] as PriceUnits,
    shares: cells[start + SHARES] as Shares,
    settlement: SETTLEMENTS[cells[start + SETTLEMENT] as number] as TradeEvent['settlement'],
    takerBookSide: fromBookSide(takerSide),
    taker: readParty(floor, book, start + TAKER, takerSide),
    maker: readParty(floor, book, start + MAKER, opposite(takerSide)),
    at: cells[start + AT] as Micros,
  };
}

function readParty(floor: Floor, book: Book, start: number, bookSide: BookSide): TradeParty {
  const { cells } = floor.outbox.log;
  const orderId = cells[start + ORDER] as OrderId;
  if (orderId === 0) return foreignParty(book, bookSide);
  const { side, position, currency } = orderKind(cells[start + KIND] as number);
  const account: AccountId = floor.accounts.at(cells[start + ACCOUNT] as number).id;
  return { orderId, account, side, position, currency, fee: cells[start + FEE] as Money };
}

/** Others always buy: long on the bid side of the book, short on its ask side. */
const foreignParty = (book: Book, side: BookSide): TradeParty => ({
  orderId: null,
  account: null,
  side: 'bid',
  position: side === BID ? 'long' : 'short',
  currency: currencyOf(book.mode),
  fee: 0 as Money,
});
