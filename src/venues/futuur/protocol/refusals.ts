/** What refusals of the venue mean to the core. */
import type { RefusalMeaning } from '../../../domain/answers.js';
import { isVenueErrorCode, type VenueErrorCode } from './errors.js';

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
