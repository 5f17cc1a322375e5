import type { Levels } from '../../domain/levels.js';
import type { AccountId, EventId, MarketId, OrderId, WagerId } from './ids.js';
import type { Micros, Money, Shares } from '../../domain/units.js';
import type { CurrencyMode, Position, TimeInterval, Side } from '../../domain/vocabulary.js';
import type { Command, CommandKind } from './commands.js';
import type { ExchangeEvent } from './events.js';
import type {
  LedgerView,
  TradeRow,
  AccountView,
  AuthorView,
  BookView,
  EventView,
  MarketView,
  OrderView,
  Page,
  PriceHistoryView,
  WagerDetailView,
  WagerView,
  ListedOrderStatus,
} from './views.js';
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

/** A deterministic exchange: the same commands at the same times give the same answers and events. */
export interface ExchangeCore {
  /**
   * Does everything due up to `at`, then the command. All or nothing.
   * @param at never before an earlier one; an earlier time counts as the latest seen
   * @throws InvariantError when books and ledger disagree (a bug)
   */
  execute<C extends Command>(command: C, at: Micros): Executed<C['kind']>;
  /** When `advance-time` is needed next; null: nothing is pending. */
  nextDue(): Micros | null;
  /** The latest time seen. */
  now(): Micros;
  /** The whole state, for `Exchange.restore`. Valid until the next command, which may change what it refers to. */
  snapshot(): ExchangeSnapshot;

  account(id: AccountId): AccountView | null;
  author(id: AccountId): AuthorView | null;
  orders(account: AccountId, query: OrderQuery): Page<OrderView>;
  /** null: unknown, or another account's. */
  order(account: AccountId, id: OrderId): OrderView | null;
  wagers(query: WagerQuery): Page<WagerView>;
  /** null: unknown, or neither the viewer's nor public. */
  wager(id: WagerId, viewer: AccountId | null): WagerDetailView | null;
  /** null: unknown event. */
  eventWagers(query: EventWagerQuery): readonly WagerView[] | null;
  /** All levels. null: unknown market. */
  book(market: MarketId, mode: CurrencyMode, position: Position, viewer: AccountId | null): BookView | null;
  /**
   * What the viewer could trade against at once: published levels without own orders and without levels that a recording
   * no longer shows. null: unknown market.
   */
  depth(market: MarketId, mode: CurrencyMode, viewer: AccountId | null): DepthView | null;
  /** Where an order stands in the queue of its price. null: it does not rest in this market. */
  queuePlace(market: MarketId, mode: CurrencyMode, order: OrderId): QueuePlace | null;
  /** null: unknown event. @param interval null: everything there is, reported as `all_time` */
  priceHistory(event: EventId, mode: CurrencyMode, interval: TimeInterval | null): PriceHistoryView | null;
  events(query: EventQuery): Page<EventView>;
  event(id: EventId): EventView | null;
  market(id: MarketId): MarketView | null;
  /** Maker rebates credited in real money, at par. */
  rebates(query: RebateQuery): Money;
  ledger(): LedgerView;
  /** Oldest first. @param market null: all markets */
  trades(market: MarketId | null): readonly TradeRow[];
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
