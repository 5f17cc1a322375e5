/** What the engine tells an observer of a run beside fills, resolutions and requests, which are told where they happen. */
import type { Depth } from '../../../analytics/executable.js';
import type { MarketId } from '../../../domain/ids.js';
import type { PriceChange } from '../../../domain/inputs.js';
import type { Levels } from '../../../domain/levels.js';
import type { Micros, PriceUnits, Shares } from '../../../domain/units.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import type { ForeignSide } from '../../mirror/books/foreign-book.js';
import { type BookPane, UNSEEN_BOOK } from '../quoting/book-view.js';
import { ShownOrders } from '../quoting/shown-orders.js';
import type { EngineObserver } from './observer.js';
import type { EngineParts } from '../parts.js';

/** The book as it was just looked at, and what of ours stands in it. */
export function tellOfMarket(
  observer: EngineObserver,
  market: MarketId,
  book: BookPane,
  working: readonly OwnOrder[],
  now: Micros,
): void {
  if (observer.book !== undefined) {
    const [bid, ask] = [book.bestPrice('bid'), book.bestPrice('ask')];
    observer.book(market, now, bid, book.bestShares('bid'), ask, book.bestShares('ask'));
  }
  observer.standing?.(market, now, working.filter(stands));
}

/** What everybody has traded in an event, where the venue says so. */
export function tellOfVolume({ options, observer }: EngineParts, change: PriceChange, now: Micros): void {
  const isPlay = options.terms.mode === 'play_money';
  const amount = isPlay ? change.volumePlayMoney : change.volumeRealMoney;
  if (amount !== null) observer?.volume?.(change.eventId, now, amount);
}

/** The last known book of a market, less our own shares. */
export function depthOf({ mirror, desk, options }: EngineParts, market: MarketId, now: Micros): Depth {
  const { tickUnits } = mirror.market(market);
  const { graceMs } = options.quoting;
  const shown = new ShownOrders(graceMs);
  const own = shown.in(desk.orders.own(market), tickUnits, mirror.bookAt(market), now, UNSEEN_BOOK);
  const book = mirror.view(market, own, now);
  return { bids: levelsOf(book.bids, tickUnits), asks: levelsOf(book.asks, tickUnits) };
}

const stands = ({ ownership, stage }: OwnOrder): boolean =>
  ownership === 'ours' && (stage === 'open' || stage === 'partial');

function levelsOf(side: ForeignSide, tickUnits: number): Levels {
  const prices: PriceUnits[] = [];
  const shares: Shares[] = [];
  for (let level = 0; level < side.count; level++) {
    prices.push((side.tick(level) * tickUnits) as PriceUnits);
    shares.push(side.shares(level));
  }
  return { prices, shares };
}
