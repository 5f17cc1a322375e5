import type { EventId, MarketId } from '../../domain/ids.js';
import type { Levels } from '../../domain/levels.js';
import type { WordNews } from './events/resolution-words.js';

/** Something a person may want to know, with both views where two disagree. The engine makes notices of them. */
export type Finding =
  | { readonly kind: 'book-unusable'; readonly marketId: MarketId; readonly reason: 'off-grid' | 'malformed' }
  | {
      readonly kind: 'witness-disagreed';
      readonly marketId: MarketId;
      /** 1 is the first in a row; the second withdraws the book. */
      readonly inARow: number;
      readonly mirror: { readonly bids: Levels; readonly asks: Levels };
      readonly venue: { readonly bids: Levels; readonly asks: Levels };
    }
  | { readonly kind: 'status-not-understood'; readonly eventId: EventId }
  /** The venue has no such event, or none that it shows. */
  | { readonly kind: 'event-not-shown'; readonly eventId: EventId }
  /** The venue shows the event, without this market. */
  | { readonly kind: 'market-not-in-event'; readonly eventId: EventId; readonly marketId: MarketId }
  | (WordNews & { readonly eventId: EventId })
  | { readonly kind: 'channel-refused'; readonly channel: string; readonly reason: string };
