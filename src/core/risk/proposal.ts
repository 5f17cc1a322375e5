import type { OrderId } from '../../domain/ids.js';
import type { LimitOrder } from '../../domain/orders.js';
import { feeFor } from '../../domain/locks.js';
import type { PlanSpan } from '../../domain/plan-span.js';
import {
  complement,
  type Money,
  money,
  PRICE_ONE,
  type PriceUnits,
  type Shares,
} from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';
import { OrderCosts } from '../portfolio/order-costs.js';

/** What stands open and unfilled where another order is to stand. */
export interface Replaced extends Pick<LimitOrder, 'side' | 'price' | 'expiresAt'> {
  /** Null until the venue has told it. */
  readonly orderId: OrderId | null;
  readonly requested: Shares;
}

/** Orders of one market that want to stand together, those first that come in the places of others. */
export interface Wanted {
  readonly replacements: readonly { readonly order: Replaced; readonly to: LimitOrder }[];
  readonly creates: readonly LimitOrder[];
}

/** An order that is to come. @param order the one in whose place; null: it is new */
interface Arrival {
  readonly order: Replaced | null;
  readonly to: LimitOrder;
}

/** What the orders of a market are reckoned by. */
export interface Reckoning {
  /** Price units per tick. */
  readonly tickUnits: number;
  /** That of the run: what costs in another is not added to it. */
  readonly currency: Currency;
  /** Money units per whole share: of a fill, where a rebate counts, and what an order locks for it, where none does. */
  readonly fee: Money;
  readonly lockedFee: number;
}

/**
 * What orders that want to stand together come to. A rule for single orders asks about the largest of them, a rule for all
 * about a sum: so each compares a few numbers that one pass has found, and for an order by itself they are its own. The
 * memory lasts, and takes up what is judged next.
 */
export class Proposal {
  count = 0;
  /** Price units of the named positions. */
  lowest = 0 as PriceUnits;
  highest = 0 as PriceUnits;
  /** One of these prices that lies between two ticks; null: none does. */
  offGrid: PriceUnits | null = null;
  /** The same prices in long-side terms. */
  lowestLong = 0 as PriceUnits;
  highestLong = 0 as PriceUnits;
  /**
   * The most that is paid for a share of either position in the run's currency, a sale of the other one counted as a purchase
   * at what is left of one; zero: none is bought.
   */
  dearestLong = 0 as PriceUnits;
  dearestShort = 0 as PriceUnits;
  /** See {@link PlanSpan}. */
  highestBid = 0 as PriceUnits;
  lowestAsk = PRICE_ONE;
  sells = false;
  /** Of a single order. */
  mostShares = 0 as Shares;
  /** The same, or more: among orders of several sizes the largest may be taken for the dearest. */
  highestAmount = 0 as Money;
  /** Shares on either side of the book. */
  bought = 0;
  sold = 0;
  /** Cash that they lock together, and as much of it as is beyond what the orders lock in whose places they come. */
  locked = 0;
  claimed = 0;
  /** What those take away that are in the run's currency. */
  readonly costs = new OrderCosts();

  /** Takes up these orders, at least one, in place of those before. */
  read({ replacements, creates }: Wanted, by: Reckoning): this {
    this.#clear();
    this.#addAll(replacements, by);
    if (creates.length > 0) this.#addAll(creates.map(arrivalOf), by);
    return this;
  }

  /** Where they lie, to be kept: the proposal itself is read anew for the next plan. */
  spanOn(tickUnits: number): PlanSpan {
    const { lowestLong, highestLong, highestBid, lowestAsk, sells } = this;
    return { lowestLong, highestLong, highestBid, lowestAsk, sells, tickUnits };
  }

