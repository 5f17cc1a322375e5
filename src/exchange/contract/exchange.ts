import type { Levels } from '../../domain/levels.js';
import type { AccountId, EventId, MarketId } from './ids.js';
import type { Shares } from '../../domain/units.js';
import type { CurrencyMode, Side } from '../../domain/vocabulary.js';
import type { CommandKind } from './commands.js';
import type { ExchangeEvent } from './events.js';
import type { ListedOrderStatus } from './views.js';
import type { OutcomeOf } from './outcomes.js';

/** What a command did. */
export interface Executed<Kind extends CommandKind> {
  /** Immutable. The server's answer is a pure function of it, so a replay answers byte for byte. */
  readonly outcome: OutcomeOf[Kind];
  /** In order. A replayed answer causes none, but what falls due before the command does. */
  readonly events: readonly ExchangeEvent[];
  /** The stored outcome of an earlier request under the same idempotency key. */
  readonly replayed: boolean;
}

/** Plain JSON. An exchange restored from it answers every later command like the original. */
export type ExchangeSnapshot = Readonly<Record<string, unknown>>;

/** An order's place in the queue of its price, in share units of other accounts. */
export interface QueuePlace {
  /** Others' shares before the order. Shares of its owner do not count. */
  readonly ahead: Shares;
  /** Shares of others at the price, before and behind it. */
  readonly others: Shares;
}

/** Both sides of a book, as far as the viewer could trade with them. Long-side prices. */
export interface DepthView {
  readonly bids: Levels;
  readonly asks: Levels;
}

/** Parameters of the reads (specification 4.5, 4.11, 4.13 and the facts). Null or absent: not filtered. */

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
  readonly side?: Side | undefined;
  readonly marketId?: MarketId | undefined;
  readonly eventId?: EventId | undefined;
  /** Compared without regard to case; an unknown code matches nothing. */
  readonly currency?: string | undefined;
  readonly mode?: CurrencyMode | undefined;
  readonly currencies?: readonly string[] | undefined;
  readonly categories?: readonly number[] | undefined;
  /** Every word must occur in the event's or market's title, without regard to case. */
  readonly search?: string | undefined;
  readonly ordering?: { readonly field: OrderOrdering; readonly descending: boolean } | undefined;
}

/** `GET /wagers/`, newest first. */
export interface WagerQuery extends Paging {
  /** Who asks; null: unsigned, sees public wagers. */
  readonly viewer: AccountId | null;
  /** true: `purchased` only. */
  readonly active?: boolean | undefined;
  /** true: everything but `purchased`. */
  readonly pastBets?: boolean | undefined;
  readonly eventId?: EventId | undefined;
  /** Wagers of this account: all of them for itself, public ones for others. */
  readonly user?: AccountId | undefined;
  /** true: of the accounts the viewer follows. */
  readonly following?: boolean | undefined;
  readonly mode?: CurrencyMode | undefined;
}

/** `GET /events/{id}/wagers/`: the caller's own. */
export interface EventWagerQuery {
  readonly viewer: AccountId;
  readonly eventId: EventId;
  /** true: active only, false: inactive only. */
  readonly active?: boolean | undefined;
  readonly mode: CurrencyMode;
  /** true: settled and closed ones as well; without it and without `active`: active ones only. */
  readonly pastBets?: boolean | undefined;
}

/** Fields by which `GET /events/` may be ordered. */
export type EventOrdering = 'id' | 'title' | 'bet_end_date' | 'volume';

/** `GET /events/` (facts "Events and markets"). */
export interface EventQuery extends Paging {
  readonly categories?: readonly number[] | undefined;
  /** Orders by this mode's volume when ordering by volume; every event trades in both modes. */
  readonly mode?: CurrencyMode | undefined;
  readonly live?: boolean | undefined;
  /** Stopped, or past its bet end, and not resolved. */
  readonly pendingResolution?: boolean | undefined;
  readonly resolvedOnly?: boolean | undefined;
  readonly search?: string | undefined;
  /** Matches the category's name. */
  readonly tag?: string | undefined;
  readonly ordering?: { readonly field: EventOrdering; readonly descending: boolean } | undefined;
}

/** `GET /wagers/rebates/`: maker rebates of one account. */
export interface RebateQuery {
  readonly account: AccountId;
  /** Days since 1970-01-01 (UTC); absent: all. */
  readonly day?: number | undefined;
  readonly eventId?: EventId | undefined;
}
