import type { Fill } from '../domain/fill.js';
import type { OrderId } from '../domain/ids.js';
import type { Side } from '../domain/vocabulary.js';
import type { StandingOrder } from './observer.js';
import type { OwnTouch } from './quoting-meter.js';

/** Our orders that stand in one market: their best prices, what they lock, and how much was ever offered. */
export class OwnQuotes {
  /** Of what stands now. */
  readonly touch: OwnTouch = { bid: Number.NaN, ask: Number.NaN, bidShares: 0, askShares: 0 };
  #locked = 0;
  /** Shares left of every standing order, by id. */
  #left = new Map<OrderId, number>();
  #signature: number[] = [];

  /** @param offers is told of shares that were not on offer before */
  constructor(private readonly offers: (side: Side, shares: number) => void) {}

  /** Cash that standing bids lock, money units. */
  get locked(): number {
    return this.#locked;
  }

  /** @returns whether it differs from what stood before */
  replace(orders: readonly StandingOrder[]): boolean {
    if (this.#isSame(orders)) return false;
    this.#signature = orders.flatMap((order) => [order.orderId ?? -1, order.longPrice, order.remaining]);
    this.#noteOffers(orders);
    this.#noteTouch(orders);
    return true;
  }

  /** Shares that trade before their order was ever seen standing were on offer, too. */
  filled({ orderId, shares }: Fill, side: Side): void {
    const left = this.#left.get(orderId);
    if (left === undefined) this.offers(side, shares);
    else this.#left.set(orderId, left - shares);
  }

  #isSame(orders: readonly StandingOrder[]): boolean {
    const known = this.#signature;
    if (known.length !== orders.length * 3) return false;
    return orders.every(
      ({ orderId, longPrice, remaining }, index) =>
        known[index * 3] === (orderId ?? -1) &&
        known[index * 3 + 1] === longPrice &&
        known[index * 3 + 2] === remaining,
    );
  }

  #noteOffers(orders: readonly StandingOrder[]): void {
    const left = new Map<OrderId, number>();
    for (const { orderId, bookSide, remaining } of orders) {
      if (orderId === null) continue;
      const before = this.#left.get(orderId) ?? 0;
      if (remaining > before) this.offers(bookSide, remaining - before);
      left.set(orderId, remaining);
    }
    this.#left = left;
  }

  #noteTouch(orders: readonly StandingOrder[]): void {
    const { touch } = this;
    Object.assign(touch, { bid: Number.NaN, ask: Number.NaN, bidShares: 0, askShares: 0 });
    this.#locked = 0;
    for (const { side, bookSide, price, longPrice, remaining } of orders) {
      if (side === 'bid') this.#locked += price * remaining;
      if (bookSide === 'bid') {
        if (!(touch.bid >= longPrice)) Object.assign(touch, { bid: longPrice, bidShares: 0 });
        if (touch.bid === longPrice) touch.bidShares += remaining;
      } else {
        if (!(touch.ask <= longPrice)) Object.assign(touch, { ask: longPrice, askShares: 0 });
        if (touch.ask === longPrice) touch.askShares += remaining;
      }
    }
  }
}
