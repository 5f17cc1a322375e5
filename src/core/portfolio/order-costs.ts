import { feeFor } from '../../domain/locks.js';
import { type Money, PRICE_ONE, type PriceUnits, type Shares } from '../../domain/units.js';
import { bookSide, type Position, type Side } from '../../domain/vocabulary.js';

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
    const { price } = order;
    if (fee === 0) return this.addFree(order, shares, price * shares);
    const paid = feeFor(shares, fee);
    // What a buyer gains where the position wins and loses where it does not; a seller has the opposite.
    const won = (PRICE_ONE - price) * shares;
    const lost = price * shares;
    const isBid = order.side === 'bid';
    const ifWon = Math.min(0, (isBid ? won : 0 - won) - paid);
    const ifLost = Math.min(0, (isBid ? 0 - lost : lost) - paid);
    const isLong = order.position === 'long';
    this.ifLong += isLong ? ifWon : ifLost;
    this.ifShort += isLong ? ifLost : ifWon;
  }

  /**
   * Orders that differ in price and size alone and are filled without a fee: each is a buy of one position, which costs what
   * is paid where the other wins.
   * @param shares of all of them
   * @param amount the sum of each one's price times its shares
   */
  addFree({ side, position }: Omit<OpenOrder, 'price'>, shares: number, amount: number): void {
    const cost = side === 'bid' ? amount : PRICE_ONE * shares - amount;
    if (bookSide(side, position) === 'bid') this.ifShort -= cost;
    else this.ifLong -= cost;
  }
}
