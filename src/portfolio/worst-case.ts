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

/** What one market brings in the worst case, orders included. */
interface MarketEnds {
  /** If its outcome wins. */
  readonly long: number;
  /** If it does not win: lost, or void where that is possible and worse. */
  readonly otherwise: number;
}

/**
 * The least that an event can bring, over every way it can end and every subset of the open orders being filled:
 * min over j of W_j + sum over orders of min(0, contribution if j wins) (market-making formulas, "Binary outcomes").
 * One market's change costs its own orders and one pass over the markets' sums.
 */
export class WorstCase {
  readonly #markets: { held: HeldInMarket; orders: readonly OpenOrder[]; ends: MarketEnds }[] = [];
  #otherwise = 0;

  constructor(private readonly endings: EventEndings) {}

  /** Adds a market without holdings and orders. @returns its index: 0, 1, 2 and so on */
  add(): number {
    return this.#markets.push({ held: NOTHING, orders: [], ends: NO_ENDS }) - 1;
  }

  hold(market: number, held: HeldInMarket): void {
    this.#set(market, held, this.#markets[market]!.orders);
  }

  order(market: number, orders: readonly OpenOrder[]): void {
    this.#set(market, this.#markets[market]!.held, orders);
  }

  /** Money units; negative is a loss. */
  worst(): Money {
    return this.#worstWith(-1, NO_ENDS);
  }

  /** The worst case if these were the market's open orders. */
  worstIf(market: number, orders: readonly OpenOrder[]): Money {
    return this.#worstWith(market, endsOf(this.#markets[market]!.held, orders, this.endings.voidPossible));
  }

  #set(market: number, held: HeldInMarket, orders: readonly OpenOrder[]): void {
    const ends = endsOf(held, orders, this.endings.voidPossible);
    this.#otherwise += ends.otherwise - this.#markets[market]!.ends.otherwise;
    this.#markets[market] = { held, orders, ends };
  }

  #worstWith(replaced: number, ends: MarketEnds): Money {
    const was = this.#markets[replaced]?.ends.otherwise ?? 0;
    const otherwise = replaced < 0 ? this.#otherwise : this.#otherwise - was + ends.otherwise;
    return (otherwise + this.#worstWinner(replaced, ends)) as Money;
  }

  /** How much the worst possible set of winners differs from no winner at all. */
  #worstWinner(replaced: number, ends: MarketEnds): number {
    if (this.#markets.length === 0) return 0;
    const { resolutionMode, nonePossible, voidPossible } = this.endings;
    const isExclusive = resolutionMode === 'exclusive';
    let worst = isExclusive && !nonePossible ? Infinity : 0;
    for (let market = 0; market < this.#markets.length; market++) {
      const { long, otherwise } = market === replaced ? ends : this.#markets[market]!.ends;
      if (!isExclusive) worst += Math.min(0, long - otherwise);
      else worst = Math.min(worst, long - otherwise);
      // Where somebody must win, nobody does only if the winner is void.
      if (isExclusive && voidPossible) worst = Math.min(worst, 0 - otherwise);
    }
    return worst;
  }
}

const NOTHING: HeldInMarket = { long: 0 as Shares, short: 0 as Shares, cost: 0 as Money };
const NO_ENDS: MarketEnds = { long: 0, otherwise: 0 };

function endsOf(held: HeldInMarket, orders: readonly OpenOrder[], voidPossible: boolean): MarketEnds {
  let long = held.long * PRICE_ONE - held.cost;
  let short = held.short * PRICE_ONE - held.cost;
  for (const order of orders) {
    long += Math.min(0, contribution(order, 'long'));
    short += Math.min(0, contribution(order, 'short'));
  }
  return { long, otherwise: voidPossible ? Math.min(0, short) : short };
}

/** What a fill of the whole order brings if the market resolves so; the fee is rounded up. */
export function contribution(order: OpenOrder, resolution: Position): number {
  const payout = order.position === resolution ? PRICE_ONE : 0;
  const sign = order.side === 'bid' ? 1 : -1;
  return sign * (payout - order.price) * order.shares - Math.ceil((order.fee * order.shares) / SHARE_ONE);
}
