import { PRICE_ONE, type PriceUnits, SHARE_ONE, type Shares } from '../../../domain/units.js';
import type { ForeignSide } from '../../mirror/books/foreign-book.js';
import type { BookLevelView } from '../../strategy/contract.js';

type BookLevel = { -readonly [K in keyof BookLevelView]: BookLevelView[K] };

/**
 * One side of a book as strategies see it, best first. It keeps the integers; what a strategy is shown is made of them when
 * one asks: most look at nothing but the touch.
 */
export class PaneSide {
  readonly #ticks: number[] = [];
  readonly #shares: number[] = [];
  #tickUnits = 0;
  #count = 0;
  readonly #views: BookLevel[] = [];
  #areViewsMade = true;

  /** @returns whether it has changed */
  take(side: ForeignSide, tickUnits: number): boolean {
    const { count } = side;
    const ticks = this.#ticks;
    const shares = this.#shares;
    const known = this.#count;
    let hasChanged = count !== known || tickUnits !== this.#tickUnits;
    for (let level = 0; level < count; level++) {
      const tick = side.tick(level);
      const size = side.shares(level);
      if (level < known && ticks[level] === tick && shares[level] === size) continue;
      ticks[level] = tick;
      shares[level] = size;
      hasChanged = true;
    }
    this.#count = count;
    this.#tickUnits = tickUnits;
    if (hasChanged) this.#areViewsMade = false;
    return hasChanged;
  }

  /** Best price in price units of the long side; null where there is no level. */
  get price(): PriceUnits | null {
    return this.#count === 0 ? null : ((this.#ticks[0]! * this.#tickUnits) as PriceUnits);
  }

  /** Shares at the best price; 0 where there is no level. */
  get shares(): Shares {
    return (this.#count === 0 ? 0 : this.#shares[0]!) as Shares;
  }

  /** Shares at a price, in price units of the long side; 0 where there is no such level. */
  sharesAt(longPrice: number): Shares {
    for (let level = 0; level < this.#count; level++)
      if (this.#ticks[level]! * this.#tickUnits === longPrice) return this.#shares[level]! as Shares;
    return 0 as Shares;
  }

  /** The same objects as long as they show the same. */
  get levels(): readonly BookLevelView[] {
    if (!this.#areViewsMade) this.#show();
    return this.#views;
  }

  #show(): void {
    const views = this.#views;
    if (views.length > this.#count) views.length = this.#count;
    for (let at = 0; at < this.#count; at++) {
      const price = (this.#ticks[at]! * this.#tickUnits) / PRICE_ONE;
      const shares = this.#shares[at]! / SHARE_ONE;
      const view = views[at];
      if (view === undefined) views.push({ price, shares });
      else {
        view.price = price;
        view.shares = shares;
      }
    }
    this.#areViewsMade = true;
  }
}
