import { describe, expect, it } from 'vitest';
import {
  AUTHENTICATION_ERRORS,
  errorBody,
  isVenueErrorCode,
  ORDER_ERRORS,
  VENUE_ERRORS,
} from '../../../../../src/venues/futuur/protocol/errors.js';

describe('error codes', () => {
  it('of specification 7.1 are 401', () => {
    expect(Object.keys(AUTHENTICATION_ERRORS)).toEqual([
      'InvalidHMACKey',
      'InvalidHMACSignature',
      'MissingTimestamp',
      'ExpiredTimestamp',
    ]);
    expect(Object.values(AUTHENTICATION_ERRORS).every(({ status }) => status === 401)).toBe(true);
  });

  it('of specification 7.2 are 400', () => {
    expect(Object.keys(ORDER_ERRORS)).toEqual([
      'RealMoneyForbiddenCountry',
      'RealMoneyBetNotAllowed',
      'EmailNotConfirmed',
      'UserBlockedBets',
      'UserNotEnoughBalance',
      'InvalidShares',
      'OutcomeDisabled',
      'MarketClosed',
      'OrderBookMarketClosed',
      'OrderBookConflictingOrders',
      'OrderBookInvalidAmount',
    ]);
    expect(Object.values(ORDER_ERRORS).every(({ status }) => status === 400)).toBe(true);
  });

  it.each([
    ['ValidationError', 400],
    ['wager_action_duplicated', 400],
    ['PermissionDenied', 403],
    ['NotFound', 404],
    ['Throttled', 429],
  ] as const)('%s is %i', (code, status) => {
    expect(VENUE_ERRORS[code].status).toBe(status);
  });

  it('are told apart from other texts', () => {
    expect(isVenueErrorCode('MarketClosed')).toBe(true);
    expect(isVenueErrorCode('The order is being processed.')).toBe(false);
    expect(isVenueErrorCode('toString')).toBe(false);
  });
});

describe('an error body', () => {
  it('carries the code and a sentence', () => {
    expect(errorBody('MarketClosed')).toEqual({
      error: 'MarketClosed',
      detail: 'The event is not open or outside its bet window.',
    });
    expect(errorBody('NotFound', 'There is no event 5.')).toEqual({
      error: 'NotFound',
      detail: 'There is no event 5.',
    });
  });

  it('carries the wrong fields of a validation error', () => {
    expect(errorBody('ValidationError', 'Invalid: price.', { price: ['is required'] })).toEqual({
      error: 'ValidationError',
      detail: 'Invalid: price.',
      fields: { price: ['is required'] },
    });
  });
});
