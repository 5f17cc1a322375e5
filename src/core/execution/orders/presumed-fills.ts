import type { MarketId } from '../../../domain/ids.js';
import { bookSideOf } from '../../../domain/orders.js';
import type { Micros, Shares } from '../../../domain/units.js';
import type { Currency, Position } from '../../../domain/vocabulary.js';
import type { OwnOrder, UnheardOrder } from './own-order.js';
import type { TrackedOrder } from './tracked-order.js';

/** A holding that was set to the venue's number. `came`: by how much; negative when it shrank. */
export interface RepairedHolding {
  readonly position: Position;
  readonly currency: Currency;
  readonly came: number;
}

/** Shares of a repaired holding, and the order that presumably traded them. */
interface Presumption {
  readonly order: TrackedOrder;
  readonly at: Micros;
  /** Orders whose fills up to that time are known. */
  readonly told: Set<TrackedOrder>;
  shares: number;
}

/** Shares of a reported fill that count as already held. They may be new shares all the same. */
interface Drawn {
  readonly order: TrackedOrder;
  readonly at: Micros;
  readonly shares: Shares;
}

const NOTHING: readonly Presumption[] = [];
const NO_SHARES = 0 as Shares;
const NO_ORDERS: readonly UnheardOrder[] = [];

/**
 * Matches repaired holdings with late fill reports. A holding changes only by fills, so a repaired difference is a fill
 * that nobody has reported yet. The report may still come, and its shares must not count twice. Which order was filled
 * is a guess; the first report is believed. Until a later read agrees, those shares also count as still able to fill.
 */
export class PresumedFills {
  readonly #memory: number;
  #presumptions: readonly Presumption[] = NOTHING;
  #drawn: readonly Drawn[] = [];

  /**
   * @param memory microseconds after which no more late reports are expected
   * @param nets   whether the venue nets long and short shares: a purchase of one may have changed the other then
   */
  constructor(
    memory: number,
    private readonly nets = false,
  ) {
    this.#memory = memory;
  }

  /**
   * A holding of the market was repaired.
   * @param candidates its orders, those likeliest to have been filled unheard first
   */
  presume(
    marketId: MarketId,
    candidates: readonly TrackedOrder[],
    { position, currency, came }: RepairedHolding,
    at: Micros,
  ): void {
    const traded = { marketId, position, currency, side: came > 0 ? 'bid' : 'ask' } as const;
    this.#forgetBefore(at - this.#memory);
    let left = Math.abs(came);
    for (const order of candidates) {
      if (!order.countsFills || !this.#isAlike(order, traded)) continue;
      const shares = Math.min(left, order.requested - order.filled - this.#of(order));
      if (shares <= 0) continue;
      this.#presumptions = [...this.#presumptions, { order, at, shares, told: new Set() }];
      left -= shares;
    }
  }

  /** All fills of the order up to that time are known: a later fill is a new one. */
  heard(order: TrackedOrder, by: number): void {
    for (const presumption of this.#presumptions) if (presumption.at < by) presumption.told.add(order);
  }

  /** A fill of the order is reported. @returns how many of its shares the holding contains already */
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

  /** So many filled shares of the order count as held already. */
  believe(order: TrackedOrder, shares: Shares, at: Micros): void {
    if (shares > 0) this.#drawn = [...this.#drawn, { order, at, shares }];
  }

  /** The market's orders with the shares that count as held already still to be filled. */
  mayHaveFilled(marketId: MarketId): readonly UnheardOrder[] {
    if (this.#drawn.length === 0) return NO_ORDERS;
    return this.#drawn
      .filter(({ order }) => order.marketId === marketId)
      .map(({ order, shares }) => unfilled(order, shares));
  }

  /** When the first of such fills was reported; null when there is none. */
  get oldest(): Micros | null {
    return this.#drawn[0]?.at ?? null;
  }

  /** A read of holdings confirmed such fills from before that time. @returns their markets */
  settleBefore(time: number): readonly MarketId[] {
    const settled = this.#drawn.filter(({ at }) => at < time);
    if (settled.length > 0) this.#drawn = this.#drawn.filter(({ at }) => at >= time);
    return settled.map(({ order }) => order.marketId);
  }

  /**
   * Presumptions that a fill of the order may explain, oldest repair first: younger orders had a part in later repairs
   * only.
   */
  #explaining(order: TrackedOrder): readonly Presumption[] {
    if (this.#presumptions.length === 0) return NOTHING;
    const isForeign = (presumption: Presumption): number => (presumption.order === order ? 0 : 1);
    return this.#presumptions
      .filter(
        ({ order: other, at, told }) => this.#isAlike(other, order) && order.bornAt < at && !told.has(order),
      )
      .toSorted((one, other) => one.at - other.at || isForeign(one) - isForeign(other));
  }

  /** Do fills of both change the same holding in the same direction? */
  #isAlike(one: Traded, other: Traded): boolean {
    if (one.marketId !== other.marketId || one.currency !== other.currency) return false;
    if (this.nets) return bookSideOf(one) === bookSideOf(other);
    return one.side === other.side && one.position === other.position;
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
