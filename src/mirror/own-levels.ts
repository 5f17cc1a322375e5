import type { Shares, Ticks } from '../domain/units.js';
import type { Side } from '../domain/vocabulary.js';

/**
 * What one of our own orders shows, or may show, in the venue's book, in long-side terms: orders working, updating (both
 * the old and the new one), cancelling, unknown, and for a grace period the just finished ones.
 */
export interface OwnLevel {
  readonly side: Side;
  readonly price: Ticks;
  readonly shares: Shares;
  /**
   * So many shares of the level are not ours to take off: 0 where the book surely shows ours; otherwise what others had
   * there when the book was last seen. Of what may be ours or theirs it is likelier that nobody has moved.
   */
  readonly spared: Shares;
}
