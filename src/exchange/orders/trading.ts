import { PRICE_ONE, type Money, type PriceUnits, type Shares, type Ticks } from '../../domain/units.js';
import type { Book } from '../books.js';
import { currencyOf, LONG, modeAt, positionAt, SHORT, sideAt } from '../codes.js';
import type { TradeEvent, TradeParty } from '../contract.js';
import type { Floor } from '../floor.js';
import { BID, fromBookSide, type BookSide } from '../matching/index.js';
import { MINT, REDEEM, SETTLEMENTS, TRANSFER } from '../trade-register.js';
import { stakeOf } from './closing.js';
import { fillOrder } from './filling.js';
import { FILLED, PARTIAL } from './order-rows.js';
import { sayProgress } from './order-updates.js';
import { unlinkOwn } from './own-orders.js';

/** Row of volume that is nobody's order here. */
export const FOREIGN = 0;

/** A trade that the matching engine made; rows, or {@link FOREIGN}. */
export interface Match {
  readonly book: Book;
  readonly taker: number;
  readonly maker: number;
  readonly takerSide: BookSide;
  readonly tick: Ticks;
  readonly shares: Shares;
}

/** Books a trade on both sides, tells the observers and the maker. The taker is told by whoever placed it. */
export function settleMatch(floor: Floor, match: Match): void {
  const { book, taker, maker, shares } = match;
  const price = book.price(match.tick);
  const takerFee = fillParty(floor, taker, price, shares, book.fees.taker);
  const makerFee = fillParty(floor, maker, price, shares, book.fees.maker);
  if (makerFee < 0 && book.mode === 1) creditRebate(floor, maker, makerFee);
  const settlement = moveCollateral(floor, match, price);
  tellTrade(floor, match, price, settlement, takerFee, makerFee);
  book.lastTrade = price;
  floor.outbox.touchBook(book);
  if (maker !== FOREIGN) advanceMaker(floor, maker, shares);
}

function fillParty(floor: Floor, row: number, price: PriceUnits, shares: Shares, rate: number): Money {
  if (row === FOREIGN) return 0 as Money;
  const own = floor.orders.position(row) === LONG ? price : PRICE_ONE - price;
  return fillOrder(floor, { row, price: own, shares, rate });
}

function creditRebate(floor: Floor, maker: number, fee: Money): void {
  const { account, book } = stakeOf(floor, maker);
  floor.rebates.credit(account.id, book.market.event.id, -fee as Money, floor.now);
}

/** Moves collateral, clearing and others' cash; counts the volume bought. @returns code of the settlement */
function moveCollateral(floor: Floor, match: Match, price: PriceUnits): number {
  const { book, shares } = match;
  const bid = match.takerSide === BID ? match.taker : match.maker;
  const ask = match.takerSide === BID ? match.maker : match.taker;
  const currencyOfBid = currencyFor(floor, book, bid, ask);
  const currencyOfAsk = currencyFor(floor, book, ask, bid);
  const buysLong = bid === FOREIGN || floor.orders.position(bid) === LONG;
  const sellsLong = ask !== FOREIGN && floor.orders.position(ask) === LONG;
  const shortValue = (PRICE_ONE - price) * shares;
  const { ledger } = book;
  if (bid === FOREIGN) ledger.buyExternally(LONG, currencyOfBid, price, shares);
  if (ask === FOREIGN) ledger.buyExternally(SHORT, currencyOfAsk, PRICE_ONE - price, shares);
  if (buysLong) ledger.holdLongs(currencyOfBid, shares);
  if (sellsLong) ledger.holdLongs(currencyOfAsk, -shares);
  ledger.swap(currencyOfAsk, currencyOfBid, shortValue);
  countVolume(floor, book, (buysLong ? price * shares : 0) + (sellsLong ? 0 : shortValue));
  if (buysLong === sellsLong) return TRANSFER;
  return buysLong ? MINT : REDEEM;
}

/** Others' volume trades in the currency of whom it meets; among itself in the first one of its mode. */
function currencyFor({ orders }: Floor, book: Book, row: number, counterparty: number): number {
  if (row !== FOREIGN) return orders.currency(row);
  return counterparty === FOREIGN ? book.mode : orders.currency(counterparty);
}

function countVolume(floor: Floor, { market, mode }: Book, amount: number): void {
  const { event } = market;
  event.volume[mode] = (event.volume[mode] as number) + amount;
  floor.outbox.touchPrices(event, mode);
}

function tellTrade(
  floor: Floor,
  match: Match,
  price: PriceUnits,
  settlement: number,
  takerFee: Money,
  makerFee: Money,
): void {
  const { book, taker, maker, takerSide, shares } = match;
  const tradeId = floor.trades.add({
    book: book.index,
    price,
    shares,
    settlement,
    takerBookSide: takerSide,
    taker: registered(floor, taker, takerFee),
    maker: registered(floor, maker, makerFee),
    at: floor.now,
  });
  floor.outbox.say({
    kind: 'trade',
    tradeId,
    marketId: book.market.id,
    eventId: book.market.event.id,
    mode: modeAt(book.mode),
    price,
    shares,
    settlement: SETTLEMENTS[settlement] as TradeEvent['settlement'],
    takerBookSide: fromBookSide(takerSide),
    taker: taker === FOREIGN ? foreignParty(book, takerSide) : party(floor, taker, takerFee),
    maker:
      maker === FOREIGN ? foreignParty(book, (1 - takerSide) as BookSide) : party(floor, maker, makerFee),
    at: floor.now,
  });
}

function registered({ orders }: Floor, row: number, fee: Money) {
  return row === FOREIGN
    ? { orderId: 0, account: -1, fee }
    : { orderId: orders.id(row), account: orders.account(row), fee };
}

function party({ orders, accounts }: Floor, row: number, fee: Money): TradeParty {
  return {
    orderId: orders.id(row),
    account: accounts.at(orders.account(row)).id,
    side: sideAt(orders.side(row)),
    position: positionAt(orders.position(row)),
    currency: currencyOf(orders.currency(row)),
    fee,
  };
}

/** Others always buy: long on the bid side of the book, short on its ask side. */
function foreignParty(book: Book, side: BookSide): TradeParty {
  const position = side === BID ? 'long' : 'short';
  const currency = currencyOf(book.mode);
  return { orderId: null, account: null, side: 'bid', position, currency, fee: 0 as Money };
}

function advanceMaker(floor: Floor, row: number, delta: Shares): void {
  const { orders } = floor;
  const previous = orders.status(row);
  const isFilled = orders.filled(row) === orders.requested(row);
  if (isFilled) unlinkOwn(orders, stakeOf(floor, row), row);
  orders.setStatus(row, isFilled ? FILLED : PARTIAL);
  sayProgress(floor, row, previous, delta);
  if (isFilled) orders.finish(row);
}
