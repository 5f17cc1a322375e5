/** Books what the matching engine traded: money, shares, wagers, collateral, fees and the trade itself. */
import { PRICE_ONE, ZERO_MONEY, type Money, type PriceUnits, type Shares } from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';
import type { Order } from '../accounts/accounts.js';
import type { TradeEvent, TradeParty, WagerActionView } from '../contract.js';
import { ownPrice, type Book } from '../markets/book.js';
import { BID, FOREIGN_ORDER, fromBookSide, opposite, type BookSide } from '../matching/index.js';
import { feeBooked, feeDue, feeReserve } from '../money/ledger.js';
import type { State } from '../state.js';
import { lockCash, sayOrder } from './closing.js';

/** A trade in one book. A party that is null is others' volume. */
interface Trade {
  readonly book: Book;
  /** Long-side. */
  readonly price: PriceUnits;
  readonly shares: Shares;
  readonly takerSide: BookSide;
  readonly taker: Order | null;
  readonly maker: Order | null;
}

/** Settles what the matching engine has just traded for an order. */
export function settleTaker(state: State, taker: Order): void {
  const { fills } = state.markets;
  const { book } = taker.owner;
  for (let entry = 0; entry < fills.count; entry++) {
    const maker = fills.makerId(entry);
    settle(state, {
      book,
      price: book.price(fills.tick(entry)),
      shares: fills.shares(entry),
      takerSide: taker.bookSide,
      taker,
      maker: maker === FOREIGN_ORDER ? null : state.orders.get(maker),
    });
  }
}

/** Settles the fills of our orders that others' volume has just made. @returns the shares filled */
export function settleForeignTaker(state: State, book: Book): Shares {
  const { fills } = state.markets;
  let filled = 0;
  for (let entry = 0; entry < fills.count; entry++) {
    const maker = state.orders.get(fills.makerId(entry));
    const shares = fills.shares(entry);
    filled += shares;
    const price = book.price(fills.tick(entry));
    settle(state, { book, price, shares, takerSide: opposite(maker.bookSide), taker: null, maker });
  }
  return filled as Shares;
}

/** Registers what others traded with each other: price and volume, no money of ours. */
export function reportForeignTrade(state: State, trade: Omit<Trade, 'taker' | 'maker'>): void {
  countVolume(state, trade.book, trade.price * trade.shares);
  const fees = { taker: ZERO_MONEY, maker: ZERO_MONEY };
  report(state, { taker: null, maker: null, ...trade }, 'transfer', fees);
}

/** Books a trade on both sides and tells observers and the maker. Whoever placed the taker tells the taker. */
function settle(state: State, trade: Trade): void {
  const { book, maker, shares } = trade;
  const fees = {
    taker: fill(state, trade.taker, trade, book.fees.taker),
    maker: fill(state, maker, trade, book.fees.maker),
  };
  if (maker !== null && fees.maker < 0 && book.mode === 'real_money')
    state.rebates.credit(maker.owner.account.id, book.market.event.id, -fees.maker as Money, state.now);
  report(state, trade, moveCollateral(state, trade), fees);
  if (maker === null) return;
  const isFilled = maker.filled === maker.requested;
  if (isFilled) maker.owner.remove(maker);
  advance(state, maker, shares, isFilled);
}

/** Tells the owner of an order what was filled, and files the order when it is filled. */
export function advance(state: State, order: Order, delta: Shares, isFilled: boolean): void {
  const previous = order.status;
  order.status = isFilled ? 'filled' : 'partial_filled';
  sayOrder(state, order, previous, delta);
  if (isFilled) state.orders.finish(order);
}

/**
 * Moves money and shares of one order's part of a trade.
 * @param rate fee of its role, money units per whole share
 * @returns the fee it paid, negative for a rebate
 */
function fill(state: State, order: Order | null, { price, shares }: Trade, rate: number): Money {
  if (order === null) return ZERO_MONEY;
  const fee = rate === 0 ? ZERO_MONEY : accrueFee(order, rate * shares);
  const own = ownPrice(price, order.position);
  const amount = (own * shares) as Money;
  order.filled = (order.filled + shares) as Shares;
  order.filledAmount = (order.filledAmount + amount) as Money;
  const action: WagerActionView = {
    id: state.wagers.nextActionId(),
    type: order.side === 'bid' ? 'purchase' : 'sale',
    shares,
    price: own,
    amount,
    fee,
    orderId: order.id,
    at: state.now,
  };
  if (order.side === 'bid') buy(state, order, action);
  else sell(state, order, action);
  return fee;
}

function accrueFee(order: Order, accrued: number): Money {
  const before = order.accruedFee;
  order.accruedFee += accrued;
  const due = (feeDue(order.accruedFee) - feeDue(before)) as Money;
  const booked = (feeBooked(order.accruedFee) - feeBooked(before)) as Money;
  order.owner.book.ledger.bookFee(order.currency, booked, due);
  return due;
}

