/** What counts in the guards' windows, and a restart must not forget. Plain values, as a file and a tape keep them. */
import type { Fill } from '../../domain/fill.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { SentOrders } from '../ports/journal.js';
import type { LossCaution } from './cautions.js';

/** As much of a fill as guards look at. */
export type GuardedFill = Pick<Fill, 'eventId' | 'marketId' | 'side' | 'position' | 'shares' | 'amount'>;

export interface CountedFill extends GuardedFill {
  /** When it was heard of; of several that were put together, the last. */
  readonly at: Micros;
  /** A later report may tell its price better. Not known of several orders, nor from files that did not keep it. */
  readonly orderId?: OrderId | undefined;
  /** How many were put together in it; one unless stated. */
  readonly fills?: number | undefined;
}

/** How far the fills of a market have been judged since the last conclusion. */
export interface MarkOutCount {
  readonly marketId: MarketId;
  /** Fills that were heard of until then have been judged. */
  readonly through: Micros;
  readonly fills: number;
  readonly shares: number;
  /** Price units times share units. */
  readonly gained: number;
}

export interface Windows {
  /** The oldest first. */
  readonly fills: readonly CountedFill[];
  /** One entry per market at most. */
  readonly markOuts: readonly MarkOutCount[];
  /** Creates and updates of the last minute, the oldest first. */
  readonly sent: readonly SentOrders[];
}

/** What is lost at this moment: what was written down durably is a little older. */
export interface LossNews {
  readonly kind: 'losses';
  /** As they were written down: of anything else the news tells nothing. */
  readonly noted: readonly LossCaution[];
  readonly losses: readonly LossCaution[];
}

/** What guards counted now, or that a person accepted all of it. */
export type WindowNews =
  | LossNews
  | { readonly kind: 'fill'; readonly fill: CountedFill }
  | { readonly kind: 'mark-out'; readonly count: MarkOutCount }
  | { readonly kind: 'forgotten' };

/** Nothing was before. */
export const NO_WINDOWS: Windows = Object.freeze({ fills: [], markOuts: [], sent: [] });
