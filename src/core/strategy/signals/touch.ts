/** What the best prices say: where the market leans, and who pushes it. */
import type { BookLevelView, BookView, FillView, TradeView } from '../contract.js';
import { type Computation, DecayingSum, type Reading, seenShare, type SignalLook } from './computation.js';

/**
 * The mid, weighted by the shares of the best `levels` of each side: I ask + (1 - I) bid with I = bid shares / (bid + ask
 * shares). With one level it is the weighted mid (Stoikov's microprice is a correction of it).
 */
export class Microprice implements Computation {
  readonly dueMs = null;
  private reading: Reading | null = null;
  private count = 0;

  constructor(private readonly levels: number) {}

  look({ nowMs, book }: SignalLook): void {
    if (book.bid === null || book.ask === null || book.hidden.bids || book.hidden.asks) {
      if (this.reading?.atMs === null) this.reading = { ...this.reading, atMs: nowMs };
      return;
    }
    const bids = sharesOf(book.bids, this.levels);
    const weight = bids / (bids + sharesOf(book.asks, this.levels));
    const value = weight * book.ask + (1 - weight) * book.bid;
    if (this.reading?.value !== value) this.count += 1;
    this.reading = { value, confidence: 1, count: this.count, atMs: null };
  }

  read(): Reading | null {
    return this.reading;
  }
}

const sharesOf = (side: readonly BookLevelView[], levels: number): number =>
  side.slice(0, levels).reduce((sum, { shares }) => sum + shares, 0);

/**
 * Order flow imbalance of the touch (Cont, Kukanov, Stoikov 2014), in shares. Each change of the touch adds
 *
 *     e = 1{Pb >= Pb'} qb - 1{Pb <= Pb'} qb' - 1{Pa <= Pa'} qa + 1{Pa >= Pa'} qa'
 *
 * with the previous prices and shares primed, and the sum halves every `halfLifeMs`. Positive: buyers push.
 */
export class OrderFlow implements Computation {
  readonly dueMs = null;
  private readonly sum: DecayingSum;
  private touch: Touch | null = null;
  private beganAt: number | null = null;
  private lostAt = 0;
  private count = 0;

  constructor(private readonly halfLifeMs: number) {
    this.sum = new DecayingSum(halfLifeMs);
  }

  look({ nowMs, book }: SignalLook): void {
    const touch = touchOf(book);
    if (touch === null && this.touch !== null) this.lostAt = nowMs;
    if (touch !== null) this.beganAt ??= nowMs;
    if (touch !== null && this.touch !== null && !isSame(touch, this.touch)) {
      this.sum.add(imbalance(touch, this.touch), nowMs);
      this.count += 1;
    }
    this.touch = touch;
  }

  read(nowMs: number): Reading | null {
    const { beganAt, halfLifeMs, count } = this;
    if (beganAt === null) return null;
    const confidence = seenShare(beganAt, nowMs, halfLifeMs);
    return { value: this.sum.at(nowMs), confidence, count, atMs: this.touch === null ? this.lostAt : null };
  }
}

interface Touch {
  readonly bid: BookLevelView;
  readonly ask: BookLevelView;
}

function touchOf({ bids, asks, hidden }: BookView): Touch | null {
  const [bid, ask] = [bids[0], asks[0]];
  return bid === undefined || ask === undefined || hidden.bids || hidden.asks ? null : { bid, ask };
}

const isSame = (one: Touch, other: Touch): boolean =>
  one.bid.price === other.bid.price &&
  one.bid.shares === other.bid.shares &&
  one.ask.price === other.ask.price &&
  one.ask.shares === other.ask.shares;

function imbalance({ bid, ask }: Touch, before: Touch): number {
  const bids =
    (bid.price >= before.bid.price ? bid.shares : 0) -
    (bid.price <= before.bid.price ? before.bid.shares : 0);
  const asks =
    (ask.price <= before.ask.price ? ask.shares : 0) -
    (ask.price >= before.ask.price ? before.ask.shares : 0);
  return bids - asks;
}

/** How far a decrease of the book counts as known: it may have been a cancel. */
const INFERRED_CONFIDENCE = 0.5;

/**
 * Shares that takers bought less shares that they sold, decayed. From prints where the venue gives them. Where it gives
 * none, from what left the best levels of others, at half the confidence, and from own fills, which are known.
 */
export class TakerFlow implements Computation {
  readonly dueMs = null;
  private readonly net: DecayingSum;
  private readonly known: DecayingSum;
  private readonly inferred: DecayingSum;
  private book: BookView | null = null;
  /** What our own takers took since the last look: it left the book, and was no flow of others. */
  private readonly took = { bid: 0, ask: 0 };
  private lastAt: number | null = null;
  private count = 0;

  /** @param prints whether the venue tells of trades */
  constructor(
    halfLifeMs: number,
    private readonly prints: boolean,
  ) {
    this.net = new DecayingSum(halfLifeMs);
    this.known = new DecayingSum(halfLifeMs);
    this.inferred = new DecayingSum(halfLifeMs);
  }

  look({ nowMs, book }: SignalLook): void {
    if (!this.prints && this.book !== null) {
      const bought = book.hidden.asks ? 0 : left(this.book.asks, book.asks, 1) - this.took.ask;
      const sold = book.hidden.bids ? 0 : left(this.book.bids, book.bids, -1) - this.took.bid;
      if (bought > 0) this.flowed(bought, this.inferred, nowMs);
      if (sold > 0) this.flowed(-sold, this.inferred, nowMs);
    }
    this.took.bid = 0;
    this.took.ask = 0;
    // A book without levels tells nothing, and is followed by a whole one.
    this.book = touchOf(book) === null ? null : book;
  }

  filled({ side, shares, liquidity }: FillView, nowMs: number): void {
    if (this.prints) return;
    if (liquidity === 'taker') this.took[side === 'bid' ? 'ask' : 'bid'] += shares;
    else this.flowed(side === 'bid' ? -shares : shares, this.known, nowMs);
  }

  printed({ price, shares, takerSide }: TradeView, nowMs: number): void {
    if (takerSide !== null) return this.flowed(takerSide === 'bid' ? shares : -shares, this.known, nowMs);
    const mid = this.book?.mid ?? price;
    if (price !== mid) this.flowed(price > mid ? shares : -shares, this.inferred, nowMs);
  }

  read(nowMs: number): Reading | null {
    if (this.lastAt === null) return null;
    const [known, inferred] = [this.known.at(nowMs), this.inferred.at(nowMs)];
    const all = known + inferred;
    const confidence = all === 0 ? 0 : (known + INFERRED_CONFIDENCE * inferred) / all;
    return { value: this.net.at(nowMs), confidence, count: this.count, atMs: this.lastAt };
  }

  private flowed(shares: number, kind: DecayingSum, nowMs: number): void {
    this.net.add(shares, nowMs);
    kind.add(Math.abs(shares), nowMs);
    this.lastAt = nowMs;
    this.count += 1;
  }
}

/**
 * Shares that left the levels which a taker can have met: those that are gone, and the first that is not.
 * @param away 1 for asks, -1 for bids: the way in which prices get worse
 */
function left(before: readonly BookLevelView[], after: readonly BookLevelView[], away: 1 | -1): number {
  const best = after[0];
  let gone = 0;
  for (const { price, shares } of before) {
    const beyond = best === undefined ? -1 : (price - best.price) * away;
    if (beyond > 0) break;
    gone += beyond === 0 ? Math.max(0, shares - best!.shares) : shares;
  }
  return gone;
}
