/** What refusals of the venue mean to the core. */
import type { RefusalMeaning } from '../../../domain/answers.js';

const MEANINGS: Readonly<Record<VenueErrorCode, RefusalMeaning>> = {
  InvalidHMACKey: 'keys-refused',
  InvalidHMACSignature: 'keys-refused',
  NotAuthenticated: 'keys-refused',
  PermissionDenied: 'keys-refused',
  MissingTimestamp: 'time-missing',
  ExpiredTimestamp: 'too-late',
  RealMoneyForbiddenCountry: 'account-barred',
  RealMoneyBetNotAllowed: 'account-barred',
  EmailNotConfirmed: 'account-barred',
  UserBlockedBets: 'account-barred',
  UserNotEnoughBalance: 'no-funds',
  InvalidShares: 'bad-shares',
  OrderBookInvalidAmount: 'bad-amount',
  ValidationError: 'invalid',
  MalformedRequest: 'invalid',
  MalformedBody: 'invalid',
  HeadersTooLarge: 'invalid',
  BodyTooLarge: 'invalid',
  UnsupportedMediaType: 'invalid',
  MethodNotAllowed: 'unsupported',
  OutcomeDisabled: 'market-closed',
  MarketClosed: 'market-closed',
  OrderBookMarketClosed: 'market-closed',
  OrderBookConflictingOrders: 'conflicting-orders',
  OrderNotCancelable: 'not-cancelable',
  NotFound: 'not-found',
  wager_action_duplicated: 'copy',
  Throttled: 'throttled',
  RequestTimeout: 'venue-failed',
  InternalError: 'venue-failed',
  ServiceUnavailable: 'venue-failed',
};

/** @param code of a batch item: a code of 7.2 or any other text the venue gave */
export const meaningOf = (code: string): RefusalMeaning =>
  isVenueErrorCode(code) ? MEANINGS[code] : 'unstated';

/** Of a wholly refused request. The HTTP status decides where the code is unknown. */
export function meaningOfRefusal({
  status,
  code,
}: {
  readonly status: number;
  readonly code: string;
}): RefusalMeaning {
  if (status === 429) return 'throttled';
  if ((status === 401 || status === 403) && !isVenueErrorCode(code)) return 'keys-refused';
  if (status === 404 && !isVenueErrorCode(code)) return 'not-found';
  return meaningOf(code);
}

/** Error codes of the venue: specification 7.1 to 7.3 and the facts for what it leaves open. */

interface ErrorMeaning {
  /** HTTP status of a whole-request failure; inside a batch the item carries the code and the batch is 200. */
  readonly status: number;
  readonly meaning: string;
}

/** Specification 7.1: the request was not accepted as the account's. */
export const AUTHENTICATION_ERRORS = {
  InvalidHMACKey: { status: 401, meaning: 'The key in the Key header is not recognized.' },
  InvalidHMACSignature: { status: 401, meaning: 'The computed signature differs from the HMAC header.' },
  MissingTimestamp: { status: 401, meaning: 'The Timestamp header is absent or malformed.' },
  ExpiredTimestamp: { status: 401, meaning: "The timestamp is too far from the service's time." },
} as const satisfies Record<string, ErrorMeaning>;

/** Specification 7.2: the order cannot be created. */
export const ORDER_ERRORS = {
  RealMoneyForbiddenCountry: {
    status: 400,
    meaning: "Real-money trading is unavailable in the user's country.",
  },
  RealMoneyBetNotAllowed: { status: 400, meaning: 'The account may not place real-money orders.' },
  EmailNotConfirmed: { status: 400, meaning: 'The email address must be confirmed before ordering.' },
  UserBlockedBets: { status: 400, meaning: 'The account is blocked from placing orders.' },
  UserNotEnoughBalance: { status: 400, meaning: 'The balance is insufficient.' },
  InvalidShares: { status: 400, meaning: 'The share count is not positive or off the share grid.' },
  OutcomeDisabled: { status: 400, meaning: 'The market is disabled.' },
  MarketClosed: { status: 400, meaning: 'The event is not open or outside its bet window.' },
  OrderBookMarketClosed: { status: 400, meaning: 'The order book of the market is closed.' },
  OrderBookConflictingOrders: {
    status: 400,
    meaning: 'Conflicting open orders exist; set cancel_conflicting_orders to true to resolve.',
  },
  OrderBookInvalidAmount: { status: 400, meaning: 'The amount is below the minimum or above the maximum.' },
} as const satisfies Record<string, ErrorMeaning>;

