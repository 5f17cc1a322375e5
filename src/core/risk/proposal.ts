import type { OrderId } from '../../domain/ids.js';
import { feeFor } from '../../domain/locks.js';
import type { LimitOrder } from '../../domain/orders.js';
import { complement, type Money, money, type PriceUnits, type Shares } from '../../domain/units.js';
import { bookSide, type Currency, type Position } from '../../domain/vocabulary.js';
import { OrderCosts } from '../portfolio/worst-case.js';

/** An open, unfilled order in whose place another order is to stand. */
export interface Replaced extends Pick<LimitOrder, 'side' | 'price' | 'expiresAt'> {
  readonly orderId: OrderId;
  readonly requested: Shares;
}

/** The terms of the market that decide what an order costs and locks. */
export interface RiskTerms {
  /** Price units per tick. */
  readonly tickUnits: number;
  /** The currency of the run: costs in other currencies are not counted. */
  readonly currency: Currency;
  /** Fee of a fill, money units per whole share; negative for a rebate. */
  readonly fee: Money;
  /** Fee that an order locks, money units per whole share; never negative. */
  readonly lockedFee: number;
}

/** One order that asks to be approved, and what it adds to the market's exposure. */
export interface Proposal {
  readonly order: LimitOrder;
  readonly longPrice: PriceUnits;
  readonly amount: Money;
  /** Shares on the bid side and on the ask side of the book: one of them is zero. */
  readonly bought: Shares;
  readonly sold: Shares;
  /** Cash that the order locks, and the part of it that the order it replaces has not locked already. */
  readonly locked: Money;
  readonly claimed: Money;
  /** The position that a fill buys; selling one position comes to buying the other. */
  readonly buys: Position;
  /** What a share of that position costs in the run's currency; zero for an order in another currency. */
  readonly shareCost: PriceUnits;
  /** What the order loses at most in each outcome, in the run's currency. */
  readonly costs: OrderCosts;
}

/** @param replaced the order that makes place; null for a new order */
export function proposalOf(order: LimitOrder, replaced: Replaced | null, terms: RiskTerms): Proposal {
  const { side, position, price, shares } = order;
  const longPrice = position === 'long' ? price : complement(price);
  const isBidOfBook = bookSide(side, position) === 'bid';
  const amount = money(price * shares);
  const locked = money(side === 'bid' ? amount + feeFor(shares, terms.lockedFee) : 0);
  const isOfRun = order.currency === terms.currency;
  const costs = new OrderCosts();
  if (isOfRun) costs.add(order, shares, terms.fee);
  return {
    order,
    longPrice,
    amount,
    bought: (isBidOfBook ? shares : 0) as Shares,
    sold: (isBidOfBook ? 0 : shares) as Shares,
    locked,
    claimed: Math.max(0, locked - lockOf(replaced, terms)) as Money,
    buys: isBidOfBook ? 'long' : 'short',
    shareCost: isOfRun ? (isBidOfBook ? longPrice : complement(longPrice)) : (0 as PriceUnits),
    costs,
  };
}

function lockOf(replaced: Replaced | null, { lockedFee }: RiskTerms): number {
  if (replaced === null || replaced.side !== 'bid') return 0;
  return replaced.price * replaced.requested + feeFor(replaced.requested, lockedFee);
}
