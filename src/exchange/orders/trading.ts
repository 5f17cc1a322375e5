import { PRICE_ONE, type Money, type PriceUnits, type Shares, type Ticks } from '../../domain/units.js';
import type { Book } from '../books/books.js';
import { LONG, SHORT } from '../codes.js';
import type { Floor } from '../floor.js';
import { BID, type BookSide } from '../matching/index.js';
import { ownPrice } from '../books/sweep.js';
import { FOREIGN, MINT, REDEEM, TRANSFER } from '../money/trade-register.js';
import { stakeOf } from './order-stake.js';
import { fillOrder } from './filling.js';
import { FILLED, PARTIAL } from './order-rows.js';
import { sayProgress } from '../events/order-updates.js';
import { unlinkOwn } from './own-orders.js';
import { reportTrade } from './trade-reports.js';

/** A trade that the matching engine made; rows, of which one may be {@link FOREIGN}. */
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
  const { book, taker, maker, takerSide, shares } = match;
  const price = book.price(match.tick);
  const takerFee = fillParty(floor, taker, price, shares, book.fees.taker);
  const makerFee = fillParty(floor, maker, price, shares, book.fees.maker);
  if (makerFee < 0 && book.mode === 1) creditRebate(floor, maker, makerFee);
  const settlement = moveCollateral(floor, match, price);
  reportTrade(floor, { book, price, shares, settlement, takerSide, taker, maker, takerFee, makerFee });
  if (maker !== FOREIGN) advanceMaker(floor, maker, shares);
}

function fillParty(floor: Floor, row: number, price: PriceUnits, shares: Shares, rate: number): Money {
  if (row === FOREIGN) return 0 as Money;
  return fillOrder(floor, row, ownPrice(price, floor.orders.position(row)), shares, rate);
}

function creditRebate(floor: Floor, maker: number, fee: Money): void {
  const { account, book } = stakeOf(floor, maker);
  floor.rebates.credit(account.id, book.market.event.id, -fee as Money, floor.now);
}

/** Moves collateral, clearing and others' cash; counts the volume bought. @returns code of the settlement */
function moveCollateral(floor: Floor, match: Match, price: PriceUnits): number {
  const { book, shares } = match;
  const { ledger } = book;
  const bid = match.takerSide === BID ? match.taker : match.maker;
  const ask = match.takerSide === BID ? match.maker : match.taker;
  const bidCurrency = floor.orders.currency(bid === FOREIGN ? ask : bid);
  const askCurrency = floor.orders.currency(ask === FOREIGN ? bid : ask);
  const buysLong = bid === FOREIGN || floor.orders.position(bid) === LONG;
  const sellsLong = ask !== FOREIGN && floor.orders.position(ask) === LONG;
  const shortPrice = PRICE_ONE - price;
  if (bid === FOREIGN) ledger.buyExternally(LONG, bidCurrency, price, shares);
  if (ask === FOREIGN) ledger.buyExternally(SHORT, askCurrency, shortPrice, shares);
  if (buysLong) ledger.holdLongs(bidCurrency, shares);
  if (sellsLong) ledger.holdLongs(askCurrency, -shares);
  ledger.swap(askCurrency, bidCurrency, shortPrice * shares);
  countVolume(floor, book, (buysLong ? price * shares : 0) + (sellsLong ? 0 : shortPrice * shares));
  if (buysLong === sellsLong) return TRANSFER;
  return buysLong ? MINT : REDEEM;
}

/** Volume is what buyers paid. */
export function countVolume(floor: Floor, { market, mode }: Book, amount: number): void {
  const { event } = market;
  event.volume[mode] = (event.volume[mode] as number) + amount;
  floor.outbox.touchPrices(event, mode);
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
