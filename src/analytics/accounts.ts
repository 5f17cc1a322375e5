import { InvariantError } from '../domain/errors.js';
import type { Fill } from '../domain/fill.js';
import { MONEY_ONE, PRICE_ONE, type Shares } from '../domain/units.js';
import { type Position, type Resolution, type Side, bookSide } from '../domain/vocabulary.js';
import { MarketAccount } from '../core/portfolio/market-account.js';
import type { Profit } from '../core/portfolio/market-account.js';
import type { ProfitFigures } from './analysis.js';

/** What the parts of a profit may differ from the whole by: 1e-9 currency units, in money units. */
const TOLERANCE = 1e-9 * MONEY_ONE;
/** Of sums of that size a double carries no more: units in the last place that rounding may cost. */
const ROUNDING = 64 * Number.EPSILON;

/** The account of a market, and the same fills once more by direction. All three are marked alike. */
export class MarketAccounts {
  readonly whole = new MarketAccount();
  /** Fills that bought long or sold short, and the others. */
  readonly bid = new MarketAccount();
  readonly ask = new MarketAccount();
  #wasTransferred = false;

  book(fill: Fill): void {
    // A first price is the mark of all three, so that none of them earns a spread by it.
    if (this.whole.lacksMark && fill.shares > 0) this.markAt(longPriceOf(fill));
    this.whole.book(fill);
    this.sideOf(fill).book(fill);
  }

  /** @param mid long-side price units; null leaves the last one standing */
  markAt(mid: number | null): void {
    this.whole.markAt(mid);
    this.bid.markAt(mid);
    this.ask.markAt(mid);
  }

  transfer(position: Position, came: Shares, longPrice: number): void {
    this.#wasTransferred = true;
    this.whole.transfer(position, came, longPrice);
  }

  resolve(resolution: Resolution): void {
    for (const account of [this.whole, this.bid, this.ask]) account.resolve(resolution);
  }

  reverse(): void {
    for (const account of [this.whole, this.bid, this.ask]) account.reverse();
  }

  /**
   * The identity of the attribution, of the whole and of each side, and that the sides make the whole.
   * @throws InvariantError when one of them is off by more than 1e-9 of a currency unit
   */
  check(name: string): void {
    const [whole, bid, ask] = [this.whole.profit(), this.bid.profit(), this.ask.profit()];
    requireIdentity(whole, name);
    requireIdentity(bid, `${name}, bid side`);
    requireIdentity(ask, `${name}, ask side`);
    if (!this.#wasTransferred)
      requireEqual(bid.total + ask.total, whole.total, `${name}, sides`, sizeOf(whole));
  }

  private sideOf({ side, position }: Fill): MarketAccount {
    return this[bookSide(side, position)];
  }
}

/** @throws InvariantError when the parts do not make the total */
export function requireIdentity(profit: Profit, name: string): void {
  const { spread, inventory, resolution, fees, rebates, total } = profit;
  requireEqual(spread + inventory + resolution - fees + rebates, total, name, sizeOf(profit));
}

function requireEqual(parts: number, whole: number, name: string, size: number): void {
  if (Math.abs(parts - whole) <= TOLERANCE + ROUNDING * size) return;
  const gap = (parts - whole) / MONEY_ONE;
  throw new InvariantError(`attribution of ${name}: the parts differ from the profit by ${gap}`);
}

const sizeOf = ({ spread, inventory, resolution, fees, rebates }: Profit): number =>
  Math.abs(spread) + Math.abs(inventory) + Math.abs(resolution) + fees + rebates;

/** Average long-side price of a fill, price units. */
export function longPriceOf({ position, amount, shares }: Fill): number {
  const price = amount / shares;
  return position === 'long' ? price : PRICE_ONE - price;
}

/** +1 for a fill that bought long or sold short, -1 for the other way. */
export const directionOf = (side: Side): 1 | -1 => (side === 'bid' ? 1 : -1);

export const profitFigures = (profit: Profit): ProfitFigures => ({
  total: profit.total / MONEY_ONE,
  spread: profit.spread / MONEY_ONE,
  inventory: profit.inventory / MONEY_ONE,
  resolution: profit.resolution / MONEY_ONE,
  fees: profit.fees / MONEY_ONE,
  rebates: profit.rebates / MONEY_ONE,
});
