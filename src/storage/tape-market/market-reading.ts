import type { MarketId, EventId } from '../../domain/ids.js';
import type { BookInput } from '../../domain/inputs.js';
import type { Levels } from '../../domain/levels.js';
import type { Micros, PriceUnits, Shares } from '../../domain/units.js';
import { oppositeSide, type Side } from '../../domain/vocabulary.js';
import type { TapedOrderNews, TapedOrder } from './own-orders.js';
import {
  type InferredPrint,
  inferPrints,
  type SideChange,
  type VolumeGrowth,
  type LevelStep,
} from '../../venues/simulated/models/inferred-prints.js';
import type { BookCut, RecordedLine } from '../../domain/recorded.js';

type ByPrice = Map<number, number>;
type Filled = Extract<TapedOrderNews, { readonly kind: 'filled' }>;

/** One market of a tape: what traded on the way from one frame to the next, and what stands without our orders. */
export class MarketReading {
  readonly #sides = { bid: new OthersSide('bid'), ask: new OthersSide('ask') } as const;
  #heard: BookInput | null = null;
  /** What takers took from our orders since the last frame. */
  #filled = none();
  /** What our takers took since the last frame, by the side that it was taken from. */
  #took = none();
  #at: Micros | null = null;

  /** @param isPaper our fills are in no turnover, and took no share from anybody */
  constructor(
    readonly marketId: MarketId,
    private readonly isPaper: boolean,
  ) {}

  /** Whether a later frame has come already. */
  isBehind(at: Micros): boolean {
    return this.#at !== null && at < this.#at;
  }

  /**
   * Whether a book read over REST is news: no frame came yet, or none since the connection was lost.
   * @param lostAt null: never
   */
  isUnknownSince(lostAt: Micros | null): boolean {
    return this.#at === null || (lostAt !== null && this.#at < lostAt);
  }

