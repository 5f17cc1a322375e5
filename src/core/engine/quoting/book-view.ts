import {
  PRICE_ONE,
  type PriceUnits,
  SHARE_ONE,
  type Shares,
  type Ticks,
  ticksToPrice,
} from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { Touch } from '../../execution/planning/touch.js';
import type { ForeignBook } from '../../mirror/books/foreign-book.js';
import type { BookLevelView, BookView } from '../../strategy/contract.js';
import { Glance } from '../../strategy/glance.js';
import { PaneSide } from './pane-side.js';

/**
 * The mirror's foreign book as strategies see it: probabilities and whole shares. It can be filled again, which costs no
 * memory. It notices who looks at its levels.
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
  readonly #bids = new PaneSide();
  readonly #asks = new PaneSide();
  readonly #glance: Glance;

  /** Accessors of each object's own, made of the same functions: whoever copies a book looks at all of it. */
  static readonly #noticed: PropertyDescriptorMap & ThisType<BookPane> = {
    bids: {
      enumerable: true,
      get() {
        this.#glance.levels = true;
        return this.#bids.levels;
      },
    },
    asks: {
      enumerable: true,
      get() {
        this.#glance.levels = true;
        return this.#asks.levels;
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
    const haveBidsMoved = this.#bids.take(book.bids, tickUnits);
    const haveAsksMoved = this.#asks.take(book.asks, tickUnits);
    if (haveBidsMoved || haveAsksMoved) {
      const hasTouchMoved = this.#showTouch();
      if (hasTouchMoved || glance.levels) glance.hasMoved = true;
    }
    if (this.#showState(book)) glance.hasMoved = true;
    return this;
  }

  /** Best price of a side in price units, without being noticed; null where it shows none. */
  bestPrice(side: Side): PriceUnits | null {
    return this.#side(side).price;
  }

  /** Shares at the best price; 0 where it shows none. */
  bestShares(side: Side): Shares {
    return this.#side(side).shares;
  }

  /** Shares at a price, in price units of the long side; 0 where it shows no such level. */
  foreignAt(side: Side, longPrice: number): Shares {
    return this.#side(side).sharesAt(longPrice);
  }

  #side(side: Side): PaneSide {
    return side === 'bid' ? this.#bids : this.#asks;
  }

  /** @returns whether it has changed */
  #showTouch(): boolean {
    const bid = probabilityOf(this.#bids);
    const ask = probabilityOf(this.#asks);
    const { bid: bidBefore, ask: askBefore, weightedMid: midBefore } = this;
    this.bid = bid;
    this.ask = ask;
    this.weightedMid = bid === null || ask === null ? null : this.#weightedMid(bid, ask);
    if (bid === bidBefore && ask === askBefore) return this.weightedMid !== midBefore;
    this.mid = bid === null || ask === null ? null : (bid + ask) / 2;
    return true;
  }

  /** I ask + (1 - I) bid with I = bid shares / (bid + ask shares) (design notes, "Quoting practice"). */
  #weightedMid(bid: number, ask: number): number {
    const bidShares = this.#bids.shares / SHARE_ONE;
    const askShares = this.#asks.shares / SHARE_ONE;
    const imbalance = bidShares / (bidShares + askShares);
    return imbalance * ask + (1 - imbalance) * bid;
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

const probabilityOf = ({ price }: PaneSide): number | null => (price === null ? null : price / PRICE_ONE);

/** Best prices of a foreign book. @param before serves while it is the same */
export function touchOf({ bids, asks }: ForeignBook, tickUnits: number, before: Touch): Touch {
  const bid = priceOf(bids.best, tickUnits);
  const ask = priceOf(asks.best, tickUnits);
  return before.bid === bid && before.ask === ask ? before : { bid, ask };
}

const priceOf = (best: Ticks | null, tickUnits: number): PriceUnits | null =>
  best === null ? null : ticksToPrice(best, tickUnits);
