import type { MarketId } from '../../domain/ids.js';
import { feeFor } from '../../domain/locks.js';
import { type Money, PRICE_ONE, type PriceUnits, type Shares } from '../../domain/units.js';
import type { Position, ResolutionMode, Side } from '../../domain/vocabulary.js';

/** How many markets of an event resolve long. */
export interface Winners {
  readonly least: number;
  readonly most: number;
}

/** How an event can end. */
export interface EventEndings {
  readonly resolutionMode: ResolutionMode;
  /** How many win where they do not exclude each other; left out: any number. */
  readonly winners?: Winners | undefined;
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
}

/**
 * What open orders of one market take away at most, by how the market resolves. Each order is counted only where its fill
 * costs, so both sums are never positive and orders can be added up without a list of them.
 */
export class OrderCosts {
  /** Money units, if the market's outcome wins. */
  ifLong = 0;
  /** Money units, if it does not. */
  ifShort = 0;

  /**
   * @param shares still to be filled
   * @param fee    money units per whole share charged on a fill; negative is a rebate
   */
  add({ side, position, price }: OpenOrder, shares: Shares, fee: Money): void {
    const paid = feeFor(shares, fee);
    // What a buyer gains if the position wins and loses if it does not; a seller has the opposite.
    const won = (PRICE_ONE - price) * shares;
    const lost = price * shares;
    const isBid = side === 'bid';
    const ifWon = Math.min(0, (isBid ? won : 0 - won) - paid);
    const ifLost = Math.min(0, (isBid ? 0 - lost : lost) - paid);
    const isLong = position === 'long';
    this.ifLong += isLong ? ifWon : ifLost;
    this.ifShort += isLong ? ifLost : ifWon;
  }
}

/** What a market brings, in money units, if its outcome wins and if it does not. */
interface MarketSums {
  readonly held: Sums;
  readonly orders: Sums;
}

/** One way in which an event can end, and the least that it brings then, with every open order that costs filled. */
export interface Scenario {
  /** `wins`: the market resolves long. `none`: no market does. `void`: any ending in which markets may be void. */
  readonly ending: 'wins' | 'none' | 'void';
  /** The winner; null where there is none. */
  readonly market: MarketId | null;
  /** Money units; negative is a loss. */
  readonly profit: Money;
}

interface Sums {
  readonly ifLong: number;
  readonly ifShort: number;
}

const NOTHING: Sums = { ifLong: 0, ifShort: 0 };
const NO_SUMS: MarketSums = { held: NOTHING, orders: NOTHING };
/** Stands for an ending that is not asked about: more than any real ending brings, and still exact to the unit. */
const NOT_ASKED = 2 ** 51;

/**
 * The least that an event can bring, over every way it can end and every subset of the open orders being filled:
 * min over j of W_j + sum over orders of min(0, contribution if j wins) (market-making formulas, "Binary outcomes").
 * A question costs one pass over the event's markets.
 */
export class WorstCase {
  readonly #markets: Map<MarketId, MarketSums>;

  /** @param markets counted from the beginning; any other is added with its first holding or order */
  constructor(
    private readonly endings: EventEndings,
    markets: readonly MarketId[] = [],
  ) {
    this.#markets = new Map(markets.map((market) => [market, NO_SUMS]));
  }

  /** @param undone what it would cost if some of the fills that are counted had not been */
  hold(market: MarketId, { long, short, cost }: HeldInMarket, undone: Sums = NOTHING): void {
    const held = {
      ifLong: long * PRICE_ONE - cost + undone.ifLong,
      ifShort: short * PRICE_ONE - cost + undone.ifShort,
    };
    this.#markets.set(market, { held, orders: this.#in(market).orders });
  }

  /** Replaces what is open in the market. */
  order(market: MarketId, { ifLong, ifShort }: Sums): void {
    this.#markets.set(market, { held: this.#in(market).held, orders: { ifLong, ifShort } });
  }

  /** Money units; negative is a loss. */
  worst(): Money {
    return this.#least(null, NOTHING, true);
  }

  /** The worst case if these orders of the market were open, too: never better than {@link worst}. */
  worstWith(market: MarketId, costs: Sums): Money {
    const { ifLong, ifShort } = plus(this.#sumOf(market), costs);
    return this.#least(market, { ifLong, ifShort: this.#orVoid(ifShort) }, true);
  }

  /**
   * The worst case with these orders, over those endings alone in which a fill of one of them costs. Where none of them ever
   * costs, the answer is far above any real value. Never below {@link worstWith}.
   */
  worstWhereTheyCost(market: MarketId, costs: Sums): Money {
    return this.#whereTheyCost(market, this.#sumOf(market), costs);
  }

  #whereTheyCost(market: MarketId, before: Sums, costs: Sums): Money {
    const { ifLong, ifShort } = plus(before, costs);
    const asked = {
      ifLong: costs.ifLong < 0 ? ifLong : NOT_ASKED,
      ifShort: costs.ifShort < 0 ? ifShort : NOT_ASKED,
    };
    return this.#least(market, asked, false);
  }

