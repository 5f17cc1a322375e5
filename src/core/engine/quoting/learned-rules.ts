/** Rules of a market that only the venue knows, as far as its refusals and what it has taken tell them. */
import {
  type Money,
  PRICE_ONE,
  type PriceUnits,
  type Shares,
  currencyUnits,
  probability,
  wholeShares,
} from '../../../domain/units.js';

/** What a refusal is about; the venue names no figure. */
export type RefusedPart = 'amount' | 'shares' | 'price';

/** Orders that stand show what the venue takes. */
export interface TakenOrder {
  readonly price: PriceUnits;
  readonly shares: Shares;
}

/** What else is known of the market when it refuses. */
export interface RuleGround {
  /** Own orders that it took. */
  readonly taken: readonly TakenOrder[];
  /** Prices that others' orders stand at, of the long side. */
  readonly bookPrices: readonly PriceUnits[];
  /** As configured. */
  readonly tickUnits: number;
}

/** Rules learned from refusals: each forbids what was refused, and what would be refused for the same reason. */
export class LearnedRules {
  #least = -Infinity;
  #greatest = Infinity;
  /** Amounts of which it is not known whether they were too little or too much. */
  #from = Infinity;
  #to = -Infinity;
  #tick = 1;
  readonly #shares = new Set<number>();
  readonly #prices = new Set<number>();

  /** @returns what is not asked for any more, for people */
  refused(part: RefusedPart, { price, shares }: TakenOrder, ground: RuleGround): string {
    if (part === 'amount') return this.#refusedAmount(price * shares, ground);
    if (part === 'price') return this.#refusedPrice(price, ground);
    this.#shares.add(shares);
    return `orders of ${wholeShares(shares)} shares`;
  }

  forbids({ price, shares }: TakenOrder): boolean {
    const amount = price * shares;
    if (amount <= this.#least || amount >= this.#greatest) return true;
    if (amount >= this.#from && amount <= this.#to) return true;
    return price % this.#tick !== 0 || this.#prices.has(price) || this.#shares.has(shares);
  }

  /**
   * Too little or too much? Orders that were taken say which. Without any nobody knows, and no more is forbidden than
   * what lies between the amounts refused.
   */
  #refusedAmount(amount: number, { taken }: RuleGround): string {
    const amounts = taken.map(({ price, shares }) => price * shares);
    const isLess = amounts.length > 0 && amounts.every((other) => other > amount);
    const isMore = amounts.length > 0 && amounts.every((other) => other < amount);
    if (isLess) this.#least = Math.max(this.#least, amount);
    if (isMore) this.#greatest = Math.min(this.#greatest, amount);
    if (isLess || isMore) return `orders of ${money(amount)} and ${isLess ? 'less' : 'more'}`;
    this.#from = Math.min(this.#from, amount);
    this.#to = Math.max(this.#to, amount);
    return `orders of ${money(this.#from)} to ${money(this.#to)}`;
  }

  /** The finest coarser grid that the refused prices are off, and what stands in the book is on. */
  #refusedPrice(price: PriceUnits, { taken, bookPrices, tickUnits }: RuleGround): string {
    this.#prices.add(price);
    const stand = [...bookPrices, ...taken.map((order) => order.price)];
    for (let tick = 2 * tickUnits; tick < PRICE_ONE; tick += tickUnits) {
      if (PRICE_ONE % tick !== 0 || stand.some((other) => other % tick !== 0)) continue;
      if ([...this.#prices].some((refused) => refused % tick === 0)) continue;
      this.#tick = tick;
      return `prices off a grid of ${probability(tick as PriceUnits)}`;
    }
    return `the price ${probability(price)}`;
  }
}

const money = (amount: number): number => currencyUnits(amount as Money);
