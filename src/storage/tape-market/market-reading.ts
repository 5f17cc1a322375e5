import type { MarketId } from '../../domain/ids.js';
import type { BookUpdate } from '../../domain/inputs.js';
import type { Levels } from '../../domain/levels.js';
import type { Micros, PriceUnits, Shares } from '../../domain/units.js';
import { oppositeSide, type Side } from '../../domain/vocabulary.js';
import type { BookMoment, OthersBook } from './happenings.js';
import { type OthersLevel, OthersSide } from './others-side.js';
import type { TapedOrderNews, TapedOrder } from './taped-orders.js';
import {
  type InferredPrint,
  inferPrints,
  type SideChange,
  type VolumeGrowth,
} from '../../venues/simulated/models/inferred-prints.js';

type ByPrice = Map<number, number>;
type Filled = Extract<TapedOrderNews, { readonly kind: 'filled' }>;

/** One market: its frames become moments. */
export class MarketReading {
  readonly #sides = { bid: new OthersSide('bid'), ask: new OthersSide('ask') } as const;
  #heard: BookUpdate | null = null;
  /** Since the last frame. */
  #filled = none();
  /** Since the last frame, by the side that it was taken from. */
  #took = none();
  #at: Micros | null = null;

  constructor(readonly marketId: MarketId) {}

  /** Whether a frame came whose time is later. */
  isBehind(at: Micros): boolean {
    return this.#at !== null && at < this.#at;
  }

  /**
   * Whether a book that was read tells more than the frames did: none came yet, or none since the connection was lost.
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

  /** Share units that the best levels have lost since the frame heard before. @param book heard last, whenever it was made */
  lost(book: BookUpdate): number {
    const before = this.#heard;
    this.#heard = book;
    return before === null ? 0 : lostShares(before.bids, book.bids) + lostShares(before.asks, book.asks);
  }

  /** Some of ours traded: takers met it, or it took from others. */
  filled({ order, shares, price, liquidity }: Filled): void {
    if (liquidity === 'maker') return add(this.#filled[order.side], order.price, shares);
    const met = oppositeSide(order.side);
    const at = Math.round(price) as PriceUnits;
    add(this.#took[met], at, shares);
    this.#sides[met].take(at, shares);
  }

  /** @param standing our orders when the frame was made */
  frame(book: BookUpdate, standing: Iterable<TapedOrder>, growth: VolumeGrowth): BookMoment {
    this.#at = book.venueTime;
    return this.#shown(book, standing, growth);
  }

  /** A book that was read. Frames that were made before and come later tell more. */
  read(book: BookUpdate, standing: Iterable<TapedOrder>): BookMoment {
    return this.#shown(book, standing, { left: 0 });
  }

  #shown(book: BookUpdate, standing: Iterable<TapedOrder>, growth: VolumeGrowth): BookMoment {
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

/** What stood once everything was cancelled that was, and nothing had traded nor come yet. */
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
