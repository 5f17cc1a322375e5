import { type Money, PRICE_ONE, type PriceUnits, SHARE_ONE, type Shares } from '../domain/units.js';
import type { Position, ResolutionMode, Side } from '../domain/vocabulary.js';

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

/** An order that may still be filled, wholly or in part: working, updating (old and new), cancelling, unknown. */
export interface OpenOrder {
  readonly side: Side;
  readonly position: Position;
  /** Of the named position. */
  readonly price: PriceUnits;
  /** Still to be filled. */
  readonly shares: Shares;
  /** Money units per whole share charged on a fill; negative is a rebate. */
  readonly fee: Money;
}

/** Sums kept per market, in money units. */
const SUM = {
  /** What is held brings if the market's outcome wins, and if it loses. */
  heldIfLong: 0,
  heldIfShort: 1,
  /** What open orders take away then, each filled only where that costs. */
  ordersIfLong: 2,
  ordersIfShort: 3,
  /** Both together if the outcome wins; if not, lost, or void where that is possible and worse. */
  long: 4,
  otherwise: 5,
} as const;
const SUMS = 6;
/** What an ending brings that is not asked about: more than any that is, and still exact to the unit beside them. */
const NOT_ASKED = 2 ** 51;

/**
 * The least that an event can bring, over every way it can end and every subset of the open orders being filled:
 * min over j of W_j + sum over orders of min(0, contribution if j wins) (market-making formulas, "Binary outcomes").
 * One market's change costs its own orders and one pass over the markets' sums, of which there are 48 bytes a market.
 */
export class WorstCase {
  #sums: Float64Array;
  #markets = 0;
  /** Over all markets, if no outcome wins. */
  #otherwise = 0;

  /** @param expected markets there will be; more than that cost a copy of all */
  constructor(
    private readonly endings: EventEndings,
    expected = 1,
  ) {
    this.#sums = new Float64Array(SUMS * Math.max(1, expected));
  }

  /** Adds a market without holdings and orders. @returns its index: 0, 1, 2 and so on */
  add(): number {
    this.#markets += 1;
    if (this.#markets * SUMS > this.#sums.length) this.#grow();
    return this.#markets - 1;
  }

  hold(market: number, { long, short, cost }: HeldInMarket): void {
    const base = market * SUMS;
    this.#sums[base + SUM.heldIfLong] = long * PRICE_ONE - cost;
    this.#sums[base + SUM.heldIfShort] = short * PRICE_ONE - cost;
    this.#addUp(base);
  }

  order(market: number, orders: readonly OpenOrder[]): void {
    const base = market * SUMS;
    this.#sums[base + SUM.ordersIfLong] = costOf(orders, 'long');
    this.#sums[base + SUM.ordersIfShort] = costOf(orders, 'short');
    this.#addUp(base);
  }

  /** Adds one to the market's open orders. */
  also(market: number, order: OpenOrder): void {
    const base = market * SUMS;
    this.#sums[base + SUM.ordersIfLong]! += costIf(order, 'long');
    this.#sums[base + SUM.ordersIfShort]! += costIf(order, 'short');
    this.#addUp(base);
  }

  /** Money units; negative is a loss. */
  worst(): Money {
    return this.#worstWith(-1, 0, 0);
  }

  /** The worst case if one more order of the market were open. */
  worstWith(market: number, order: OpenOrder): Money {
    const base = market * SUMS;
    const sums = this.#sums;
    const ifLong = sums[base + SUM.ordersIfLong]! + costIf(order, 'long');
    const ifShort = sums[base + SUM.ordersIfShort]! + costIf(order, 'short');
    const short = this.#orVoid(sums[base + SUM.heldIfShort]! + ifShort);
    return this.#worstWith(market, sums[base + SUM.heldIfLong]! + ifLong, short);
  }

  /**
   * The worst case with one more order over those endings alone in which a fill of it costs; far above any other value
   * where it costs in none. Never below {@link worstWith}.
   */
  worstWhereItCosts(market: number, order: OpenOrder): Money {
    const base = market * SUMS;
    const sums = this.#sums;
    const [ifLong, ifShort] = [costIf(order, 'long'), costIf(order, 'short')];
    const long = sums[base + SUM.long]! + ifLong;
    const short = sums[base + SUM.heldIfShort]! + sums[base + SUM.ordersIfShort]! + ifShort;
    return this.#worstWith(market, ifLong < 0 ? long : NOT_ASKED, ifShort < 0 ? short : NOT_ASKED, false);
  }

  #addUp(base: number): void {
    const sums = this.#sums;
    const before = sums[base + SUM.otherwise]!;
    sums[base + SUM.long] = sums[base + SUM.heldIfLong]! + sums[base + SUM.ordersIfLong]!;
    sums[base + SUM.otherwise] = this.#orVoid(
      sums[base + SUM.heldIfShort]! + sums[base + SUM.ordersIfShort]!,
    );
    this.#otherwise += sums[base + SUM.otherwise]! - before;
  }

  #orVoid(short: number): number {
    return this.endings.voidPossible ? Math.min(0, short) : short;
  }

  /**
   * @param replaced  the market whose sums are these instead; -1 for none
   * @param mayBeVoid whether that market's being void is asked about
   */
  #worstWith(replaced: number, long: number, otherwise: number, mayBeVoid = true): Money {
    const before = replaced < 0 ? 0 : this.#sums[replaced * SUMS + SUM.otherwise]!;
    const winner = this.#worstWinner(replaced, long, otherwise, mayBeVoid);
    return (this.#otherwise - before + otherwise + winner) as Money;
  }

  /** How much the worst possible set of winners differs from no winner at all. */
  #worstWinner(replaced: number, longThere: number, otherwiseThere: number, mayBeVoid: boolean): number {
    if (this.#markets === 0) return 0;
    const { resolutionMode, nonePossible, voidPossible } = this.endings;
    const isExclusive = resolutionMode === 'exclusive';
    let worst = isExclusive && !nonePossible ? Infinity : 0;
    for (let market = 0; market < this.#markets; market++) {
      const base = market * SUMS;
      const long = market === replaced ? longThere : this.#sums[base + SUM.long]!;
      const otherwise = market === replaced ? otherwiseThere : this.#sums[base + SUM.otherwise]!;
      if (!isExclusive) worst += Math.min(0, long - otherwise);
      else worst = Math.min(worst, long - otherwise);
      // Where somebody must win, nobody does only if the winner is void.
      if (isExclusive && voidPossible && (mayBeVoid || market !== replaced))
        worst = Math.min(worst, 0 - otherwise);
    }
    return worst;
  }

  #grow(): void {
    const sums = new Float64Array(2 * this.#sums.length);
    sums.set(this.#sums);
    this.#sums = sums;
  }
}

/** What the orders take away if the market resolves so: each is filled only where that costs. */
function costOf(orders: readonly OpenOrder[], resolution: Position): number {
  let cost = 0;
  for (const order of orders) cost += costIf(order, resolution);
  return cost;
}

const costIf = (order: OpenOrder, resolution: Position): number =>
  Math.min(0, contribution(order, resolution));

/** What a fill of the whole order brings if the market resolves so; the fee is rounded up. */
export function contribution(order: OpenOrder, resolution: Position): number {
  const payout = order.position === resolution ? PRICE_ONE : 0;
  const sign = order.side === 'bid' ? 1 : -1;
  return sign * (payout - order.price) * order.shares - Math.ceil((order.fee * order.shares) / SHARE_ONE);
}
