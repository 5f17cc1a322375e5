import { PRICE_ONE, SHARE_ONE } from '../domain/units.js';
import type { ForeignBook, ForeignSide } from '../mirror/foreign-book.js';
import type { BookLevelView, BookView } from '../strategy/contract.js';

/** The mirror's foreign book as strategies see it: probabilities and whole shares. */
export function bookViewOf(book: ForeignBook, tickUnits: number): BookView {
  const bids = levelsOf(book.bids, tickUnits);
  const asks = levelsOf(book.asks, tickUnits);
  const bid = bids[0] ?? null;
  const ask = asks[0] ?? null;
  return {
    bids,
    asks,
    bid: bid?.price ?? null,
    ask: ask?.price ?? null,
    mid: bid === null || ask === null ? null : (bid.price + ask.price) / 2,
    weightedMid: weightedMid(bid, ask),
    hidden: { bids: book.bids.hidden, asks: book.asks.hidden },
    ageMs: book.ageMs,
  };
}

function levelsOf(side: ForeignSide, tickUnits: number): readonly BookLevelView[] {
  const levels: BookLevelView[] = [];
  for (let level = 0; level < side.count; level++)
    levels.push({
      price: (side.tick(level) * tickUnits) / PRICE_ONE,
      shares: side.shares(level) / SHARE_ONE,
    });
  return levels;
}

/** I ask + (1 - I) bid with I = bid shares / (bid + ask shares) (design notes, "Quoting practice"). */
function weightedMid(bid: BookLevelView | null, ask: BookLevelView | null): number | null {
  if (bid === null || ask === null) return null;
  const imbalance = bid.shares / (bid.shares + ask.shares);
  return imbalance * ask.price + (1 - imbalance) * bid.price;
}
