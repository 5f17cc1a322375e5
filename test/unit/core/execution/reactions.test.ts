import { describe, expect, it } from 'vitest';
import { reactionTo, reactionToRefusal } from '../../../../src/core/execution/reactions.js';
import {
  AUTHENTICATION_ERRORS,
  ORDER_ERRORS,
  OTHER_ERRORS,
  meaningOf,
  meaningOfRefusal,
} from '../../../../src/venues/futuur/protocol/errors.js';

/** Specification 7.1, 7.2, and what of "Limits" a single order meets. */
const OF_THE_SPECIFICATION = [
  ['OrderBookConflictingOrders', 'list-orders', 'market'],
  ['UserNotEnoughBalance', 'read-balances', 'market'],
  ['MarketClosed', 'read-event', 'market'],
  ['OrderBookMarketClosed', 'read-event', 'market'],
  ['OutcomeDisabled', 'read-event', 'market'],
  ['InvalidShares', 'drop-intent', 'market'],
  ['OrderBookInvalidAmount', 'drop-intent', 'market'],
  ['UserBlockedBets', 'stop-trading', 'account'],
  ['EmailNotConfirmed', 'stop-trading', 'account'],
  ['RealMoneyForbiddenCountry', 'stop-trading', 'account'],
  ['RealMoneyBetNotAllowed', 'stop-trading', 'account'],
  ['InvalidHMACKey', 'keys-refused', 'account'],
  ['InvalidHMACSignature', 'keys-refused', 'account'],
  ['ExpiredTimestamp', 'measure-clock', 'account'],
  ['MissingTimestamp', 'measure-clock', 'account'],
  ['Throttled', 'wait', 'account'],
  ['wager_action_duplicated', 'wait', 'market'],
] as const;

describe('the reaction to a refusal', () => {
  it('is defined for every code of the venue', () => {
    for (const code of Object.keys({ ...AUTHENTICATION_ERRORS, ...ORDER_ERRORS, ...OTHER_ERRORS }))
      expect(reactionTo(meaningOf(code))).toMatchObject({
        kind: expect.any(String),
        pauseMs: expect.any(Number),
      });
  });

  it.each(OF_THE_SPECIFICATION)('to %s is %s of the %s', (code, kind, reach) => {
    expect(reactionTo(meaningOf(code))).toMatchObject({ kind, reach });
  });

  it('is stated above for every code of the tables 7.1 and 7.2', () => {
    const stated = OF_THE_SPECIFICATION.map(([code]) => code);
    for (const code of Object.keys({ ...AUTHENTICATION_ERRORS, ...ORDER_ERRORS }))
      expect(stated).toContain(code);
  });

  it('waits out the second in which the venue refuses copies', () => {
    expect(reactionTo(meaningOf('wager_action_duplicated')).pauseMs).toBeGreaterThan(1_000);
  });

  it('to a sentence is to ask what became of the order', () => {
    expect(reactionTo(meaningOf('The order is already filled.'))).toMatchObject({ kind: 'list-orders' });
  });

  it('to any 429 is to wait as long as asked, with an alarm when that is long', () => {
    const means = meaningOfRefusal({ status: 429, code: 'Slow down' });
    const refusal = { means, retryAfterMs: 2_000 };
    expect(reactionToRefusal(refusal)).toMatchObject({ kind: 'wait', pauseMs: 2_000, notice: 'warning' });
    expect(reactionToRefusal({ ...refusal, retryAfterMs: 3_600_000 })).toMatchObject({ notice: 'error' });
    expect(reactionToRefusal({ ...refusal, retryAfterMs: null })).toMatchObject({ pauseMs: 1_000 });
  });

  it.each([401, 403])('to an unheard-of %i is that of refused keys', (status) => {
    const means = meaningOfRefusal({ status, code: 'key revoked' });
    const refusal = { means, retryAfterMs: null };
    expect(reactionToRefusal(refusal)).toMatchObject({ kind: 'keys-refused', notice: 'error' });
  });
});
