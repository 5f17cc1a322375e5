import { PRICE_ONE, SHARE_ONE, type Shares } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { ForeignBook, ForeignSide } from '../../mirror/foreign-book.js';
import type { BookLevelView, BookView } from '../../strategy/contract.js';

/**
 * The mirror's foreign book as strategies see it: probabilities and whole shares. It can be filled again, which costs
 * no memory: most of what a look at a book used to leave behind were its levels.
 */
export class BookPane implements BookView {
  readonly bids: BookLevel[] = [];
  readonly asks: BookLevel[] = [];
  bid: number | null = null;
  ask: number | null = null;
  mid: number | null = null;
  weightedMid: number | null = null;
  readonly hidden = { bids: false, asks: false };
  ageMs = Infinity;

  /** @returns itself, showing that book until the next call */
  show(book: ForeignBook, tickUnits: number): BookView {
    fill(this.bids, book.bids, tickUnits);
    fill(this.asks, book.asks, tickUnits);
    const bid = this.bids[0] ?? null;
    const ask = this.asks[0] ?? null;
    this.bid = bid === null ? null : bid.price;
    this.ask = ask === null ? null : ask.price;
    this.mid = bid === null || ask === null ? null : (bid.price + ask.price) / 2;
    this.weightedMid = weightedMid(bid, ask);
    this.hidden.bids = book.bids.hidden;
    this.hidden.asks = book.asks.hidden;
    this.ageMs = book.ageMs;
    return this;
  }

  /** Shares at a price, in price units of the long side; 0 where it shows no such level. */
  foreignAt(side: Side, longPrice: number): Shares {
    for (const { price, shares } of side === 'bid' ? this.bids : this.asks)
      if (Math.round(price * PRICE_ONE) === longPrice) return Math.round(shares * SHARE_ONE) as Shares;
    return 0 as Shares;
  }
}

/** The book of a market that nobody has looked at. */
export const UNSEEN_BOOK = new BookPane();

type BookLevel = { -readonly [K in keyof BookLevelView]: BookLevelView[K] };

function fill(levels: BookLevel[], side: ForeignSide, tickUnits: number): void {
  if (levels.length > side.count) levels.length = side.count;
  for (let at = 0; at < side.count; at++) {
    const price = (side.tick(at) * tickUnits) / PRICE_ONE;
    const shares = side.shares(at) / SHARE_ONE;
    const level = levels[at];
    if (level === undefined) levels.push({ price, shares });
    else {
      level.price = price;
      level.shares = shares;
    }
  }
}

/** I ask + (1 - I) bid with I = bid shares / (bid + ask shares) (design notes, "Quoting practice"). */
function weightedMid(bid: BookLevelView | null, ask: BookLevelView | null): number | null {
  if (bid === null || ask === null) return null;
  const imbalance = bid.shares / (bid.shares + ask.shares);
  return imbalance * ask.price + (1 - imbalance) * bid.price;
}
