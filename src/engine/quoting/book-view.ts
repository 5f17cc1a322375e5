import {
  PRICE_ONE,
  type PriceUnits,
  SHARE_ONE,
  type Shares,
  type Ticks,
  ticksToPrice,
} from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { Touch } from '../../execution/planning/touch.js';
import type { ForeignBook, ForeignSide } from '../../mirror/foreign-book.js';
import type { BookLevelView, BookView } from '../../strategy/contract.js';
import { Glance } from '../../strategy/glance.js';

/**
 * The mirror's foreign book as strategies see it: probabilities and whole shares. It can be filled again, which costs
 * no memory: most of what a look at a book used to leave behind were its levels. It notices who looks at them.
 */
export class BookPane implements BookView {
  declare readonly bids: readonly BookLevelView[];
  declare readonly asks: readonly BookLevelView[];
  bid: number | null = null;
  ask: number | null = null;
  mid: number | null = null;
  weightedMid: number | null = null;
  readonly hidden = { bids: false, asks: false };
  ageMs = Infinity;
  readonly #bids: BookLevel[] = [];
  readonly #asks: BookLevel[] = [];
  readonly #glance: Glance;

  /** Accessors of each object's own, made of the same functions: whoever copies a book looks at all of it. */
  static readonly #noticed: PropertyDescriptorMap & ThisType<BookPane> = {
    bids: {
      enumerable: true,
      get() {
        this.#glance.levels = true;
        return this.#bids;
      },
    },
    asks: {
      enumerable: true,
      get() {
        this.#glance.levels = true;
        return this.#asks;
      },
    },
  };

  constructor(glance = new Glance()) {
    this.#glance = glance;
    Object.defineProperties(this, BookPane.#noticed);
  }

  /** @returns itself, showing that book until the next call */
  show(book: ForeignBook, tickUnits: number): BookView {
    const glance = this.#glance;
    const areBidsSame = fill(this.#bids, book.bids, tickUnits);
    const areAsksSame = fill(this.#asks, book.asks, tickUnits);
    if (glance.levels && !(areBidsSame && areAsksSame)) glance.hasMoved = true;
    if (this.#showTouch()) glance.hasMoved = true;
    if (this.#showState(book)) glance.hasMoved = true;
    return this;
  }

  /** Best level of a side, without being noticed; null where it shows none. */
  best(side: Side): BookLevelView | null {
    return (side === 'bid' ? this.#bids : this.#asks)[0] ?? null;
  }

  /** Shares at a price, in price units of the long side; 0 where it shows no such level. */
  foreignAt(side: Side, longPrice: number): Shares {
    for (const { price, shares } of side === 'bid' ? this.#bids : this.#asks)
      if (Math.round(price * PRICE_ONE) === longPrice) return Math.round(shares * SHARE_ONE) as Shares;
    return 0 as Shares;
  }

  /** @returns whether it has changed */
  #showTouch(): boolean {
    const bid = this.best('bid');
    const ask = this.best('ask');
    const { bid: bidBefore, ask: askBefore, weightedMid: midBefore } = this;
    this.bid = bid === null ? null : bid.price;
    this.ask = ask === null ? null : ask.price;
    this.weightedMid = weightedMid(bid, ask);
    if (this.bid === bidBefore && this.ask === askBefore) return this.weightedMid !== midBefore;
    this.mid = bid === null || ask === null ? null : (bid.price + ask.price) / 2;
    return true;
  }

  /** @returns whether it has changed */
  #showState({ bids, asks, ageMs }: ForeignBook): boolean {
    const { hidden } = this;
    if (hidden.bids === bids.hidden && hidden.asks === asks.hidden && this.ageMs === ageMs) return false;
    hidden.bids = bids.hidden;
    hidden.asks = asks.hidden;
    this.ageMs = ageMs;
    return true;
  }
}

/** The book of a market that nobody has looked at. */
export const UNSEEN_BOOK = new BookPane();

type BookLevel = { -readonly [K in keyof BookLevelView]: BookLevelView[K] };

/** @returns whether the levels were these already */
function fill(levels: BookLevel[], side: ForeignSide, tickUnits: number): boolean {
  const { count } = side;
  let isSame = levels.length === count;
  if (levels.length > count) levels.length = count;
  for (let at = 0; at < count; at++) {
    const price = (side.tick(at) * tickUnits) / PRICE_ONE;
    const shares = side.shares(at) / SHARE_ONE;
    const level = levels[at];
    if (level === undefined) levels.push({ price, shares });
    else if (level.price !== price || level.shares !== shares) {
      level.price = price;
      level.shares = shares;
      isSame = false;
    }
  }
  return isSame;
}

/** I ask + (1 - I) bid with I = bid shares / (bid + ask shares) (design notes, "Quoting practice"). */
function weightedMid(bid: BookLevelView | null, ask: BookLevelView | null): number | null {
  if (bid === null || ask === null) return null;
  const imbalance = bid.shares / (bid.shares + ask.shares);
  return imbalance * ask.price + (1 - imbalance) * bid.price;
}

/** Best prices of a foreign book. @param before serves while it is the same */
export function touchOf({ bids, asks }: ForeignBook, tickUnits: number, before: Touch): Touch {
  const bid = priceOf(bids.best, tickUnits);
  const ask = priceOf(asks.best, tickUnits);
  return before.bid === bid && before.ask === ask ? before : { bid, ask };
}

const priceOf = (best: Ticks | null, tickUnits: number): PriceUnits | null =>
  best === null ? null : ticksToPrice(best, tickUnits);
