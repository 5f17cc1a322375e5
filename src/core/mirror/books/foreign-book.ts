import { type PriceUnits, type Shares, priceToTicks, ZERO_SHARES } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { AnswerBody } from '../../../domain/answers.js';
import type { Levels } from '../../../domain/levels.js';
import type { Book } from './book.js';
import { FRESHNESS, type Freshness } from './freshness.js';

/** One price level of others, in long-side price units. */
export interface ForeignLevel {
  readonly price: PriceUnits;
  readonly shares: Shares;
}

/** A market's book without our own orders, best levels first. Levels are given only while it is `live` or `hidden`. */
export interface ForeignBook {
  readonly bids: readonly ForeignLevel[];
  readonly asks: readonly ForeignLevel[];
  /** Sides that have levels, but our own orders cover all of them: what lies behind is unseen, not absent. */
  readonly hidden: { readonly bids: boolean; readonly asks: boolean };
  readonly freshness: Freshness;
  /** Since the last update or agreeing read; infinite before the first. */
  readonly ageMs: number;
}

const NOTHING_HIDDEN: ForeignBook['hidden'] = { bids: false, asks: false };

/** A book that may not be relied on: it shows no level. */
export const withoutLevels = (freshness: Freshness, ageMs: number): ForeignBook => ({
  bids: [],
  asks: [],
  hidden: NOTHING_HIDDEN,
  freshness,
  ageMs,
});

/**
 * Takes our own shares off a book.
 * @param signed what the last signed read saw behind a hidden side, if there is one
 */
export function foreignBook(
  book: Book,
  own: readonly OwnLevel[],
  signed: SignedBook | undefined,
  ageMs: number,
): ForeignBook {
  const bids = withoutOwn(book.bids, 'bid', own);
  const asks = withoutOwn(book.asks, 'ask', own);
  const areBidsHidden = bids.length === 0 && book.bids.prices.length > 0;
  const areAsksHidden = asks.length === 0 && book.asks.prices.length > 0;
  if (!areBidsHidden && !areAsksHidden)
    return { bids, asks, hidden: NOTHING_HIDDEN, freshness: FRESHNESS.live, ageMs };
  return {
    bids: areBidsHidden ? behind(book, 'bid', signed?.bids) : bids,
    asks: areAsksHidden ? behind(book, 'ask', signed?.asks) : asks,
    hidden: { bids: areBidsHidden, asks: areAsksHidden },
    freshness: FRESHNESS.hidden,
    ageMs,
  };
}

/** The levels on which more stands than ours. */
function withoutOwn(
  { prices, shares }: Levels,
  side: Side,
  own: readonly OwnLevel[],
): readonly ForeignLevel[] {
  const levels: ForeignLevel[] = [];
  for (let level = 0; level < prices.length; level += 1) {
    const price = prices[level]!;
    const left = leftOf(shares[level]!, price, side, own);
    if (left > 0) levels.push({ price, shares: left });
  }
  return levels;
}

/** What is left of a level without our orders there, each down to what it spares. */
function leftOf(there: Shares, at: PriceUnits, on: Side, own: readonly OwnLevel[]): Shares {
  let left: number = there;
  for (const { side, price, shares, spared } of own)
    if (price === at && side === on) left = Math.max(left - shares, Math.min(left, spared));
  return left as Shares;
}

/** Levels of a signed read behind the worst level of a hidden side. A better one contradicts the newer book. */
function behind(
  book: Book,
  side: Side,
  signed: readonly ForeignLevel[] | undefined,
): readonly ForeignLevel[] {
  const { prices } = book.side(side);
  // A side that shows fewer levels than it could has nothing behind it.
  if (signed === undefined || prices.length !== book.covered) return [];
  const worst = prices.at(-1)!;
  const sign = side === 'bid' ? -1 : 1;
  return signed
    .filter(({ price, shares }) => shares > 0 && (price - worst) * sign > 0)
    .slice(0, book.covered);
}

/** What one of our own orders shows, or may show, in the venue's book, in long-side terms. */
export interface OwnLevel {
  readonly side: Side;
  readonly price: PriceUnits;
  readonly shares: Shares;
  /**
   * So many shares at this price are not ours to take off: 0 where the book surely shows ours; otherwise what others had
   * there when the book was last seen. While we do not know, it is likelier that nobody else has moved.
   */
  readonly spared: Shares;
}

/** For markets without an order of ours. */
export const NO_OWN_LEVELS: readonly OwnLevel[] = [];

/**
 * The last book that was read, down to where enough of it is foreign: per level what is not ours, as the venue counts it. It
 * alone tells what lies behind the levels that updates show.
 */
export interface SignedBook {
  /** Price units of a tick. */
  readonly tickUnits: number;
  readonly bids: readonly ForeignLevel[];
  readonly asks: readonly ForeignLevel[];
}

/**
 * Keeps what a signed read said of the best levels.
 * @param foreign levels with foreign shares to keep per side
 * @returns null when the read was not signed or a price is off the grid
 */
export function signedBook(
  read: Extract<AnswerBody, { kind: 'read-book' }>,
  tickUnits: number,
  foreign: number,
): SignedBook | null {
  if (read.ownBids === null || read.ownAsks === null) return null;
  const bids = signedLevels(read.bids, read.ownBids, tickUnits, foreign);
  const asks = signedLevels(read.asks, read.ownAsks, tickUnits, foreign);
  return bids === null || asks === null ? null : { tickUnits, bids, asks };
}

function signedLevels(
  { prices, shares }: Levels,
  own: readonly Shares[],
  tickUnits: number,
  foreign: number,
): readonly ForeignLevel[] | null {
  const levels: ForeignLevel[] = [];
  let found = 0;
  for (let level = 0; level < prices.length && found < foreign; level += 1) {
    const price = prices[level]!;
    if (priceToTicks(price, tickUnits) === null) return null;
    const others = Math.max(0, shares[level]! - (own[level] ?? ZERO_SHARES)) as Shares;
    levels.push({ price, shares: others });
    if (others > 0) found += 1;
  }
  return levels;
}
