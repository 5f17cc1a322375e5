import { type Money, PRICE_ONE, type PriceUnits, SHARE_ONE, type Shares } from '../domain/units.js';
import type { Position, Side } from '../domain/vocabulary.js';

/** An order that may still be filled, wholly or in part: working, updating (old and new), cancelling, unknown. */
export interface OpenOrder {
  readonly side: Side;
  readonly position: Position;
  /** Of the named position. */
  readonly price: PriceUnits;
}

/**
 * What open orders of one market take away at most, by how it resolves: each is filled only where that costs. A sum,
 * so that orders can be counted together without a list of them; not positive, and less with every further order.
 */
export class OrderCosts {
  /** Money units, where the market's outcome wins. */
  ifLong = 0;
  /** Where it does not. */
  ifShort = 0;

  clear(): void {
    this.ifLong = 0;
    this.ifShort = 0;
  }

  /**
   * @param shares still to be filled
   * @param fee    money units per whole share charged on a fill; negative is a rebate
   */
  add(order: OpenOrder, shares: Shares, fee: Money): void {
    this.ifLong += Math.min(0, contribution(order, shares, fee, 'long'));
    this.ifShort += Math.min(0, contribution(order, shares, fee, 'short'));
  }
}

/** What a fill of that many shares brings if the market resolves so; the fee is rounded up. */
export function contribution(
  { side, position, price }: OpenOrder,
  shares: Shares,
  fee: Money,
  resolution: Position,
): number {
  const payout = position === resolution ? PRICE_ONE : 0;
  const sign = side === 'bid' ? 1 : -1;
  return sign * (payout - price) * shares - Math.ceil((fee * shares) / SHARE_ONE);
}
