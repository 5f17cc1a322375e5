import type { Money, Shares } from '../../domain/units.js';

/** Shares of one position and what the open ones cost, by average cost. */
export interface Holding {
  /** Below zero only while a sale is known and an earlier purchase is not yet. */
  readonly shares: Shares;
  /** Same sign as the shares. */
  readonly cost: Money;
}

export const NOTHING_HELD: Holding = { shares: 0 as Shares, cost: 0 as Money };

/**
 * Books a trade by average cost. To the unit, the trade has realised the change of cost less what was paid.
 * @param bought shares bought, negative when sold
 * @param paid money paid for them, negative when received
 */
export function trade(held: Holding, bought: Shares, paid: Money): Holding {
  const opens = held.shares === 0 || held.shares > 0 === bought > 0;
  if (opens) return plus(held, bought, paid);
  const closed = Math.min(Math.abs(bought), Math.abs(held.shares));
  const costOfClosed = share(held.cost, closed, Math.abs(held.shares));
  const paidForClosed = share(paid, closed, Math.abs(bought));
  return plus(held, bought, (paid - paidForClosed - costOfClosed) as Money);
}

/** Average cost per share in price units; null when nothing is held. */
export const averageCost = (held: Holding): number | null =>
  held.shares === 0 ? null : held.cost / held.shares;

const plus = (held: Holding, shares: Shares, cost: Money): Holding => ({
  shares: (held.shares + shares) as Shares,
  cost: (held.cost + cost) as Money,
});

/** The part of an amount, to the nearest unit; all of it for the whole. */
const share = (amount: Money, part: number, whole: number): Money =>
  (part === whole ? amount : Math.round((amount * part) / whole)) as Money;
