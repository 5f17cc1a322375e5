import type { Levels } from '../../../domain/levels.js';
import { type Micros, PRICE_ONE, type PriceUnits, type Ticks } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import { laterBy } from '../time.js';

/** Before any point in time. */
export const NEVER = -1 as Micros;

/** Both sides of a book, own shares included. */
export interface BookSides {
  readonly bids: Levels;
  readonly asks: Levels;
}

/**
 * What the levels themselves permit.
 * `off-grid`: a price is no whole number of the market's ticks, or not inside (0, 1). `malformed`: a side is not strictly
 * sorted, or a level has no shares. `crossed`: best bid above best ask. `locked`: best bid equal to best ask.
 */
export type Condition = 'unread' | 'sound' | 'off-grid' | 'malformed' | 'crossed' | 'locked';

const NO_LEVELS: Levels = { prices: [], shares: [] };

/** Best prices of a market; null for a side without orders. */
export interface StatedTouch {
  readonly bid: PriceUnits | null;
  readonly ask: PriceUnits | null;
}

export const hasTouch = ({ bids, asks }: BookSides, { bid, ask }: StatedTouch): boolean =>
  (bids.prices[0] ?? null) === bid && (asks.prices[0] ?? null) === ask;

/** The book of one market as the venue last showed it, with everything that tells how far to rely on it. */
export class Book implements BookSides {
  bids: Levels = NO_LEVELS;
  asks: Levels = NO_LEVELS;
  condition: Condition = 'unread';
  /** How many levels per side the last message would show if they existed. */
  covered = 0;
  /** Updates applied so far. */
  updates = 0;
  /** Venue time of the newest update applied. */
  venueTime = NEVER;
  /** Receive time of the newest update applied. */
  frameAt = NEVER;
  /** The newest moment at which this is known to have been the venue's book. */
  confirmedAt = NEVER;
  /** When the market's channel was joined: the silence of the book counts from here. */
  armedAt = NEVER;
  /** When a read of the book was last answered. */
  witnessedAt = NEVER;
  /** When the book was last compared with a read, since its channel was joined. */
  comparedAt = NEVER;
  /** Reads in a row that left the book unusable. */
  vainReads = 0;
  /** Comparisons in a row that failed. */
  disagreements = 0;
  /** Two comparisons failed. It lasts until a read agrees or is applied. */
  isDistrusted = false;
  /** A read that no update has explained yet. It becomes a disagreement at `until`. */
  unexplained: { readonly read: BookSides; readonly until: Micros } | null = null;
  /** Best prices as stated elsewhere, which no update has shown yet. They count as a disagreement at `until`. */
  stated: (StatedTouch & { readonly until: Micros }) | null = null;
  /** When an own order was filled, while no update has told of it. */
  tradedAt: Micros | null = null;
  readonly history = new BookHistory();

  /** @param tickUnits price units per tick */
  constructor(public tickUnits: number) {}

  /**
   * Takes over the best levels of a message or a read. Nothing is rounded: a price off the grid makes the book unusable.
   * @param covered how many levels per side the source covers
   * @returns whether a level or the condition changed
   */
  show(sides: BookSides, covered: number): boolean {
    const bids = bestLevels(sides.bids, covered);
    const asks = bestLevels(sides.asks, covered);
    const condition = conditionOf(bids, asks, this.tickUnits);
    const isSame = condition === this.condition && isSameSide(bids, this.bids) && isSameSide(asks, this.asks);
    this.bids = bids;
    this.asks = asks;
    this.covered = covered;
    this.condition = condition;
    return !isSame;
  }

  side(side: Side): Levels {
    return side === 'bid' ? this.bids : this.asks;
  }

  /** Price of a level in ticks; null where the side has no such level. */
  tick(side: Side, level: number): Ticks | null {
    const price = this.side(side).prices[level];
    return price === undefined ? null : (Math.floor(price / this.tickUnits) as Ticks);
  }
}

/** What the past of a book says about levels. */
export type Recollection =
  /** The book showed them at some time of the interval. */
  | 'seen'
  /** It did not. */
  | 'unseen'
  /** The past kept does not reach back to the beginning of the interval. */
  | 'forgotten';

