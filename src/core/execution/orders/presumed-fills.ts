import type { MarketId } from '../../../domain/ids.js';
import type { Micros, Shares } from '../../../domain/units.js';
import type { Currency, Position } from '../../../domain/vocabulary.js';
import type { OwnOrder, UnheardOrder } from './own-order.js';
import type { TrackedOrder } from './tracked-order.js';

/** A holding that was set to the venue's number, and by how much: negative when it shrank. */
export interface RepairedHolding {
  readonly position: Position;
  readonly currency: Currency;
  readonly came: number;
}

/** Shares of a repair, and the order that is presumed to have traded them. */
interface Presumption {
  readonly order: TrackedOrder;
  readonly at: Micros;
  /** Orders of which it is known what they had traded by then: it was told, or is told of them now. */
  readonly told: Set<TrackedOrder>;
  shares: number;
}

/** Shares of a told fill that were taken for some that the holding contains: they may be new ones all the same. */
interface Drawn {
  readonly order: TrackedOrder;
  readonly at: Micros;
  readonly shares: Shares;
}

const NOTHING: readonly Presumption[] = [];
const NO_SHARES = 0 as Shares;
const NO_ORDERS: readonly UnheardOrder[] = [];

/**
 * Shares change hands by orders alone. So a difference of holdings that was repaired is a fill that nobody has told us
 * of yet, and the frame that does may only be late: what it tells is in the holding already. Which of several orders was
 * filled is a guess until they are heard of, so that the first to tell of a fill is believed; and until a later read
 * agrees, what it told counts as still to be filled.
 */
export class PresumedFills {
  readonly #memory: number;
  #presumptions: readonly Presumption[] = NOTHING;
  #drawn: readonly Drawn[] = [];

  /** @param memory after so many microseconds every order has been heard of that will ever be */
  constructor(memory: number) {
    this.#memory = memory;
  }

  /**
   * Shares of a market came or went unheard.
   * @param candidates its orders, those likeliest to have been filled unheard first
   */
  presume(
    marketId: MarketId,
    candidates: readonly TrackedOrder[],
    { position, currency, came }: RepairedHolding,
    at: Micros,
  ): void {
    const traded: Traded = { marketId, position, currency, side: came > 0 ? 'bid' : 'ask' };
    this.#forgetBefore(at - this.#memory);
    let left = Math.abs(came);
    for (const order of candidates) {
      if (!order.countsFills || !isAlike(order, traded)) continue;
      const shares = Math.min(left, order.requested - order.filled - this.#of(order));
      if (shares <= 0) continue;
      this.#presumptions = [...this.#presumptions, { order, at, shares, told: new Set() }];
      left -= shares;
    }
  }

  /** What the order had traded by that time is known: a later fill of it is a new one. */
  heard(order: TrackedOrder, by: number): void {
    for (const presumption of this.#presumptions) if (presumption.at < by) presumption.told.add(order);
  }

  /** A fill of the order is told. @returns how much of it the holding contains already */
  told(order: TrackedOrder, shares: Shares, at: Micros): Shares {
    let left: number = shares;
    for (const presumption of this.#explaining(order)) {
      const taken = Math.min(left, presumption.shares);
      presumption.shares -= taken;
      left -= taken;
    }
    const drawn = (shares - left) as Shares;
    this.believe(order, drawn, at);
    return drawn;
  }

  /** So many shares of what the order has traded are taken for some that the holding contains already. */
  believe(order: TrackedOrder, shares: Shares, at: Micros): void {
    if (shares > 0) this.#drawn = [...this.#drawn, { order, at, shares }];
  }

  /** Orders of the market as if what was taken for shares that are held already was still to be filled. */
  mayHaveFilled(marketId: MarketId): readonly UnheardOrder[] {
    if (this.#drawn.length === 0) return NO_ORDERS;
    return this.#drawn
      .filter(({ order }) => order.marketId === marketId)
      .map(({ order, shares }) => unfilled(order, shares));
  }

  /** When the first of such fills was told; null when there is none. */
  get oldest(): Micros | null {
    return this.#drawn[0]?.at ?? null;
  }

  /** Holdings have shown that fills told before then are what they were taken for. @returns the markets of such */
  settleBefore(time: number): readonly MarketId[] {
    const settled = this.#drawn.filter(({ at }) => at < time);
    if (settled.length > 0) this.#drawn = this.#drawn.filter(({ at }) => at >= time);
    return settled.map(({ order }) => order.marketId);
  }

  /**
   * What may be the same shares as a fill of the order. The oldest repair comes first: younger orders had a part in later
   * ones alone.
   */
  #explaining(order: TrackedOrder): readonly Presumption[] {
    if (this.#presumptions.length === 0) return NOTHING;
    const isForeign = (presumption: Presumption): number => (presumption.order === order ? 0 : 1);
    return this.#presumptions
      .filter(({ order: other, at, told }) => isAlike(other, order) && order.bornAt < at && !told.has(order))
      .toSorted((one, other) => one.at - other.at || isForeign(one) - isForeign(other));
  }

  #of(order: TrackedOrder): number {
    let shares = 0;
    for (const one of this.#presumptions) if (one.order === order) shares += one.shares;
    return shares;
  }

  #forgetBefore(time: number): void {
    this.#presumptions = this.#presumptions.filter(({ at, shares }) => at >= time && shares > 0);
  }
}

function unfilled(order: TrackedOrder, requested: Shares): UnheardOrder {
  const { orderId, marketId, side, position, bookSide, currency, price } = order;
  return { orderId, marketId, side, position, bookSide, currency, price, requested, filled: NO_SHARES };
}

type Traded = Pick<OwnOrder, 'marketId' | 'side' | 'position' | 'currency'>;

const isAlike = (one: Traded, other: Traded): boolean =>
  one.marketId === other.marketId &&
  one.side === other.side &&
  one.position === other.position &&
  one.currency === other.currency;
