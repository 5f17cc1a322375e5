/** What the listings take in their query (specification 4, 2.6). They need no schema, so who only names endpoints loads none. */
import { CURRENCY_MODES, POSITIONS, SIDES, TIME_INTERVALS } from '../../../../domain/vocabulary.js';
import { CURRENCY_FILTER_LENGTH, SEARCH_LENGTH } from '../profile.js';
import { choice, flag, integer, integers, required, text, texts } from '../query.js';

/** Statuses that REST lists and filters by; realtime has two more (specification 3.1). */
export const LISTED_ORDER_STATUSES = ['open', 'partial_filled', 'filled', 'canceled', 'processing'] as const;
export type ListedOrderStatus = (typeof LISTED_ORDER_STATUSES)[number];

/** The empty word means both modes. */
const ANY_MODE = [...CURRENCY_MODES, ''] as const;

/** Every paginated listing takes these two. */
const PAGE_QUERY = { limit: integer(), offset: integer() };

/** The currency is matched case-insensitively. */
export const BALANCES_QUERY = { currency: text(16) };

export const BOOK_QUERY = { currency_mode: required(choice(CURRENCY_MODES)), position: choice(POSITIONS) };

/** Without an interval all history is returned. */
export const PRICE_HISTORY_QUERY = {
  currency_mode: required(choice(CURRENCY_MODES)),
  time_interval: choice(TIME_INTERVALS),
};

export const EVENTS_QUERY = {
  categories: integers(),
  currency_mode: choice(CURRENCY_MODES),
  live: flag(),
  ordering: text(SEARCH_LENGTH),
  pending_resolution: flag(),
  resolved_only: flag(),
  search: text(SEARCH_LENGTH),
  tag: text(SEARCH_LENGTH),
  ...PAGE_QUERY,
};

export const ORDERS_QUERY = {
  status: choice(LISTED_ORDER_STATUSES),
  side: choice(SIDES),
  market: integer(),
  event: integer(),
  currency: text(CURRENCY_FILTER_LENGTH),
  currency_mode: choice(CURRENCY_MODES),
  currencies: texts(CURRENCY_FILTER_LENGTH),
  categories: integers(),
  search: text(SEARCH_LENGTH),
  ordering: text(SEARCH_LENGTH),
  ...PAGE_QUERY,
};

export const WAGERS_QUERY = {
  active: flag(),
  past_bets: flag(),
  event: integer(),
  user: integer(),
  following: flag(),
  currency_mode: choice(ANY_MODE),
  ...PAGE_QUERY,
};

export const EVENT_WAGERS_QUERY = {
  active: flag(),
  currency_mode: choice(CURRENCY_MODES),
  past_bets: flag(),
};

/** `date` is a calendar day, `2026-01-31`. */
export const REBATES_QUERY = { date: text(10), event: integer() };
