import { MARK_OUT_SECONDS } from '../../analytics/mark-outs.js';
import type { MarketId } from '../../domain/ids.js';
import type { BookChange, TapedOrder } from '../../storage/index.js';
import type { Micros } from '../../domain/units.js';
import type { ShadowFill } from './shadow-venue.js';
import type { Side } from '../../domain/vocabulary.js';

/** An order of the bot with its real fills and its fills in each simulation. */
export interface ComparedOrder {
  readonly id: number;
  readonly order: TapedOrder;
  readonly real: MarkedFill[];
  /** By fill model, in their order. */
  readonly simulated: readonly MarkedFill[][];
  /** Fill models whose venue refused the order. */
  readonly refused: Set<number>;
}

/** All orders that were placed while the tape ran. Orders that never traded are counted and forgotten. */
export class ComparedOrders {
  readonly traded: ComparedOrder[] = [];
  readonly #byId = new Map<number, ComparedOrder>();
  readonly #standing = new Map<MarketId, Set<TapedOrder>>();
  #count = 0;

  constructor(private readonly fillModels: number) {}

  /** Orders so far. */
  get count(): number {
    return this.#count;
  }

  place(order: TapedOrder): ComparedOrder {
    this.#count += 1;
    const simulated = Array.from({ length: this.fillModels }, (): MarkedFill[] => []);
    const compared = { id: this.#count, order, real: [], simulated, refused: new Set<number>() };
    this.#byId.set(compared.id, compared);
    this.#market(order.marketId).add(order);
    return compared;
  }

  byId(id: number): ComparedOrder {
    return this.#byId.get(id)!;
  }

  /** The real order is gone. */
  end(order: TapedOrder): void {
    this.#market(order.marketId).delete(order);
  }

  /** The order has left all simulations, too. */
  settle(compared: ComparedOrder): void {
    this.#byId.delete(compared.id);
  }

  standing(market: MarketId): Iterable<TapedOrder> {
    return this.#market(market);
  }

  /** Keeps a real or simulated fill. */
  note(compared: ComparedOrder, to: MarkedFill[], fill: ShadowFill): MarkedFill {
    if (compared.real.length === 0 && compared.simulated.every(({ length }) => length === 0))
      this.traded.push(compared);
    const direction = compared.order.side === 'bid' ? 1 : -1;
    const marked: MarkedFill = { ...fill, direction, marks: MARK_OUT_SECONDS.map(() => Number.NaN) };
    to.push(marked);
    return marked;
  }

  #market(id: MarketId): Set<TapedOrder> {
    let market = this.#standing.get(id);
    if (market === undefined) this.#standing.set(id, (market = new Set()));
    return market;
  }
}

export const sharesOf = (fills: readonly ShadowFill[]): number =>
  fills.reduce((sum, { shares }) => sum + shares, 0);

/** Microseconds from the order's arrival to its first fill; null when it had none. */
export const waitOf = ({ order }: ComparedOrder, [first]: readonly ShadowFill[]): number | null =>
  first === undefined ? null : first.at - order.placedAt;

/**
 * Decides when a simulated order leaves whose real order was filled: the bot never cancelled it. The order stays while the
 * bot goes on quoting its price. It leaves when the bot next acts on that side of the market without an order there.
 */
export class LingeringOrders {
  readonly #orders = new Map<string, TapedOrder[]>();
  /** Sides on which the bot acted, and when. */
  readonly #acted = new Map<string, number>();

  /** @param standing real orders of a market */
  constructor(private readonly standing: (market: MarketId) => Iterable<TapedOrder>) {}

  /** The real order was filled; a simulated one may be open. */
  add(order: TapedOrder): void {
    const key = keyOf(order);
    this.#orders.set(key, [...(this.#orders.get(key) ?? []), order]);
  }

  /** The bot placed or withdrew an order. */
  acted(order: TapedOrder, at: number): void {
    const key = keyOf(order);
    if (this.#orders.has(key)) this.#acted.set(key, at);
  }

  /** @returns the orders that leave now: all earlier actions of the bot are known */
  leaving(now: number): readonly TapedOrder[] {
    if (this.#acted.size === 0) return [];
    const leaving: TapedOrder[] = [];
    for (const [key, at] of this.#acted) {
      if (at >= now) continue;
      this.#acted.delete(key);
      const orders = this.#orders.get(key) ?? [];
      const stays = orders.filter((order) => this.#isQuoted(order));
      leaving.push(...orders.filter((one) => !stays.includes(one)));
      if (stays.length > 0) this.#orders.set(key, stays);
      else this.#orders.delete(key);
    }
    return leaving;
  }

  /** @returns the orders of a market that was closed */
  closed(market: MarketId): readonly TapedOrder[] {
    return (['bid', 'ask'] as const).flatMap((side) => {
      const key = keyOf({ marketId: market, side });
      const orders = this.#orders.get(key) ?? [];
      this.#orders.delete(key);
      this.#acted.delete(key);
      return orders;
    });
  }

  #isQuoted({ marketId, side, price }: TapedOrder): boolean {
    for (const order of this.standing(marketId))
      if (order.side === side && order.price === price) return true;
    return false;
  }
}

const keyOf = ({ marketId, side }: { readonly marketId: MarketId; readonly side: Side }): string =>
  `${marketId} ${side}`;

/** A fill with later prices of the market. */
export interface MarkedFill extends ShadowFill {
  /** +1 bought long or sold short, -1 the other way. */
  readonly direction: 1 | -1;
  /** Others' mid, long-side price units, after each of `MARK_OUT_SECONDS`; NaN where nobody knows. */
  readonly marks: number[];
}

/** Fills of one market in the order of their times, and how far each horizon has got. */
interface Waiting {
  mark: number;
  fills: MarkedFill[];
  readonly next: number[];
}

const COMPACT_AT = 1_024;

/**
 * Marks fills by the later mid of others' book: own quotes do not mark own fills. While a side is empty, the last mid
 * holds.
 */
export class MarkWatch {
  readonly #markets = new Map<MarketId, Waiting>();

  /** @param fill not older than any before of its market */
  add(market: MarketId, fill: MarkedFill): void {
    this.#market(market).fills.push(fill);
  }

  moment({ marketId, at, bids, asks }: BookChange): void {
    const market = this.#market(marketId);
    markDue(market, at);
    const [bid] = bids;
    const [ask] = asks;
    if (bid !== undefined && ask !== undefined) market.mark = (bid.price + ask.price) / 2;
  }

  /** The tape is over: later marks stay unknown. */
  end(at: Micros): void {
    for (const market of this.#markets.values()) markDue(market, at + 1);
  }

  #market(id: MarketId): Waiting {
    let market = this.#markets.get(id);
    if (market === undefined)
      this.#markets.set(id, (market = { mark: Number.NaN, fills: [], next: MARK_OUT_SECONDS.map(() => 0) }));
    return market;
  }
}

/** Marks fills whose horizon ended before a time. */
function markDue(market: Waiting, before: number): void {
  const { fills, next, mark } = market;
  MARK_OUT_SECONDS.forEach((seconds, horizon) => {
    for (; next[horizon]! < fills.length; next[horizon]! += 1) {
      const fill = fills[next[horizon]!]!;
      if (fill.at + seconds * 1e6 >= before) return;
      fill.marks[horizon] = mark;
    }
  });
  const done = Math.min(...next);
  if (done < COMPACT_AT) return;
  market.fills = fills.slice(done);
  for (let horizon = 0; horizon < next.length; horizon++) next[horizon]! -= done;
}
