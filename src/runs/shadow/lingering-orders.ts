import type { MarketId } from '../../domain/ids.js';
import type { Side } from '../../domain/vocabulary.js';
import type { TapedOrder } from '../../storage/index.js';

/**
 * How long a simulated order stands whose real twin was filled: nobody ever decided to withdraw it. It is taken to
 * have stood as long as the bot goes on quoting that price, so it leaves when the bot next acts on that side of the
 * market and has nothing there afterwards.
 */
export class LingeringOrders {
  readonly #orders = new Map<string, TapedOrder[]>();
  /** Sides on which the bot acted, and when. */
  readonly #acted = new Map<string, number>();

  /** @param standing real orders of a market */
  constructor(private readonly standing: (market: MarketId) => Iterable<TapedOrder>) {}

  /** Its real twin was filled while a simulated one still stands. */
  add(order: TapedOrder): void {
    const key = keyOf(order);
    this.#orders.set(key, [...(this.#orders.get(key) ?? []), order]);
  }

  /** The bot placed or withdrew an order. */
  acted(order: TapedOrder, at: number): void {
    const key = keyOf(order);
    if (this.#orders.has(key)) this.#acted.set(key, at);
  }

  /** @returns those that leave now: everything that the bot did before this time is done */
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

  /** @returns those of a market, which is closed */
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