  /** The worst case if these orders of the market were open instead of those that are; none, unless given. */
  worstInstead(market: MarketId, costs: Sums = NOTHING): Money {
    const { ifLong, ifShort } = plus(this.#in(market).held, costs);
    return this.#least(market, { ifLong, ifShort: this.#orVoid(ifShort) }, true);
  }

  /** As {@link worstWhereTheyCost}, with these orders instead of those that are open there. */
  worstInsteadWhereTheyCost(market: MarketId, costs: Sums): Money {
    return this.#whereTheyCost(market, this.#in(market).held, costs);
  }

  /**
   * Every way in which the event can end; the least of them is {@link worst}. Where several markets may win, the others are
   * counted at their worst: of a known number of winners, at the worst set of so many.
   */
  scenarios(): readonly Scenario[] {
    const { nonePossible, voidPossible } = this.endings;
    const isExclusive = this.endings.resolutionMode === 'exclusive';
    const several = this.#several;
    const sums = [...this.#markets.keys()].map((market) => ({ market, ...this.#sumOf(market) }));
    const otherwise = ({ ifLong, ifShort }: Sums) => (isExclusive ? ifShort : Math.min(ifLong, ifShort));
    const all = sums.reduce((total, one) => total + otherwise(one), 0);
    const others = (one: Sums): number =>
      several === undefined
        ? all - otherwise(one)
        : leastOfSeveral(
            sums.filter((other) => other !== one).map((other) => ({ ...other, ifVoid: Infinity })),
            { least: Math.max(0, several.least - 1), most: several.most - 1 },
          );
    const scenarios: Scenario[] = sums.map((one) => ({
      ending: 'wins',
      market: one.market,
      profit: (others(one) + one.ifLong) as Money,
    }));
    const none = sums.reduce((total, { ifShort }) => total + ifShort, 0) as Money;
    const mayNoneWin = isExclusive ? nonePossible : (several?.least ?? 0) === 0;
    if (mayNoneWin) scenarios.push({ ending: 'none', market: null, profit: none });
    if (voidPossible) scenarios.push({ ending: 'void', market: null, profit: this.worst() });
    return scenarios;
  }

  get #several(): Winners | undefined {
    return this.endings.resolutionMode === 'exclusive' ? undefined : this.endings.winners;
  }

  #in(market: MarketId): MarketSums {
    return this.#markets.get(market) ?? NO_SUMS;
  }

  #sumOf(market: MarketId): Sums {
    const { held, orders } = this.#in(market);
    return plus(held, orders);
  }

  #orVoid(ifShort: number): number {
    return this.endings.voidPossible ? Math.min(0, ifShort) : ifShort;
  }

  /**
   * @param replaced  the market that brings `there` instead of its own sums; null for none
   * @param mayBeVoid whether an ending in which that market is void is asked about
   */
  #least(replaced: MarketId | null, there: Sums, mayBeVoid: boolean): Money {
    if (this.#markets.size === 0) return 0 as Money;
    const { resolutionMode, nonePossible, voidPossible } = this.endings;
    const isExclusive = resolutionMode === 'exclusive';
    const several = this.#several;
    if (several !== undefined) {
      const markets = [...this.#markets.keys()].map((market) => {
        const isThere = market === replaced;
        const ifVoid = voidPossible && (mayBeVoid || !isThere) ? 0 : Infinity;
        return { ...(isThere ? there : this.#sumOf(market)), ifVoid };
      });
      return leastOfSeveral(markets, several) as Money;
    }
    // What all markets bring if no outcome wins, and how much the worst set of winners differs from that.
    let noWinner = 0;
    let winner = isExclusive && !nonePossible ? Infinity : 0;
    for (const market of this.#markets.keys()) {
      const isThere = market === replaced;
      const { ifLong, ifShort } = isThere ? there : this.#sumOf(market);
      const loses = isThere ? ifShort : this.#orVoid(ifShort);
      noWinner += loses;
      const difference = ifLong - loses;
      if (!isExclusive) winner += Math.min(0, difference);
      else if (difference < winner) winner = difference;
      // Where somebody must win, nobody does only if the winner is void.
      if (isExclusive && voidPossible && (mayBeVoid || !isThere)) winner = Math.min(winner, 0 - loses);
    }
    return (noWinner + winner) as Money;
  }
}

/**
 * The least sum over every set of `least` to `most` winners. A void market may have been one of the least.
 * @param markets `ifVoid` is infinite where that is not asked about
 */
function leastOfSeveral(
  markets: readonly (Sums & { readonly ifVoid: number })[],
  { least, most }: Winners,
): number {
  const enough = Math.min(least, markets.length);
  // The least sum of the markets so far, by how many won, then by how many won or were void.
  let sums: number[][] = [[0]];
  for (const { ifLong, ifShort, ifVoid } of markets) {
    const next: number[][] = [];
    const put = (won: number, counted: number, sum: number): void => {
      const row = (next[won] ??= Array.from({ length: enough + 1 }, () => Infinity));
      const at = Math.min(counted, enough);
      row[at] = Math.min(row[at]!, sum);
    };
    sums.forEach((row, won) =>
      row.forEach((sum, counted) => {
        put(won, counted, sum + ifShort);
        put(won, counted + 1, sum + ifVoid);
        if (won < most) put(won + 1, counted + 1, sum + ifLong);
      }),
    );
    sums = next;
  }
  return Math.min(...sums.map((row) => row[enough] ?? Infinity));
}

const plus = (one: Sums, other: Sums): Sums => ({
  ifLong: one.ifLong + other.ifLong,
  ifShort: one.ifShort + other.ifShort,
});