function buy(state: State, order: Order, action: WagerActionView): void {
  const { owner, position, currency } = order;
  const holding = owner.holding(position, currency);
  shrinkCashLock(state, order);
  state.outbox.touchCash(owner.account);
  state.outbox.touchShares(holding);
  owner.pay(currency, -action.amount - action.fee);
  holding.shares += action.shares;
  state.wagers.buy(holding, action);
}

function sell(state: State, order: Order, action: WagerActionView): void {
  const { owner, position, currency } = order;
  const holding = owner.holding(position, currency);
  const unlocked = Math.min(order.locked, action.shares);
  order.locked -= unlocked;
  holding.locked -= unlocked;
  state.outbox.touchCash(owner.account);
  state.outbox.touchShares(holding);
  owner.pay(currency, action.amount - action.fee);
  holding.shares -= action.shares;
  state.wagers.sell(holding, action);
}

/** Locks what the unfilled rest needs; what a fill got cheaper becomes spendable. */
function shrinkCashLock(state: State, order: Order): void {
  if (order.locked === 0) return;
  const left = (order.requested - order.filled) as Shares;
  const reserve = feeReserve(order.accruedFee, left, order.owner.book.fees.worst);
  const needed = (order.price ?? 0) * left + reserve;
  lockCash(state, order.owner, order.currency, needed - order.locked);
  order.locked = needed;
}

/** Moves collateral, clearing and others' cash, and counts the volume bought. */
function moveCollateral(state: State, trade: Trade): TradeEvent['settlement'] {
  const { book, price, shares } = trade;
  const { ledger } = book;
  const [bid, ask] = trade.takerSide === BID ? [trade.taker, trade.maker] : [trade.maker, trade.taker];
  const bidCurrency = (bid ?? ask)?.currency as Currency;
  const askCurrency = (ask ?? bid)?.currency as Currency;
  const buysLong = bid === null || bid.position === 'long';
  const sellsLong = ask !== null && ask.position === 'long';
  const shortPrice = PRICE_ONE - price;
  if (bid === null) ledger.buyExternally('long', bidCurrency, price, shares);
  if (ask === null) ledger.buyExternally('short', askCurrency, shortPrice, shares);
  if (buysLong) ledger.addLongs(bidCurrency, shares);
  if (sellsLong) ledger.addLongs(askCurrency, -shares);
  ledger.swap(askCurrency, bidCurrency, shortPrice * shares);
  countVolume(state, book, (buysLong ? price * shares : 0) + (sellsLong ? 0 : shortPrice * shares));
  if (buysLong === sellsLong) return 'transfer';
  return buysLong ? 'mint' : 'redeem';
}

/** Volume is what buyers paid. */
function countVolume({ outbox }: State, { market: { event }, mode }: Book, amount: number): void {
  event.volume[mode] += amount;
  outbox.touchPrices(event, mode);
}

/** Registers a trade, as a row that outlives the command, and tells the observers inside the house. */
function report(
  state: State,
  { book, price, shares, takerSide, taker, maker }: Trade,
  settlement: TradeEvent['settlement'],
  fees: { readonly taker: Money; readonly maker: Money },
): void {
  book.lastTrade = price;
  state.outbox.touchSide(book, opposite(takerSide));
  state.lastTradeId += 1;
  const { market, mode } = book;
  const takerBookSide = fromBookSide(takerSide);
  state.addTrade({
    id: state.lastTradeId,
    marketId: market.id,
    mode,
    price,
    shares,
    settlement,
    takerBookSide,
    takerOrderId: taker?.id ?? null,
    makerOrderId: maker?.id ?? null,
    takerAccount: taker?.owner.account.id ?? null,
    makerAccount: maker?.owner.account.id ?? null,
    takerFee: fees.taker,
    makerFee: fees.maker,
    at: state.now,
  });
  state.outbox.say({
    kind: 'trade',
    tradeId: state.lastTradeId,
    marketId: market.id,
    eventId: market.event.id,
    mode,
    price,
    shares,
    settlement,
    takerBookSide,
    taker: partyOf(book, takerSide, taker, fees.taker),
    maker: partyOf(book, opposite(takerSide), maker, fees.maker),
    at: state.now,
  });
}

/** Others always buy: long on the bid side of the book, short on its ask side. */
function partyOf(book: Book, side: BookSide, order: Order | null, fee: Money): TradeParty {
  if (order === null) {
    const position = side === BID ? 'long' : 'short';
    const currency = book.mode === 'play_money' ? 'OOM' : 'USDC';
    return { orderId: null, account: null, side: 'bid', position, currency, fee };
  }
  const { id, owner, position, currency } = order;
  return { orderId: id, account: owner.account.id, side: order.side, position, currency, fee };
}
