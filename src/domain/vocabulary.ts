/** The closed word lists of states and sides, as literal unions and as tuples for iteration. */

export const CURRENCIES = ['OOM', 'USDC', 'USDT', 'USD'] as const;
export type Currency = (typeof CURRENCIES)[number];

export const CURRENCY_MODES = ['play_money', 'real_money'] as const;
export type CurrencyMode = (typeof CURRENCY_MODES)[number];

/** `bid` buys shares of a position, `ask` sells shares already held. */
export const SIDES = ['bid', 'ask'] as const;
export type Side = (typeof SIDES)[number];

/** `long` is in favour of the outcome, `short` against it. */
export const POSITIONS = ['long', 'short'] as const;
export type Position = (typeof POSITIONS)[number];

/** `exclusive`: every order of the account there is ours. `shared`: only orders named in our own answers are. */
export type MarketOwnership = 'exclusive' | 'shared';

/** A listing knows the first five; the feed also says `pending` and `expired`. */
export const ORDER_STATUSES = [
  'processing',
  'open',
  'partial_filled',
  'filled',
  'canceled',
  'pending',
  'expired',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const WAGER_STATUSES = ['purchased', 'sold', 'won', 'lost', 'cancelled', 'disabled'] as const;
export type WagerStatus = (typeof WAGER_STATUSES)[number];

export const KYC_STATUSES = [
  'no_need',
  'requested',
  'initialized',
  'refused',
  'approved',
  'by_passed',
] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

export const EVENT_STATUSES = ['open', 'stopped', 'resolved', 'cancelled', 'paused', 'reversed'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

export const MARKET_STATUSES = ['active', 'resolved', 'paused', 'stopped', 'cancelled', 'reversed'] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];

export const RESOLUTIONS = ['long', 'short', 'void'] as const;
/** A number is a payout between: what one long share pays, in price units; a short share pays the rest. */
export type Resolution = (typeof RESOLUTIONS)[number] | number;

export const RESOLUTION_MODES = ['exclusive', 'non_exclusive'] as const;
export type ResolutionMode = (typeof RESOLUTION_MODES)[number];

export const TIME_INTERVALS = ['day', 'week', 'month', 'year', 'all_time'] as const;
export type TimeInterval = (typeof TIME_INTERVALS)[number];

/** `OOM` is money to play with; the three real currencies trade with each other at par. */
export const modeOf = (currency: Currency): CurrencyMode =>
  currency === 'OOM' ? 'play_money' : 'real_money';

export const oppositeSide = (side: Side): Side => (side === 'bid' ? 'ask' : 'bid');
export const oppositePosition = (position: Position): Position => (position === 'long' ? 'short' : 'long');

/** In long-side prices a bid on long and an ask on short stand on the bid side of the one book. */
export const bookSide = (side: Side, position: Position): Side =>
  position === 'long' ? side : oppositeSide(side);
