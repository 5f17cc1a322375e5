import { sayTrade } from '../events/trades.js';
import type { Floor } from '../floor.js';
import { opposite } from '../matching/index.js';
import type { SettledTrade } from '../money/trade-register.js';

/** Registers a trade and tells the observers inside the house. */
export function reportTrade(floor: Floor, trade: SettledTrade): void {
  const { book, price, takerSide } = trade;
  book.lastTrade = price;
  floor.outbox.touchSide(book, opposite(takerSide));
  sayTrade(floor, floor.trades.add(trade, floor.orders, floor.now), trade);
}
