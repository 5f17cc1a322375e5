/** What the engine tells an observer of a run beside fills, resolutions and requests, which are told where they happen. */
import type { Depth } from '../../../analytics/series.js';
import type { MarketId } from '../../../domain/ids.js';
import type { PriceChange } from '../../../domain/inputs.js';
import type { Levels } from '../../../domain/levels.js';
import { type Micros, ZERO_SHARES } from '../../../domain/units.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import { type ForeignLevel, foreignLevelsOf, type ForeignLevels, UNSEEN_BOOK } from '../quoting/book-view.js';
import { ownInBook } from '../quoting/own-in-book.js';
import type { EngineObserver } from './observer.js';
import type { EngineParts } from '../parts.js';

/** The book as it was just looked at, and what of ours stands in it. */
export function tellOfMarket(
  observer: EngineObserver,
  market: MarketId,
  { bids: [bid], asks: [ask] }: ForeignLevels,
  working: readonly OwnOrder[],
  now: Micros,
): void {
  const [bidShares, askShares] = [bid?.shares ?? ZERO_SHARES, ask?.shares ?? ZERO_SHARES];
  observer.book?.(market, now, bid?.price ?? null, bidShares, ask?.price ?? null, askShares);
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
  const book = { tickUnits, bookAt: mirror.bookAt(market), graceMs, now, seen: UNSEEN_BOOK };
  const own = ownInBook(desk.orders.own(market), book);
  const { bids, asks } = foreignLevelsOf(mirror.view(market, own, now), tickUnits);
  return { bids: depthLevelsOf(bids), asks: depthLevelsOf(asks) };
}

const stands = ({ ownership, stage }: OwnOrder): boolean =>
  ownership === 'ours' && (stage === 'open' || stage === 'partial');

const depthLevelsOf = (levels: readonly ForeignLevel[]): Levels => ({
  prices: levels.map(({ price }) => price),
  shares: levels.map(({ shares }) => shares),
});
