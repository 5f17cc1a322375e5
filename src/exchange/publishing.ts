/** Tells, at the end of a command, what it changed as a whole: specification 6.2 says when, and not otherwise. */
import type { Money, PriceUnits, Shares } from '../domain/units.js';
import type { Account } from './accounts.js';
import type { Book } from './books.js';
import { currencyOf, modeAt, positionAt } from './codes.js';
import type { HalfPriceUnits, MarketPrice, PriceChangeEvent } from './contract.js';
import type { Floor } from './floor.js';
import type { Market, VenueEvent } from './markets.js';
import type { Holding } from './stakes.js';
import { isTradable } from './tradability.js';

/** Publishes and forgets what the running command touched. */
export function publishChanges(floor: Floor): void {
  const { books, venueEvents, holdings, accounts } = floor.outbox;
  for (let place = 0; place < books.count; place++) publishBook(floor, books.at(place));
  for (let place = 0; place < venueEvents.count; place++) publishPrices(floor, venueEvents.at(place));
  for (let place = 0; place < holdings.count; place++) publishHolding(floor, holdings.at(place));
  for (let place = 0; place < accounts.count; place++) publishBalance(floor, accounts.at(place));
  books.clear();
  venueEvents.clear();
  holdings.clear();
  accounts.clear();
}

function publishBook(floor: Floor, book: Book): void {
  book.touched = false;
  if (book.published.refresh(book.matching)) sayTop(floor, book);
  const bid = book.bestBid();
  const ask = book.bestAsk();
  if (isTradable(book.market, floor.now)) publishBest(floor, book, bid, ask);
  publishMid(floor, book, book.midPrice(bid, ask));
}

function publishMid(floor: Floor, { market, mode }: Book, price: HalfPriceUnits | null): void {
  const which = mode === 0 ? 0 : 1;
  if (price === market.prices[which]) return;
  market.prices[which] = price;
  floor.outbox.touchPrices(market.event, which);
}

function sayTop(floor: Floor, book: Book): void {
  const { bids, asks, depth } = book.published;
  floor.outbox.say({
    kind: 'order-book-update',
    marketId: book.market.id,
    eventId: book.market.event.id,
    mode: modeAt(book.mode),
    topN: depth,
    bidPrices: bids.prices,
    bidShares: bids.shares,
    askPrices: asks.prices,
    askShares: asks.shares,
    at: floor.now,
  });
}

function publishBest(floor: Floor, book: Book, bid: PriceUnits | null, ask: PriceUnits | null): void {
  const { published } = book;
  if (published.bestBid === (bid ?? 0) && published.bestAsk === (ask ?? 0)) return;
  published.bestBid = bid ?? 0;
  published.bestAsk = ask ?? 0;
  const { market, mode } = book;
  floor.outbox.say({
    kind: 'best-prices-change',
    marketId: market.id,
    eventId: market.event.id,
    mode: modeAt(mode),
    bid,
    ask,
  });
}

function publishPrices(floor: Floor, event: VenueEvent): void {
  publishPricesOf(floor, event, 0);
  publishPricesOf(floor, event, 1);
}

function publishPricesOf(floor: Floor, event: VenueEvent, mode: 0 | 1): void {
  if (!event.priceTouched[mode]) return;
  event.priceTouched[mode] = false;
  floor.outbox.say(priceChange(floor, event, mode));
  event.histories[mode].record(floor.now, event.markets, mode);
}

function priceChange(floor: Floor, event: VenueEvent, mode: number): PriceChangeEvent {
  return {
    kind: 'price-change',
    eventId: event.id,
    mode: modeAt(mode),
    status: event.status,
    wagerable: event.markets.some((market) => isTradable(market, floor.now)),
    wagersPlayMoney: event.wagers[0] as number,
    wagersRealMoney: event.wagers[1] as number,
    volumePlayMoney: event.volume[0] as Money,
    volumeRealMoney: event.volume[1] as Money,
    markets: event.markets.map(marketPrice),
  };
}

const marketPrice = (market: Market): MarketPrice => ({
  marketId: market.id,
  status: market.status,
  resolution: market.resolution,
  playMoney: market.prices[0],
  realMoney: market.prices[1],
});

function publishHolding(floor: Floor, holding: Holding): void {
  holding.touched = false;
  if (holding.shares === holding.sharesBefore) return;
  const { stake, position, currency, shares } = holding;
  const { market } = stake.book;
  const wager = floor.wagers.at(holding.wager);
  floor.outbox.say({
    kind: 'position-update',
    account: stake.account.id,
    wagerId: wager.id,
    marketId: market.id,
    eventId: market.event.id,
    position: positionAt(position),
    currency: currencyOf(currency),
    shares: shares as Shares,
    purchasesAmount: (shares === 0 ? 0 : wager.cost) as Money,
  });
}

function publishBalance(floor: Floor, account: Account): void {
  account.touched = false;
  if (account.hasChanged()) {
    floor.outbox.say({ kind: 'balance-changed', account: account.id, at: floor.now });
  }
}
