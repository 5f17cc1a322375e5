/** Parameters of the reads (specification 4.5, 4.11, 4.13 and the facts). Null or absent: not filtered. */
import type { AccountId, EventId, MarketId } from '../../domain/ids.js';
import type { CurrencyMode, Side } from '../../domain/vocabulary.js';
import type { ListedOrderStatus } from './views.js';

/** Fields by which a listing may be ordered; the wire puts `-` before a descending one. */
export type OrderOrdering =
  | 'id'
  | 'created_at'
  | 'expired_at'
  | 'price'
  | 'shares'
  | 'amount'
  | 'market'
  | 'side'
  | 'currency'
  | 'status'
  | 'position';

export interface Paging {
  readonly limit: number;
  readonly offset: number;
}

/** `GET /orders/`. Without `ordering`: newest first. */
export interface OrderQuery extends Paging {
  /** The wire's default is `open`. */
  readonly status: ListedOrderStatus;
  readonly side?: Side;
  readonly marketId?: MarketId;
  readonly eventId?: EventId;
  /** Compared without regard to case; an unknown code matches nothing. */
  readonly currency?: string;
  readonly mode?: CurrencyMode;
  readonly currencies?: readonly string[];
  readonly categories?: readonly number[];
  /** Every word must occur in the event's or market's title, without regard to case. */
  readonly search?: string;
  readonly ordering?: { readonly field: OrderOrdering; readonly descending: boolean };
}

/** `GET /wagers/`, newest first. */
export interface WagerQuery extends Paging {
  /** Who asks; null: unsigned, sees public wagers. */
  readonly viewer: AccountId | null;
  /** true: `purchased` only. */
  readonly active?: boolean;
  /** true: everything but `purchased`. */
  readonly pastBets?: boolean;
  readonly eventId?: EventId;
  /** Wagers of this account: all of them for itself, public ones for others. */
  readonly user?: AccountId;
  /** true: of the accounts the viewer follows. */
  readonly following?: boolean;
  readonly mode?: CurrencyMode;
}

/** `GET /events/{id}/wagers/`: the caller's own. */
export interface EventWagerQuery {
  readonly viewer: AccountId;
  readonly eventId: EventId;
  /** true: active only, false: inactive only. */
  readonly active?: boolean;
  readonly mode: CurrencyMode;
  /** true: settled and closed ones as well; without it and without `active`: active ones only. */
  readonly pastBets?: boolean;
}

/** Fields by which `GET /events/` may be ordered. */
export type EventOrdering = 'id' | 'title' | 'bet_end_date' | 'volume';

/** `GET /events/` (facts "Events and markets"). */
export interface EventQuery extends Paging {
  readonly categories?: readonly number[];
  /** Orders by this mode's volume when ordering by volume; every event trades in both modes. */
  readonly mode?: CurrencyMode;
  readonly live?: boolean;
  /** Stopped, or past its bet end, and not resolved. */
  readonly pendingResolution?: boolean;
  readonly resolvedOnly?: boolean;
  readonly search?: string;
  /** Matches the category's name. */
  readonly tag?: string;
  readonly ordering?: { readonly field: EventOrdering; readonly descending: boolean };
}

/** `GET /wagers/rebates/`: maker rebates of one account. */
export interface RebateQuery {
  readonly account: AccountId;
  /** Days since 1970-01-01 (UTC); absent: all. */
  readonly day?: number;
  readonly eventId?: EventId;
}
