import type { MarketId } from '../../../domain/ids.js';
import { bookSideOf } from '../../../domain/orders.js';
import type { Fill, Replaced } from '../../../domain/fill.js';
import { type Micros, type Money, PRICE_ONE, type Shares } from '../../../domain/units.js';
import type { Currency, Position } from '../../../domain/vocabulary.js';
import type { OwnOrder, UnheardOrder } from './own-order.js';
import type { TrackedOrder } from './tracked-order.js';

/** A holding that differs from our fills for good. `came`: by how much; negative when it shrank. */
export interface DifferingHolding {
  readonly position: Position;
  readonly currency: Currency;
  readonly came: number;
  /** What the venue says that is held. */
  readonly venue: Shares;
  /** When it was first seen to differ. */
  readonly since: Micros;
}

/** An inferred fill, and the order that presumably traded it. */
interface Presumption {
  readonly order: TrackedOrder;
  readonly at: Micros;
  readonly fill: Fill;
  /** What the venue said that was held. */
  readonly venue: Shares;
  /** Orders whose fills up to that time are known. */
  readonly told: Set<TrackedOrder>;
  /** What no report has told of yet. */
  shares: number;
  amount: number;
  fee: number;
}

/** A part of an inferred fill that is replaced. */
export interface Taken extends Replaced {
  readonly order: TrackedOrder;
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
 * Fills that nobody reported: a holding changes only by fills, so one that differs for good was changed by a fill whose frame
 * is lost. The report may still come, and its shares must not count twice. Which order was filled is a guess; the first
 * report is believed. Until a later read agrees, those shares also count as still able to fill.
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
   * A holding of the market differs.
   * @param candidates its orders, those likeliest to have been filled unheard first
   * @param infer      makes the fill of one of them
   * @returns shares that none of them can have traded
   */
  presume(
    marketId: MarketId,
    candidates: readonly TrackedOrder[],
    { position, currency, came, venue }: DifferingHolding,
    at: Micros,
    infer: (order: TrackedOrder, shares: Shares) => Fill,
  ): number {
    const traded = { marketId, position, currency, side: came > 0 ? 'bid' : 'ask' } as const;
    this.#forgetBefore(at - this.#memory);
    let left = Math.abs(came);
    for (const order of candidates) {
      if (!order.countsFills || !this.#isAlike(order, traded)) continue;
      const shares = Math.min(left, order.requested - order.filled - this.#of(order));
      if (shares <= 0) continue;
      const fill = infer(order, shares as Shares);
      const { amount, fee } = fill;
      this.#presumptions = [
        ...this.#presumptions,
        { order, at, fill, venue, shares, amount, fee, told: new Set() },
      ];
      left -= shares;
    }
    return left;
  }

  /**
   * Fills were inferred that lead away from what the venue says.
   * @param isMoved false: only those count that were inferred from what it still says, for of these the report has come and
   *   was taken for a new fill
   * @returns what is to be taken back, the latest first
   */
  contradicted(
    marketId: MarketId,
    { position, currency, came, venue }: DifferingHolding,
    isMoved: boolean,
  ): readonly Taken[] {
    const undone = { marketId, position, currency, side: came > 0 ? 'ask' : 'bid' } as const;
    const wrong = this.#presumptions.filter(
      (one) => (isMoved || one.venue === venue) && this.#isAlike(one.order, undone),
    );
    return takenOf(wrong.toReversed(), Math.abs(came));
  }

  /** All fills of the order up to that time are known: a later fill is a new one. */
  heard(order: TrackedOrder, by: number): void {
    for (const presumption of this.#presumptions) if (presumption.at < by) presumption.told.add(order);
  }

  /** A fill of the order is reported. @returns what of its shares was inferred already */
  told(order: TrackedOrder, shares: Shares, at: Micros): readonly Taken[] {
    const taken = takenOf(this.#explaining(order), shares);
    this.believe(order, taken.reduce((sum, one) => sum + one.shares, 0) as Shares, at);
    return taken;
  }

  /** So many filled shares of the order count as held already. */
  believe(order: TrackedOrder, shares: Shares, at: Micros): void {
    if (shares > 0) this.#drawn = [...this.#drawn, { order, at, shares }];
  }

  /**
   * Cash is another sum than fills make it: a guessed price is wrong.
   * @param residual what there is beyond our sum
   * @returns by how much the amounts of inferred fills differ, the latest first; none where they cannot explain all of it
   */
  reprice(
    currency: Currency,
    residual: Money,
  ): readonly (readonly [order: TrackedOrder, fill: Fill, more: Money])[] {
    let left: number = residual;
    const changes = this.#presumptions.toReversed().flatMap((one) => {
      const { order, fill, shares, amount } = one;
      if (shares === 0 || order.currency !== currency || left === 0) return [];
      const wanted = order.side === 'bid' ? amount - left : amount + left;
      const more = Math.min(shares * PRICE_ONE, Math.max(0, wanted)) - amount;
      left += order.side === 'bid' ? more : -more;
      return [{ one, news: [order, fill, more as Money] as const }];
    });
    if (left !== 0) return [];
    for (const { one, news } of changes) one.amount += news[2];
    return changes.map(({ news }) => news);
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
   * Presumptions that a fill of the order may explain, oldest first: younger orders had a part in later ones only.
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

/** Takes so many shares from these, in this order. */
function takenOf(presumptions: readonly Presumption[], most: number): readonly Taken[] {
  let left = most;
  return presumptions.flatMap((presumption) => {
    const { order, fill } = presumption;
    const shares = Math.min(left, presumption.shares);
    if (shares === 0) return [];
    left -= shares;
    const [amount, fee] = [presumption.amount, presumption.fee].map(
      (sum) => Math.round((sum * shares) / presumption.shares) as Money,
    );
    presumption.shares -= shares;
    presumption.amount -= amount!;
    presumption.fee -= fee!;
    return [
      { id: fill.id, orderId: fill.orderId, shares: shares as Shares, amount: amount!, fee: fee!, order },
    ];
  });
}

function unfilled(order: TrackedOrder, requested: Shares): UnheardOrder {
  const { orderId, marketId, side, position, bookSide, currency, price } = order;
  return { orderId, marketId, side, position, bookSide, currency, price, requested, filled: NO_SHARES };
}

type Traded = Pick<OwnOrder, 'marketId' | 'side' | 'position' | 'currency'>;