interface PastBook extends BookSides {
  readonly since: Micros;
}

/** A read lags behind by seconds: the cache of the venue, the way, and a request that took long. */
const KEPT_MS = 30_000;
export const MOST_KEPT = 512;
/** So many states go at once, so that few updates pay for it. */
const DROPPED_AT_ONCE = 32;

/** What a book showed and since when, so that a read which is seconds old is recognised as what the book was. */
export class BookHistory {
  /** Oldest first; the last one is the present. */
  #states: PastBook[] = [];

  /** The book shows this from now on. */
  note({ bids, asks }: BookSides, at: Micros): void {
    this.#states.push({ bids, asks, since: at });
    const horizon = laterBy(at, -KEPT_MS);
    const inForce = this.#states.findIndex(({ since }) => since >= horizon) - 1;
    const surplus = Math.max(inForce, this.#states.length - MOST_KEPT);
    if (surplus >= DROPPED_AT_ONCE) this.#states.splice(0, surplus);
  }

  get isEmpty(): boolean {
    return this.#states.length === 0;
  }

  /** What the book showed before now counts no longer. */
  forget(): void {
    this.#states = [];
  }

  isPresent(sides: BookSides): boolean {
    const present = this.#states.at(-1);
    return present !== undefined && isSameBook(present, sides);
  }

  /** Whether the book showed this at some time from `from` until now. */
  recall(sides: BookSides, from: Micros): Recollection {
    return this.#recall((state) => isSameBook(state, sides), from);
  }

  /** The same of its best prices alone. */
  recallTouch(touch: StatedTouch, from: Micros): Recollection {
    return this.#recall((state) => hasTouch(state, touch), from);
  }

  #recall(isIt: (state: BookSides) => boolean, from: Micros): Recollection {
    for (let at = this.#states.length - 1; at >= 0; at -= 1) {
      const state = this.#states[at]!;
      if (isIt(state)) return 'seen';
      // This state was in force before the interval began: nothing older reaches into it.
      if (state.since < from) return 'unseen';
    }
    return 'forgotten';
  }
}

/** The first levels of a side, as many as are covered. */
export const bestLevels = (side: Levels, covered: number): Levels =>
  side.prices.length <= covered
    ? side
    : { prices: side.prices.slice(0, covered), shares: side.shares.slice(0, covered) };

const isSameBook = (one: BookSides, other: BookSides): boolean =>
  isSameSide(one.bids, other.bids) && isSameSide(one.asks, other.asks);

function isSameSide(one: Levels, other: Levels): boolean {
  if (one === other) return true;
  const { length } = one.prices;
  if (other.prices.length !== length) return false;
  for (let level = 0; level < length; level += 1)
    if (one.prices[level] !== other.prices[level] || one.shares[level] !== other.shares[level]) return false;
  return true;
}

function conditionOf(bids: Levels, asks: Levels, tickUnits: number): Condition {
  const [bidSide, askSide] = [sideCondition(bids, -1, tickUnits), sideCondition(asks, 1, tickUnits)];
  if (bidSide === 'off-grid' || askSide === 'off-grid') return 'off-grid';
  if (bidSide === 'malformed' || askSide === 'malformed') return 'malformed';
  const [bid, ask] = [bids.prices[0], asks.prices[0]];
  if (bid === undefined || ask === undefined || ask > bid) return 'sound';
  return ask < bid ? 'crossed' : 'locked';
}

/** @param worse sign of the way from better to worse prices */
function sideCondition({ prices, shares }: Levels, worse: -1 | 1, tickUnits: number): Condition {
  let condition: Condition = 'sound';
  let better = -worse * Infinity;
  for (let level = 0; level < prices.length; level += 1) {
    const price = prices[level]!;
    if (!(price > 0 && price < PRICE_ONE) || !Number.isInteger(price / tickUnits)) return 'off-grid';
    if (!(shares[level]! > 0) || (price - better) * worse <= 0) condition = 'malformed';
    better = price;
  }
  return condition;
}
