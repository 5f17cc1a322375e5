import { MARK_OUT_SECONDS } from '../../analytics/mark-outs.js';
import type { MarketId } from '../../domain/ids.js';
import type { TapedOrder } from '../../storage/index.js';
import type { MarkedFill } from './mark-watch.js';
import type { ShadowFill } from './simulated-venue.js';

/** An order of the bot, what became of it, and what became of its simulated twins. */
export interface OrderTwins {
  readonly id: number;
  readonly order: TapedOrder;
  readonly real: MarkedFill[];
  /** Per belief, in their order. */
  readonly simulated: readonly MarkedFill[][];
  /** Of the beliefs that could not take it. */
  readonly refused: Set<number>;
}

/** All orders of a bot that the tape saw come. Those that never traded anywhere are counted and forgotten. */
export class TwinRegister {
  readonly traded: OrderTwins[] = [];
  readonly #byId = new Map<number, OrderTwins>();
  readonly #standing = new Map<MarketId, Set<TapedOrder>>();
  #count = 0;

  constructor(private readonly beliefs: number) {}

  /** Orders judged so far. */
  get count(): number {
    return this.#count;
  }

  place(order: TapedOrder): OrderTwins {
    this.#count += 1;
    const simulated = Array.from({ length: this.beliefs }, (): MarkedFill[] => []);
    const twins = { id: this.#count, order, real: [], simulated, refused: new Set<number>() };
    this.#byId.set(twins.id, twins);
    this.#market(order.marketId).add(order);
    return twins;
  }

  byId(id: number): OrderTwins {
    return this.#byId.get(id)!;
  }

  /** The real order is gone. */
  end(order: TapedOrder): void {
    this.#market(order.marketId).delete(order);
  }

  /** No simulated one stands any more either. */
  settle(twins: OrderTwins): void {
    this.#byId.delete(twins.id);
  }

  standing(market: MarketId): Iterable<TapedOrder> {
    return this.#market(market);
  }

  /** One fill of the order, real or simulated, is noted for good. */
  note(twins: OrderTwins, to: MarkedFill[], fill: ShadowFill): MarkedFill {
    if (twins.real.length === 0 && twins.simulated.every(({ length }) => length === 0))
      this.traded.push(twins);
    const direction = twins.order.side === 'bid' ? 1 : -1;
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
export const waitOf = ({ order }: OrderTwins, [first]: readonly ShadowFill[]): number | null =>
  first === undefined ? null : first.at - order.placedAt;
