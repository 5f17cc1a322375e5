import { type Shares, type Ticks, priceToTicks, ZERO_SHARES } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { Book } from './book.js';
import type { Freshness } from './freshness.js';
import type { AnswerBody } from '../../../domain/answers.js';
import type { Levels } from '../../../domain/levels.js';

interface Level {
  readonly tick: Ticks;
  readonly shares: Shares;
}

/** One side without our own orders, best level first. */
export class ForeignSide {
  /** @param hidden the side has levels, but our own orders cover all of them: what lies behind is unseen, not absent */
  constructor(
    private readonly levels: readonly Level[],
    readonly hidden: boolean,
  ) {}

  get count(): number {
    return this.levels.length;
  }

  /** Best price; null when no foreign level is known. */
  get best(): Ticks | null {
    return this.levels[0]?.tick ?? null;
  }

  /** @param level 0 is the best; below `count` */
  tick(level: number): Ticks {
    return this.levels[level]!.tick;
  }

  /** @param level 0 is the best; below `count` */
  shares(level: number): Shares {
    return this.levels[level]!.shares;
  }
}

/** A market's book without our own orders. Levels are given only while it is `live` or `hidden`. */
export interface ForeignBook {
  readonly bids: ForeignSide;
  readonly asks: ForeignSide;
  readonly freshness: Freshness;
  /** Since the last update or agreeing read; infinite before the first. */
  readonly ageMs: number;
  /** Half way between the best foreign prices, in ticks (a multiple of one half); null on a one-sided book. */
  readonly mid: number | null;
}

/** A book that may not be relied on: it shows no level. */
export const withoutLevels = (freshness: Freshness, ageMs: number): ForeignBook => ({
  bids: new ForeignSide([], false),
  asks: new ForeignSide([], false),
  freshness,
  ageMs,
  mid: null,
});

/**
 * Takes our own shares off a book.
 * @param signed what the last signed read saw behind a hidden side, if there is one
 * @param freshness of a book of which neither side is hidden, and of one of which a side is
 */
export function foreignBook(
  book: Book,
  own: OwnLevels,
  signed: SignedBook | undefined,
  freshness: { readonly live: Freshness; readonly hidden: Freshness },
  ageMs: number,
): ForeignBook {
  const bids = foreignSide(book, 'bid', own.bids, signed?.bids);
  const asks = foreignSide(book, 'ask', own.asks, signed?.asks);
  const [bid, ask] = [bids.best, asks.best];
  return {
    bids,
    asks,
    freshness: bids.hidden || asks.hidden ? freshness.hidden : freshness.live,
    ageMs,
    mid: bid === null || ask === null ? null : (bid + ask) / 2,
  };
}

function foreignSide(
  book: Book,
  side: Side,
  own: readonly OwnLevel[],
  signed: SignedSide | undefined,
): ForeignSide {
  const { prices, shares } = book.side(side);
  const levels: Level[] = [];
  prices.forEach((price, level) => {
    const tick = (price / book.tickUnits) as Ticks;
    const left = withoutOwn(tick, shares[level]!, own);
    if (left > 0) levels.push({ tick, shares: left });
  });
  if (levels.length > 0 || prices.length === 0) return new ForeignSide(levels, false);
  // A side that shows fewer levels than it could has nothing behind it.
  const isFull = prices.length === book.covered;
  const behind = isFull && signed !== undefined ? behindOf(signed, side, book) : [];
  return new ForeignSide(behind, true);
}

/** What is left of a level without our orders there, each down to what it spares. */
function withoutOwn(tick: Ticks, there: Shares, own: readonly OwnLevel[]): Shares {
  let left: number = there;
  for (const { price, shares, spared } of own)
    if (price === tick) left = Math.max(left - shares, Math.min(left, spared));
  return left as Shares;
}

/** Levels of a signed read behind the worst level of the book. A better one contradicts the newer book. */
function behindOf(signed: SignedSide, side: Side, book: Book): readonly Level[] {
  const worst = book.tick(side, book.covered - 1)!;
  const sign = side === 'bid' ? -1 : 1;
  return signed.ticks
    .map((tick, level) => ({ tick, shares: signed.foreign[level]! }))
    .filter(({ tick, shares }) => shares > 0 && (tick - worst) * sign > 0)
    .slice(0, book.covered);
}

/** What one of our own orders shows, or may show, in the venue's book. */
export interface OwnLevel {
  readonly price: Ticks;
  readonly shares: Shares;
  /**
   * So many shares at this price are not ours to take off: 0 where the book surely shows ours; otherwise what others had
   * there when the book was last seen. While we do not know, it is likelier that nobody else has moved.
   */
  readonly spared: Shares;
}

/**
 * What our own orders show, or may show, in the venue's book, in long-side terms: orders working, updating (the old and
 * the new one), cancelling, unknown, and for a grace period the just finished ones.
 */
export class OwnLevels {
  readonly bids: OwnLevel[] = [];
  readonly asks: OwnLevel[] = [];

  clear(): void {
    this.bids.length = 0;
    this.asks.length = 0;
  }

  add(side: Side, price: Ticks, shares: Shares, spared: Shares): void {
    (side === 'bid' ? this.bids : this.asks).push({ price, shares, spared });
  }
}

/** For markets without an order of ours; never added to. */
export const NO_OWN_LEVELS: Readonly<OwnLevels> = new OwnLevels();

/** One side of a signed book read: per level what is not ours, as the venue counts it. */
export interface SignedSide {
  readonly ticks: readonly Ticks[];
  readonly foreign: readonly Shares[];
}

/**
 * The last book that was read, down to where enough of it is foreign. It alone tells what lies behind
 * the levels that updates show.
 */
export interface SignedBook {
  /** Price units of a tick. */
  readonly tickUnits: number;
  readonly bids: SignedSide;
  readonly asks: SignedSide;
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
  const bids = signedSide(read.bids, read.ownBids, tickUnits, foreign);
  const asks = signedSide(read.asks, read.ownAsks, tickUnits, foreign);
  return bids === null || asks === null ? null : { tickUnits, bids, asks };
}

function signedSide(
  levels: Levels,
  own: readonly Shares[],
  tickUnits: number,
  foreign: number,
): SignedSide | null {
  const side = { ticks: [] as Ticks[], foreign: [] as Shares[] };
  let found = 0;
  for (let level = 0; level < levels.prices.length && found < foreign; level++) {
    const tick = priceToTicks(levels.prices[level]!, tickUnits);
    if (tick === null) return null;
    const others = Math.max(0, levels.shares[level]! - (own[level] ?? ZERO_SHARES)) as Shares;
    side.ticks.push(tick);
    side.foreign.push(others);
    if (others > 0) found += 1;
  }
  return side;
}