  /** Whether an order that arrives now trades with others. */
  meets({ side, price }: TapedOrder): boolean {
    if (side === 'bid') return (this.#sides.ask.levels[0]?.price ?? Infinity) <= price;
    return (this.#sides.bid.levels[0]?.price ?? -Infinity) >= price;
  }

  /** Share units that the shown levels have lost since the frame received before. @param book received last */
  lost(book: BookInput): number {
    const before = this.#heard;
    this.#heard = book;
    return before === null ? 0 : lostShares(before.bids, book.bids) + lostShares(before.asks, book.asks);
  }

  /** An order of ours traded, as maker or as taker. */
  filled({ order, shares, price, liquidity }: Filled): void {
    if (liquidity === 'maker') {
      if (!this.isPaper) add(this.#filled[order.side], order.price, shares);
      return;
    }
    const met = oppositeSide(order.side);
    const at = Math.round(price) as PriceUnits;
    if (!this.isPaper) add(this.#took[met], at, shares);
    this.#sides[met].take(at, shares);
  }

  /** @param standing our orders when the frame was made */
  frame(book: BookInput, standing: Iterable<TapedOrder>, growth: VolumeGrowth): BookChange {
    this.#at = book.venueTime;
    return this.#shown(book, standing, growth);
  }

  /** A book that was read over REST. A frame that was made earlier may still come, so its time does not count. */
  read(book: BookInput, standing: Iterable<TapedOrder>): BookChange {
    return this.#shown(book, standing, { left: 0 });
  }

  #shown(book: BookInput, standing: Iterable<TapedOrder>, growth: VolumeGrowth): BookChange {
    const own = ownShares(standing);
    const [ownFilled, ownTook] = [this.#filled, this.#took];
    this.#filled = none();
    this.#took = none();
    const change = (side: Side): SideChange => ({
      side,
      steps: this.#sides[side].show(side === 'bid' ? book.bids : book.asks, own[side], book.topN),
      ownFilled: ownFilled[side],
      ownLeft: own[side],
      ownTook: ownTook[side],
    });
    const changes = [change('bid'), change('ask')] as const;
    const prints = inferPrints(changes, growth);
    const between = prints.length === 0 ? null : untraded(changes, prints);
    const { bid, ask } = this.#sides;
    return {
      kind: 'moment',
      at: book.venueTime,
      eventId: book.eventId,
      marketId: this.marketId,
      depth: book.topN,
      prints,
      bids: bid.levels,
      asks: ask.levels,
      cut: { bids: bid.isCut, asks: ask.isCut },
      isWithoutOwn: own.bid.size + own.ask.size > 0,
      between,
    };
  }
}

function lostShares(before: Levels, after: Levels): number {
  const left = new Map(after.prices.map((price, at) => [price, after.shares[at]!]));
  return before.prices.reduce(
    (sum, price, at) => sum + Math.max(0, before.shares[at]! - (left.get(price) ?? 0)),
    0,
  );
}

/** The book after the cancellations and before the trades of a step. */
function untraded(
  [bids, asks]: readonly [SideChange, SideChange],
  prints: readonly InferredPrint[],
): OthersBook {
  const levels = ({ side, steps }: SideChange): readonly OthersLevel[] =>
    steps.flatMap(({ price, before, after }) => {
      const print = prints.find((one) => one.price === price && one.takerSide !== side);
      const shares = Math.min(before, after + (print?.others ?? 0)) as Shares;
      return shares > 0 ? [{ price, shares }] : [];
    });
  return { bids: levels(bids), asks: levels(asks) };
}

function ownShares(standing: Iterable<TapedOrder>): Record<Side, ByPrice> {
  const own = none();
  for (const { side, price, requested, filled } of standing) add(own[side], price, requested - filled);
  return own;
}

const none = (): Record<Side, ByPrice> => ({ bid: new Map(), ask: new Map() });

const add = (to: ByPrice, price: number, shares: number): void =>
  void to.set(price, (to.get(price) ?? 0) + shares);

/** Best first. */
export interface OthersBook {
  readonly bids: readonly OthersLevel[];
  readonly asks: readonly OthersLevel[];
}

/** One frame of a market's book: what traded on the way to it, and others' levels now. */
export interface BookChange extends OthersBook {
  readonly kind: 'moment';
  readonly at: Micros;
  readonly eventId: EventId;
  readonly marketId: MarketId;
  /** Levels a side that a frame can show. */
  readonly depth: number;
  /** Best price first; includes what others took from us. */
  readonly prints: readonly InferredPrint[];
  /** Sides where levels were ours only, so that what stands behind them was never seen. */
  readonly cut: BookCut;
  /** Whether shares of ours were taken out of it. */
  readonly isWithoutOwn: boolean;
  /** The book that the prints met: the one before, less what was cancelled. null when there were none. */
  readonly between: OthersBook | null;
}

export type TapeEvent = BookChange | TapedOrderNews | RecordedLine;

export interface OthersLevel {
  readonly price: PriceUnits;
  readonly shares: Shares;
}

/**
 * Others' levels of one side, from frames that show the best N levels with our shares among them. Shares that we took are
 * put back until the level grows or vanishes: without us they would still stand there. A level that ours pushed out of
 * the N is taken to stand as it was last seen.
 */
export class OthersSide {
  levels: readonly OthersLevel[] = [];
  /** Whether others may stand behind the last level although it is not the N-th. */
  isCut = false;
  readonly #sign: 1 | -1;
  /** Of each level that we took from: the shares, and what the frame before showed of others there. */
  readonly #taken = new Map<PriceUnits, { shares: number; rest: number }>();

  constructor(side: Side) {
    this.#sign = side === 'bid' ? -1 : 1;
  }

  /** We took shares at this price. */
  take(price: PriceUnits, shares: Shares): void {
    const rest = this.levels.find((level) => level.price === price)?.shares ?? 0;
    const taken = this.#taken.get(price) ?? { shares: 0, rest };
    this.#taken.set(price, { shares: taken.shares + shares, rest: taken.rest });
  }

  /**
   * Takes a frame in.
   * @param own our shares at a price when the frame was made
   * @param topN levels that a frame can show
   * @returns every level of before and after, best first
   */
  show(shown: Levels, own: ReadonlyMap<number, number>, topN: number): readonly LevelStep[] {
    const before = this.levels;
    const after: OthersLevel[] = [];
    for (let at = 0; at < shown.prices.length; at++) {
      const price = shown.prices[at]!;
      const rest = Math.max(0, shown.shares[at]! - (own.get(price) ?? 0));
      const shares = this.#withTaken(price, rest);
      if (shares > 0) after.push({ price, shares: shares as Shares });
    }
    const isFull = shown.prices.length >= topN && topN > 0;
    if (isFull) this.#appendUnseen(after, shown.prices.at(-1)!, topN);
    this.isCut = isFull && after.length < topN;
    this.levels = after;
    return this.#steps(before, after);
  }

  #appendUnseen(after: OthersLevel[], worst: PriceUnits, topN: number): void {
    for (const level of this.levels) {
      if (after.length >= topN) return;
      if (this.#sign * level.price > this.#sign * worst) after.push(level);
    }
  }

  #withTaken(price: PriceUnits, rest: number): number {
    const taken = this.#taken.get(price);
    if (taken === undefined) return rest;
    if (rest === 0 || rest > taken.rest) {
      this.#taken.delete(price);
      return rest;
    }
    taken.rest = rest;
    return rest + taken.shares;
  }

  #steps(before: readonly OthersLevel[], after: readonly OthersLevel[]): readonly LevelStep[] {
    const sizes = new Map<PriceUnits, [number, number]>();
    for (const { price, shares } of before) sizes.set(price, [shares, 0]);
    for (const { price, shares } of after) sizes.set(price, [sizes.get(price)?.[0] ?? 0, shares]);
    return [...sizes]
      .toSorted(([a], [b]) => this.#sign * (a - b))
      .map(([price, [was, is]]) => ({ price, before: was as Shares, after: is as Shares }));
  }
}
