import type { RequestFailure } from '../../domain/answers.js';
import type { VenueErrorCode } from '../../venues/futuur/protocol/errors.js';
import { isVenueErrorCode } from '../../venues/futuur/protocol/errors.js';

/** What a refusal asks for, besides not trying the same at once. */
export type ReactionKind =
  /** Our picture of the market's orders is wrong: list them, then plan again. */
  | 'list-orders'
  /**
   * Our picture of cash or shares is wrong: read it, then plan with what there is. If it was just read, plan with less.
   */
  | 'read-balances'
  /** The market takes no orders: read its event and quote again only when its status allows it. */
  | 'read-event'
  /** The order breaks a rule of the market: it is not asked for again for a while, others are. */
  | 'drop-intent'
  /** The account may not trade: creates stop until a person resumes. */
  | 'stop-trading'
  /** The keys are not accepted: nothing can be done, cancels included; a person is needed now. */
  | 'keys-refused'
  /** The clocks differ too much. The answer tells by how much: plan and sign again after the pause. */
  | 'measure-clock'
  /** Nothing is wrong with the order: plan again after the pause. */
  | 'wait';

/** The defined reaction to one code of the venue. */
export interface Reaction {
  readonly kind: ReactionKind;
  /** Whether it concerns the market of the order or everything we do. */
  readonly reach: 'market' | 'account';
  /** Quotes pause at least this long. */
  readonly pauseMs: number;
  readonly notice: 'info' | 'warning' | 'error';
}

const market = (kind: ReactionKind, pauseMs: number, notice: Reaction['notice'] = 'warning'): Reaction => ({
  kind,
  reach: 'market',
  pauseMs,
  notice,
});
const account = (kind: ReactionKind, pauseMs: number, notice: Reaction['notice'] = 'error'): Reaction => ({
  kind,
  reach: 'account',
  pauseMs,
  notice,
});

const REACTIONS: Readonly<Record<VenueErrorCode, Reaction>> = {
  InvalidHMACKey: account('keys-refused', 60_000),
  InvalidHMACSignature: account('keys-refused', 60_000),
  NotAuthenticated: account('keys-refused', 60_000),
  PermissionDenied: account('keys-refused', 60_000),
  MissingTimestamp: account('measure-clock', 1_000),
  ExpiredTimestamp: account('measure-clock', 1_000, 'warning'),
  RealMoneyForbiddenCountry: account('stop-trading', 60_000),
  RealMoneyBetNotAllowed: account('stop-trading', 60_000),
  EmailNotConfirmed: account('stop-trading', 60_000),
  UserBlockedBets: account('stop-trading', 60_000),
  UserNotEnoughBalance: market('read-balances', 1_000),
  InvalidShares: market('drop-intent', 5_000),
  OrderBookInvalidAmount: market('drop-intent', 5_000),
  ValidationError: market('drop-intent', 5_000, 'error'),
  MalformedRequest: market('drop-intent', 5_000, 'error'),
  MalformedBody: market('drop-intent', 5_000, 'error'),
  HeadersTooLarge: market('drop-intent', 5_000, 'error'),
  BodyTooLarge: market('drop-intent', 5_000, 'error'),
  UnsupportedMediaType: market('drop-intent', 5_000, 'error'),
  MethodNotAllowed: market('drop-intent', 60_000, 'error'),
  OutcomeDisabled: market('read-event', 5_000),
  MarketClosed: market('read-event', 5_000),
  OrderBookMarketClosed: market('read-event', 5_000),
  OrderBookConflictingOrders: market('list-orders', 500),
  OrderNotCancelable: market('list-orders', 0, 'info'),
  NotFound: market('list-orders', 500),
  // Within a second the venue takes a new request for a copy of the last one.
  wager_action_duplicated: market('wait', 1_100, 'info'),
  Throttled: account('wait', 1_000, 'warning'),
  RequestTimeout: market('list-orders', 1_000),
  InternalError: market('list-orders', 1_000),
  ServiceUnavailable: market('list-orders', 1_000),
};

/** The part of an order that broke a rule of the venue; null where it does not say. */
export function refusedPartOf({ code, fields = [] }: PlacedRefusal): 'amount' | 'shares' | 'price' | null {
  if (code === 'OrderBookInvalidAmount') return 'amount';
  if (code === 'InvalidShares') return 'shares';
  if (code !== 'ValidationError') return null;
  return fields.includes('price') ? 'price' : fields.includes('shares') ? 'shares' : null;
}

interface PlacedRefusal {
  readonly code: string;
  readonly fields?: readonly string[] | undefined;
}

/** Batch items fail with sentences too (specification 7.3): a listing tells what became of the order. */
const SENTENCE = market('list-orders', 500, 'info');

/** A longer pause is an alarm: quotes stand and nobody minds them. */
const LONG_PAUSE_MS = 600_000;

/** @param code of a batch item: a code of 7.2 or any other text the venue gave */
export const reactionTo = (code: string): Reaction => (isVenueErrorCode(code) ? REACTIONS[code] : SENTENCE);

/** The reaction to a wholly refused request. The HTTP status decides where the code is unknown. */
export function reactionToRefusal({ status, code, retryAfterMs }: Refusal): Reaction {
  const pauseMs = retryAfterMs ?? REACTIONS.Throttled.pauseMs;
  if (status === 429) return account('wait', pauseMs, pauseMs >= LONG_PAUSE_MS ? 'error' : 'warning');
  if ((status === 401 || status === 403) && !isVenueErrorCode(code)) return REACTIONS.NotAuthenticated;
  return reactionTo(code);
}

type Refusal = Pick<
  Extract<RequestFailure, { readonly kind: 'refused' }>,
  'status' | 'code' | 'retryAfterMs'
>;
