import type { OrderId } from '../domain/ids.js';
import type { LimitOrder } from '../domain/orders.js';
import { complement, type Money, notional, type PriceUnits, type Shares } from '../domain/units.js';
import { bookSide, type Currency } from '../domain/vocabulary.js';
import { lockAt } from '../execution/planning/market-terms.js';
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
  /** Of a single order. */
  mostShares = 0 as Shares;
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
    for (const { to, order } of replacements) this.#add(to, order, by);
    for (const order of creates) this.#add(order, null, by);
    return this;
  }

  #clear(): void {
    this.count = 0;
    this.offGrid = null;
    this.mostShares = 0 as Shares;
    this.highestAmount = 0 as Money;
    this.bought = 0;
    this.sold = 0;
    this.locked = 0;
    this.claimed = 0;
    this.costs.clear();
  }

  #add(order: LimitOrder, replaced: Replaced | null, by: Reckoning): void {
    const { side, position, price, shares } = order;
    this.#addPrice(price, position === 'long' ? price : complement(price), by.tickUnits);
    this.#addSize(shares, notional(price, shares));
    if (bookSide(side, position) === 'bid') this.bought += shares;
    else this.sold += shares;
    if (side === 'bid') this.#addLock(lockAt(price, shares, by.lockedFee), replaced, by.lockedFee);
    if (order.currency === by.currency) this.costs.add(order, shares, by.fee);
    this.count += 1;
  }

  #addPrice(price: PriceUnits, longPrice: PriceUnits, tickUnits: number): void {
    const isFirst = this.count === 0;
    if (isFirst || price < this.lowest) this.lowest = price;
    if (isFirst || price > this.highest) this.highest = price;
    if (isFirst || longPrice < this.lowestLong) this.lowestLong = longPrice;
    if (isFirst || longPrice > this.highestLong) this.highestLong = longPrice;
    if (price % tickUnits !== 0) this.offGrid = price;
  }

  #addSize(shares: Shares, amount: Money): void {
    if (shares > this.mostShares) this.mostShares = shares;
    if (amount > this.highestAmount) this.highestAmount = amount;
  }

  #addLock(lock: Money, replaced: Replaced | null, fee: number): void {
    this.locked += lock;
    this.claimed += claimOf(lock, replaced, fee);
  }
}

/**
 * How much of what a bid is to lock is not locked yet by the order that makes place for it.
 * @param replaced null: none does
 * @param fee      money units per whole share that a bid locks beside its cost
 */
const claimOf = (lock: number, replaced: Replaced | null, fee: number): number =>
  replaced?.side === 'bid' ? Math.max(0, lock - lockAt(replaced.price, replaced.requested, fee)) : lock;
