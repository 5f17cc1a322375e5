import type { Money } from '../../domain/units.js';
import type { Book } from '../books.js';
import { currencyOf, modeAt } from '../codes.js';
import type { TradeEvent, TradeParty } from '../contract.js';
import type { Floor } from '../floor.js';
import { BID, fromBookSide, opposite, type BookSide } from '../matching/index.js';
import { stakeOf } from './order-stake.js';
import { kindOf } from './order-words.js';
import { FOREIGN, SETTLEMENTS, type SettledTrade } from '../trade-register.js';

/** Registers a trade and tells the observers inside the house. */
export function reportTrade(floor: Floor, trade: SettledTrade): void {
  const { book, price, shares, takerSide } = trade;
  book.lastTrade = price;
  floor.outbox.touchSide(book, opposite(takerSide));
  floor.outbox.say({
    kind: 'trade',
    tradeId: floor.trades.add(trade, floor.orders, floor.now),
    marketId: book.market.id,
    eventId: book.market.event.id,
    mode: modeAt(book.mode),
    price,
    shares,
    settlement: SETTLEMENTS[trade.settlement] as TradeEvent['settlement'],
    takerBookSide: fromBookSide(takerSide),
    taker: party(floor, book, trade.taker, takerSide, trade.takerFee),
    maker: party(floor, book, trade.maker, opposite(takerSide), trade.makerFee),
    at: floor.now,
  });
}

function party(floor: Floor, book: Book, row: number, side: BookSide, fee: Money): TradeParty {
  if (row === FOREIGN) return foreignParty(book, side);
  const { orders } = floor;
  const { side: ownSide, position, currency } = kindOf(orders, row);
  return {
    orderId: orders.id(row),
    account: stakeOf(floor, row).account.id,
    side: ownSide,
    position,
    currency,
    fee,
  };
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
