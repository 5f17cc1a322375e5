import type { Shares, Ticks } from '../domain/units.js';
import type { Side } from '../domain/vocabulary.js';

/**
 * What one of our own orders shows, or may still show, in the venue's book, in long-side terms: orders working,
 * updating (both the old and the new one), cancelling, unknown, and for a grace period the just finished ones.
 */
export interface OwnLevel {
  readonly side: Side;
  readonly price: Ticks;
  readonly shares: Shares;
}
