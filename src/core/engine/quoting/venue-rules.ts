import type { LimitOrder } from '../../../domain/orders.js';
import type { MarketId } from '../../../domain/ids.js';
import {
  type Micros,
  type Money,
  PRICE_ONE,
  type PriceUnits,
  type Shares,
  currencyUnits,
  probability,
  wholeShares,
} from '../../../domain/units.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import { depthOf, type DepthParts } from '../observing/observation.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';

/** What this part of the engine works with. */
export interface RulesParts extends DepthParts {
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
}

/** As much of an order as the venue judges. */
type Terms = Pick<LimitOrder, 'marketId' | 'side' | 'position' | 'price' | 'shares'>;

/** The venue may have changed its mind by then. */
const BARRED = 600_000_000;

/** What was learned of a market, and until when it counts. */
interface Lesson {
  readonly rules: LearnedRules;
  until: number;
}

/**
 * Orders that broke a rule of the venue's which is not ours: each is asked for again after ten minutes at the earliest,
 * for it would be refused again, and so would others for the same amount, number of shares or price. The rest of the
 * market's orders may pass. One refusal every ten minutes keeps alive what was learned, unless an order stands that could
not by then.
 */
export class BarredOrders {
  readonly #until = new Map<string, number>();
  readonly #lessons = new Map<MarketId, Lesson>();
  readonly #reasons = new Map<MarketId, string>();

  /** An order was refused for a reason that nobody can place: it alone is barred. @param reason what the venue said */
  bar(terms: Terms, reason: string, at: Micros): void {
    this.#reasons.set(terms.marketId, reason);
    for (const [key, until] of this.#until) if (until <= at) this.#until.delete(key);
    this.#until.set(keyOf(terms), at + BARRED);
  }

  /** What the venue said last when it refused an order of the market. */
  reasonIn(market: MarketId): string {
    return this.#reasons.get(market) ?? 'a rule of the venue';
  }

  /** An order was refused for a part of it. @returns what is not asked for any more, and until when */
  learn(part: RefusedPart, terms: Terms, context: RefusalContext, reason: string, at: Micros): Learned {
    this.#reasons.set(terms.marketId, reason);
    const known = this.#lessons.get(terms.marketId);
    const isWrong = known !== undefined && context.taken.some((order) => known.rules.forbids(order));
    const lesson = known === undefined || isWrong ? { rules: new LearnedRules(), until: 0 } : known;
    lesson.until = at + BARRED;
    this.#lessons.set(terms.marketId, lesson);
    const text = lesson.rules.refused(part, terms, context);
    return { text, until: lesson.until as Micros, tickUnits: lesson.rules.tickUnits };
  }

  /** Whether every order may be asked for, as mostly. */
  get isEmpty(): boolean {
    return this.#until.size === 0 && this.#lessons.size === 0;
  }

  /** @returns until when it is not asked for; null when it may be */
  barredUntil(terms: Terms, at: Micros): Micros | null {
    const lesson = this.#lessons.size === 0 ? undefined : this.#lessons.get(terms.marketId);
    if (lesson !== undefined && at < lesson.until && lesson.rules.forbids(terms))
      return lesson.until as Micros;
    const until = this.#until.size === 0 ? 0 : (this.#until.get(keyOf(terms)) ?? 0);
    return at < until ? (until as Micros) : null;
  }

  /** A person resumed, or rules changed. */
  lift(): void {
    this.#until.clear();
    this.#lessons.clear();
    this.#reasons.clear();
  }
}

/** What a refusal taught. */
export interface Learned {
  readonly text: string;
  readonly until: Micros;
  /** The grid that refused prices are off; 1 while nothing shows one. */
  readonly tickUnits: number;
}

const keyOf = ({ marketId, side, position, price, shares }: Terms): string =>
  `${marketId} ${side} ${position} ${price} ${shares}`;

/** Rules of a market that only the venue knows, as far as its refusals and what it has taken tell them. */

/** What a refusal is about; the venue names no figure. */
export type RefusedPart = 'amount' | 'shares' | 'price';

/** Orders that stand show what the venue takes. */
export interface TakenOrder {
  readonly price: PriceUnits;
  readonly shares: Shares;
}

/** What else is known of the market when it refuses. */
export interface RefusalContext {
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

  get tickUnits(): number {
    return this.#tick;
  }

  /** @returns what is not asked for any more, for people */
  refused(part: RefusedPart, { price, shares }: TakenOrder, context: RefusalContext): string {
    if (part === 'amount') return this.#refusedAmount(price * shares, context);
    if (part === 'price') return this.#refusedPrice(price, context);
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
  #refusedAmount(amount: number, { taken }: RefusalContext): string {
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
  #refusedPrice(price: PriceUnits, { taken, bookPrices, tickUnits }: RefusalContext): string {
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

/** What is known of a market at the moment in which it refuses an order. */
export function refusalContextOf(parts: RulesParts, { marketId }: OwnOrder, at: Micros): RefusalContext {
  const { tickUnits } = parts.terms.get(marketId)!;
  const { bids, asks } = depthOf(parts, marketId, at);
  const taken = parts.desk.orders
    .own(marketId)
    .working.filter(({ state, ownership }) => state === 'live' && ownership === 'ours')
    .map(({ price, requested }) => ({ price, shares: requested }));
  return { taken, bookPrices: [...bids.prices, ...asks.prices], tickUnits };
}
