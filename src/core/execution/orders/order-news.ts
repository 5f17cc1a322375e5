import type { Fill } from '../../../domain/fill.js';
import type { Shares } from '../../../domain/units.js';
import type { OwnOrder } from './own-order.js';

/** What a message about orders brought that somebody else has to act on. */
export type OrderNews =
  /** `presumed`: how many of its shares a repair of the holding has brought before anybody told of them. */
  | { readonly kind: 'filled'; readonly fill: Fill; readonly order: OwnOrder; readonly presumed: Shares }
  /** The order became `done`. */
  | { readonly kind: 'ended'; readonly order: OwnOrder }
  /** The venue refused the order or its update; the rest as in {@link ItemOutcome}. */
  | {
      readonly kind: 'refused';
      readonly order: OwnOrder;
      readonly code: string;
      readonly detail?: string | undefined;
      readonly fields?: readonly string[] | undefined;
    }
  /** Our own side kept the order or its update back; `reason` as in the gateway's answer. */
  | { readonly kind: 'not-sent'; readonly order: OwnOrder; readonly reason: string }
  /** The venue has processed the order: from now on it can be changed and cancelled. */
  | { readonly kind: 'processed'; readonly order: OwnOrder }
  /** Nobody knew what had become of the order, and it stands: from now on it can be changed and cancelled. */
  | { readonly kind: 'certain'; readonly order: OwnOrder }
  /** An order in a market that is ours alone and that none of our requests explains. */
  | { readonly kind: 'found'; readonly order: OwnOrder }
  /** It is one of ours whose answer was lost, as far as anybody can tell: a frame or listing brought its id. */
  | { readonly kind: 'claimed'; readonly order: OwnOrder }
  /** An order of the account that is not ours to touch. */
  | { readonly kind: 'foreign'; readonly order: OwnOrder }
  /** In a shared market more orders fit than were lost, or only the time of its creation speaks against it: a person should look. */
  | { readonly kind: 'ambiguous'; readonly order: OwnOrder }
  /** It ended without anybody telling how much of it was filled: holdings are to be read. */
  | { readonly kind: 'vanished'; readonly order: OwnOrder }
  /** An empty listing contradicted this many orders that should stand: nothing was concluded from it. */
  | { readonly kind: 'contradicted'; readonly orders: number };

/** Shared by all who have nothing to tell. */
export const NO_NEWS: readonly OrderNews[] = [];
