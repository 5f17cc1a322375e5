import { type Money, PRICE_ONE, type Shares } from '../../domain/units.js';
import type { ResolutionMode } from '../../domain/vocabulary.js';
import { OrderCosts } from './order-costs.js';

/** How an event can end. */
export interface EventEndings {
  readonly resolutionMode: ResolutionMode;
  /** Whether, in an exclusive event, possibly none of the markets counted resolves long. */
  readonly nonePossible: boolean;
  /** Whether markets may be void, which takes back every cash flow in them. */
  readonly voidPossible: boolean;
}

/** What is held in one market of an event, in one currency. */
export interface HeldInMarket {
  readonly long: Shares;
  readonly short: Shares;
  /** Paid less received, fees included; negative when more came back than went in. */
  readonly cost: Money;
}

/** Sums kept per market, in money units. */
const SUM = {
  /** What is held and what open orders take away, each filled only where that costs: if the market's outcome wins, and if not. */
  long: 0,
  short: 1,
  /** The orders' part of it. */
  ordersIfLong: 2,
  ordersIfShort: 3,
} as const;
const NO_SUMS = [0, 0, 0, 0] as const;
const SUMS = NO_SUMS.length;
const NO_COSTS = new OrderCosts();
/** What an ending brings that is not asked about: more than any that is, and still exact to the unit beside them. */
const NOT_ASKED = 2 ** 51;

/**
 * The least that an event can bring, over every way it can end and every subset of the open orders being filled:
 * min over j of W_j + sum over orders of min(0, contribution if j wins) (market-making formulas, "Binary outcomes").
 * One market's change costs its own orders and one pass over the markets' sums, of which there are 32 bytes a market.
 */
export class WorstCase {
  /** One array for all markets. */
  readonly #sums: number[];
  /** Over all markets, if no outcome wins. */
  #otherwise = 0;

  /** @param markets that there are from the beginning, without holdings and orders: 0, 1, 2 and so on */
  constructor(
    private readonly endings: EventEndings,
    markets = 0,
  ) {
    this.#sums = Array.from({ length: SUMS * markets }, () => 0);
  }

  /** Adds a market without holdings and orders. @returns its index, the next one */
  add(): number {
    return this.#sums.push(...NO_SUMS) / SUMS - 1;
  }

  /** @param undone what it would cost if some of the fills that are counted had not been */
  hold(market: number, { long, short, cost }: HeldInMarket, undone: OrderCosts = NO_COSTS): void {
    const base = market * SUMS;
    const sums = this.#sums;
    const ifLong = long * PRICE_ONE - cost + undone.ifLong + sums[base + SUM.ordersIfLong]!;
    const ifShort = short * PRICE_ONE - cost + undone.ifShort + sums[base + SUM.ordersIfShort]!;
    this.#replace(base, ifLong, ifShort);
  }

  /** Puts these in the place of the market's open orders. */
  order(market: number, { ifLong, ifShort }: OrderCosts): void {
    const base = market * SUMS;
    const sums = this.#sums;
    this.#addOrders(base, ifLong - sums[base + SUM.ordersIfLong]!, ifShort - sums[base + SUM.ordersIfShort]!);
  }

  /** Adds these to the market's open orders. */
  also(market: number, { ifLong, ifShort }: OrderCosts): void {
    this.#addOrders(market * SUMS, ifLong, ifShort);
  }

  /** Money units; negative is a loss. */
  worst(): Money {
    return this.#worstWith(-1, 0, 0);
  }

  /** The worst case if these orders of the market were open, too: never better than {@link worst}. */
  worstWith(market: number, { ifLong, ifShort }: OrderCosts): Money {
    const base = market * SUMS;
    const sums = this.#sums;
    const short = sums[base + SUM.short]! + ifShort;
    return this.#worstWith(market, sums[base + SUM.long]! + ifLong, this.#orVoid(short));
  }

  /**
   * The worst case with these orders over those endings alone in which a fill of one of them costs; far above any other
   * value where none of them costs in any. Never below {@link worstWith}.
   */
  worstWhereTheyCost(market: number, { ifLong, ifShort }: OrderCosts): Money {
    const base = market * SUMS;
    const sums = this.#sums;
    const long = sums[base + SUM.long]! + ifLong;
    const short = sums[base + SUM.short]! + ifShort;
    return this.#worstWith(market, ifLong < 0 ? long : NOT_ASKED, ifShort < 0 ? short : NOT_ASKED, false);
  }

  #addOrders(base: number, ifLong: number, ifShort: number): void {
    const sums = this.#sums;
    sums[base + SUM.ordersIfLong]! += ifLong;
    sums[base + SUM.ordersIfShort]! += ifShort;
    this.#replace(base, sums[base + SUM.long]! + ifLong, sums[base + SUM.short]! + ifShort);
  }

  #replace(base: number, long: number, short: number): void {
    this.#otherwise += this.#orVoid(short) - this.#orVoid(this.#sums[base + SUM.short]!);
    this.#sums[base + SUM.long] = long;
    this.#sums[base + SUM.short] = short;
  }

  #orVoid(short: number): number {
    return this.endings.voidPossible ? Math.min(0, short) : short;
  }

  /**
   * @param replaced  the market whose sums are these instead; -1 for none
   * @param mayBeVoid whether that market's being void is asked about
   */
  #worstWith(replaced: number, long: number, otherwise: number, mayBeVoid = true): Money {
    const before = replaced < 0 ? 0 : this.#orVoid(this.#sums[replaced * SUMS + SUM.short]!);
    const winner = this.#worstWinner(replaced, long, otherwise, mayBeVoid);
    return (this.#otherwise - before + otherwise + winner) as Money;
  }

  /** How much the worst possible set of winners differs from no winner at all. */
  #worstWinner(replaced: number, longThere: number, otherwiseThere: number, mayBeVoid: boolean): number {
    const sums = this.#sums;
    if (sums.length === 0) return 0;
    const { resolutionMode, nonePossible, voidPossible } = this.endings;
    const isExclusive = resolutionMode === 'exclusive';
    const there = replaced * SUMS;
    let worst = isExclusive && !nonePossible ? Infinity : 0;
    for (let base = 0; base < sums.length; base += SUMS) {
      const isThere = base === there;
      const long = isThere ? longThere : sums[base + SUM.long]!;
      const short = isThere ? otherwiseThere : sums[base + SUM.short]!;
      const otherwise = voidPossible && !isThere && short > 0 ? 0 : short;
      const difference = long - otherwise;
      if (!isExclusive) {
        if (difference < 0) worst += difference;
        continue;
      }
      if (difference < worst) worst = difference;
      // Where somebody must win, nobody does only if the winner is void.
      if (voidPossible && (mayBeVoid || !isThere) && 0 - otherwise < worst) worst = 0 - otherwise;
    }
    return worst;
  }
}
