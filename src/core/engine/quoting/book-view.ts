import { PRICE_ONE, type PriceUnits, SHARE_ONE, type Shares } from '../../../domain/units.js';
import type { Touch } from '../../execution/planning/touch.js';
import type { ForeignBook, ForeignSide } from '../../mirror/books/foreign-book.js';
import type { BookLevelView, BookView } from '../../strategy/contract.js';

/** One price level of others, in long-side price units. */
export interface ForeignLevel {
  readonly price: PriceUnits;
  readonly shares: Shares;
}

/** Both sides of a market's book without our own orders, best first. */
export interface ForeignLevels {
  readonly bids: readonly ForeignLevel[];
  readonly asks: readonly ForeignLevel[];
}

/** The book of a market that nobody has looked at. */
export const UNSEEN_BOOK: ForeignLevels = { bids: [], asks: [] };

/** Copies the levels of the mirror's book. */
export const foreignLevelsOf = ({ bids, asks }: ForeignBook, tickUnits: number): ForeignLevels => ({
  bids: levelsOf(bids, tickUnits),
  asks: levelsOf(asks, tickUnits),
});

/** Best prices of others. */
export const touchOf = ({ bids, asks }: ForeignLevels): Touch => ({
  bid: bids[0]?.price ?? null,
  ask: asks[0]?.price ?? null,
});

/** The book as strategies see it: probabilities and whole shares. */
export function bookViewOf(levels: ForeignLevels, { bids, asks, ageMs }: ForeignBook): BookView {
  const [bestBid, bestAsk] = [levels.bids[0], levels.asks[0]];
  const bid = bestBid === undefined ? null : bestBid.price / PRICE_ONE;
  const ask = bestAsk === undefined ? null : bestAsk.price / PRICE_ONE;
  const isTwoSided = bid !== null && ask !== null;
  return {
    bids: levels.bids.map(levelView),
    asks: levels.asks.map(levelView),
    bid,
    ask,
    mid: isTwoSided ? (bid + ask) / 2 : null,
    weightedMid: isTwoSided ? weightedMid(bid, bestBid!.shares, ask, bestAsk!.shares) : null,
    hidden: { bids: bids.hidden, asks: asks.hidden },
    ageMs,
  };
}

/** I ask + (1 - I) bid with I = bid shares / (bid + ask shares) (design notes, "Quoting practice"). */
function weightedMid(bid: number, bidUnits: Shares, ask: number, askUnits: Shares): number {
  const bidShares = bidUnits / SHARE_ONE;
  const imbalance = bidShares / (bidShares + askUnits / SHARE_ONE);
  return imbalance * ask + (1 - imbalance) * bid;
}

const levelView = ({ price, shares }: ForeignLevel): BookLevelView => ({
  price: price / PRICE_ONE,
  shares: shares / SHARE_ONE,
});

function levelsOf(side: ForeignSide, tickUnits: number): readonly ForeignLevel[] {
  const levels: ForeignLevel[] = [];
  for (let level = 0; level < side.count; level++)
    levels.push({ price: (side.tick(level) * tickUnits) as PriceUnits, shares: side.shares(level) });
  return levels;
}
