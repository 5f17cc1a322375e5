import type { Shares, Ticks } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';

/** What one of our own orders shows, or may show, in the venue's book. */
export interface OwnLevel {
  readonly price: Ticks;
  readonly shares: Shares;
  /**
   * So many shares at this price are not ours to take off: 0 where the book surely shows ours; otherwise what others had
   * there when the book was last seen. While we do not know, it is likelier that nobody else has moved.
   */
  readonly spared: Shares;
}

/**
 * What our own orders show, or may show, in the venue's book, in long-side terms: orders working, updating (the old and
 * the new one), cancelling, unknown, and for a grace period the just finished ones.
 */
export class OwnLevels {
  readonly bids: OwnLevel[] = [];
  readonly asks: OwnLevel[] = [];

  clear(): void {
    this.bids.length = 0;
    this.asks.length = 0;
  }

  add(side: Side, price: Ticks, shares: Shares, spared: Shares): void {
    (side === 'bid' ? this.bids : this.asks).push({ price, shares, spared });
  }
}

/** For markets without an order of ours; never added to. */
export const NO_OWN_LEVELS: Readonly<OwnLevels> = new OwnLevels();