/** What the specification does not name (7.3, "not shown"); codes after the facts, the rest ours. */
export const OTHER_ERRORS = {
  ValidationError: { status: 400, meaning: 'A field is missing or invalid; see fields.' },
  MalformedRequest: { status: 400, meaning: 'The request is not well-formed HTTP.' },
  MalformedBody: { status: 400, meaning: 'The body is not one JSON object.' },
  wager_action_duplicated: { status: 400, meaning: 'The same request was made within the last second.' },
  OrderNotCancelable: { status: 400, meaning: 'Only open and partially filled orders can be canceled.' },
  NotAuthenticated: { status: 401, meaning: 'The request must be signed.' },
  PermissionDenied: { status: 403, meaning: 'The channel belongs to another user.' },
  NotFound: { status: 404, meaning: 'There is no such resource.' },
  MethodNotAllowed: { status: 405, meaning: 'The resource does not answer this method.' },
  RequestTimeout: { status: 408, meaning: 'The request did not arrive in time.' },
  BodyTooLarge: { status: 413, meaning: 'The body is larger than one megabyte.' },
  UnsupportedMediaType: {
    status: 415,
    meaning: 'The body is neither JSON nor the form this endpoint takes.',
  },
  HeadersTooLarge: { status: 431, meaning: 'The headers are larger than 16 kilobytes.' },
  Throttled: { status: 429, meaning: 'Too many requests; see Retry-After.' },
  InternalError: {
    status: 500,
    meaning: 'The service failed; the request may or may not have taken effect.',
  },
  ServiceUnavailable: { status: 503, meaning: 'The service cannot store requests; this one had no effect.' },
} as const satisfies Record<string, ErrorMeaning>;

export type AuthenticationErrorCode = keyof typeof AUTHENTICATION_ERRORS;
export type OrderErrorCode = keyof typeof ORDER_ERRORS;
export type OtherErrorCode = keyof typeof OTHER_ERRORS;
export type VenueErrorCode = AuthenticationErrorCode | OrderErrorCode | OtherErrorCode;

/** Every code with its HTTP status and meaning. */
export const VENUE_ERRORS: Readonly<Record<VenueErrorCode, ErrorMeaning>> = {
  ...AUTHENTICATION_ERRORS,
  ...ORDER_ERRORS,
  ...OTHER_ERRORS,
};

/**
 * Why one order could not be canceled or updated: sentences on this wire (specification 7.3), which nobody may
 * branch on. These are the bundled exchange's; `lost` imitates an update that canceled and failed to create again.
 */
export const ITEM_SENTENCES = {
  'not-found': 'There is no such order.',
  processing: 'The order is being processed.',
  filled: 'The order is already filled.',
  canceled: 'The order is already canceled.',
  'not-open': 'Only open orders can be updated.',
  lost: 'The order was canceled, and its replacement could not be created.',
} as const;

/** What a reader calls a failed item whose text is none of the codes. */
export const ITEM_REFUSED = 'ItemRefused';
/** What a reader calls a refused request whose code is unknown: codes become labels of metrics, so there are only so many. */
export const OTHER_CODE = 'other';

/** `{field: ["what is wrong", ...]}`. */
export type FieldProblems = Readonly<Record<string, readonly string[]>>;

/** The first problem as one line, for logs: `orders.3.price must be number`. */
export function firstProblem(problems: FieldProblems): string {
  const [entry] = Object.entries(problems);
  return entry === undefined ? 'no problem' : `${entry[0]} ${entry[1].join(', ')}`;
}

/** Body of a failed request (facts, "Signing"). `fields` stands with `ValidationError` only. */
export interface ErrorBody {
  readonly error: string;
  readonly detail?: string;
  readonly fields?: FieldProblems;
}

/** `errors` of a failed batch item: a code or a sentence, or field-level problems (specification 4.7, 4.8). */
export type ItemErrors = string | Record<string, unknown>;

export const isVenueErrorCode = (code: string): code is VenueErrorCode => Object.hasOwn(VENUE_ERRORS, code);

/** The body for a code, with its standard sentence unless a better one is at hand. */
export function errorBody(code: VenueErrorCode, detail?: string, fields?: FieldProblems): ErrorBody {
  const body = { error: code, detail: detail ?? VENUE_ERRORS[code].meaning };
  return fields === undefined ? body : { ...body, fields };
}