  #clear(): void {
    this.count = 0;
    this.highestBid = 0 as PriceUnits;
    this.lowestAsk = PRICE_ONE;
    this.sells = false;
    this.offGrid = null;
    this.dearestLong = 0 as PriceUnits;
    this.dearestShort = 0 as PriceUnits;
    this.mostShares = 0 as Shares;
    this.highestAmount = 0 as Money;
    this.bought = 0;
    this.sold = 0;
    this.locked = 0;
    this.claimed = 0;
    this.costs.clear();
  }

  #addAll(arrivals: readonly Arrival[], by: Reckoning): void {
    for (let next = 0; next < arrivals.length;) next = this.#addRun(arrivals, next, by);
  }

  /**
   * Those from there on that differ in price and size alone, mostly all of a side: what else decides is asked once, and
   * what they come to stands in local variables meanwhile.
   * @returns the place behind them
   */
  #addRun(arrivals: readonly Arrival[], first: number, by: Reckoning): number {
    const kind = arrivals[first]!.to;
    const { currency } = kind;
    const { tickUnits, lockedFee } = by;
    const isBid = kind.side === 'bid';
    const isLong = kind.position === 'long';
    let lowest = kind.price;
    let highest = lowest;
    let mostShares = kind.shares;
    let shares = 0;
    let amount = 0;
    let fees = 0;
    let claimed = 0;
    let at = first;
    for (; at < arrivals.length; at += 1) {
      const { to, order } = arrivals[at]!;
      if ((to.side === 'bid') !== isBid || (to.position === 'long') !== isLong) break;
      if (to.currency !== currency) break;
      // Each read once: orders of several shapes are told apart at every read.
      const { price, shares: size } = to;
      if (price < lowest) lowest = price;
      if (price > highest) highest = price;
      if (price % tickUnits !== 0) this.offGrid = price;
      if (size > mostShares) mostShares = size;
      const fee = feeFor(size, lockedFee);
      const cost = price * size;
      shares += size;
      amount += cost;
      fees += fee;
      if (isBid) claimed += claimOf(cost + fee, order, lockedFee);
    }
    this.#addPrices(lowest, highest, kind);
    this.#addSizes(mostShares, money(highest * mostShares));
    this.count += at - first;
    if (isBid === isLong) this.bought += shares;
    else this.sold += shares;
    if (isBid) this.locked += money(amount + fees);
    this.claimed += claimed;
    if (currency !== by.currency) return at;
    this.#addDearest(isBid ? highest : complement(lowest), isBid === isLong);
    if (by.fee === 0) this.costs.addFree(kind, shares, amount);
    else for (const { to } of arrivals.slice(first, at)) this.costs.add(to, to.shares, by.fee);
    return at;
  }

  #addPrices(lowest: PriceUnits, highest: PriceUnits, { side, position }: LimitOrder): void {
    const isFirst = this.count === 0;
    const areLong = position === 'long';
    const lowestLong = areLong ? lowest : complement(highest);
    const highestLong = areLong ? highest : complement(lowest);
    if (isFirst || lowest < this.lowest) this.lowest = lowest;
    if (isFirst || highest > this.highest) this.highest = highest;
    if (isFirst || lowestLong < this.lowestLong) this.lowestLong = lowestLong;
    if (isFirst || highestLong > this.highestLong) this.highestLong = highestLong;
    if (side === 'ask') this.sells = true;
    if ((side === 'bid') === areLong) {
      if (highestLong > this.highestBid) this.highestBid = highestLong;
    } else if (lowestLong < this.lowestAsk) this.lowestAsk = lowestLong;
  }

  #addDearest(price: PriceUnits, isLong: boolean): void {
    if (isLong && price > this.dearestLong) this.dearestLong = price;
    if (!isLong && price > this.dearestShort) this.dearestShort = price;
  }

  #addSizes(shares: Shares, amount: Money): void {
    if (shares > this.mostShares) this.mostShares = shares;
    if (amount > this.highestAmount) this.highestAmount = amount;
  }
}

const arrivalOf = (to: LimitOrder): Arrival => ({ order: null, to });

/**
 * How much of what a bid is to lock is not locked yet by the order that makes place for it.
 * @param replaced null: none does
 * @param fee      money units per whole share that a bid locks beside its cost
 */
function claimOf(lock: number, replaced: Replaced | null, fee: number): number {
  if (replaced === null || replaced.side !== 'bid') return lock;
  const { price, requested } = replaced;
  const more = lock - price * requested - feeFor(requested, fee);
  return more > 0 ? more : 0;
}
