import { expect, it } from 'vitest';
import { describeNews } from '../../../../src/ops/guard/guard-news.js';
import { marketId } from '../../../../src/domain/ids.js';
import { refusedWith, TIMED_OUT } from '../../../support/orders/own-order-reports.js';

const ADDRESS = 'https://venue.example';

it.each([
  [
    { kind: 'not-sent', reason: 'ECONNREFUSED' } as const,
    `the venue cannot be reached at ${ADDRESS}: ECONNREFUSED`,
  ],
  [TIMED_OUT, `no answer from the venue at ${ADDRESS}: timed out`],
  [refusedWith('InvalidHMACKey', 401), 'the venue answered InvalidHMACKey ()'],
])('a person is told where a venue was asked that did not do it: %j', (failure, told) => {
  expect(describeNews({ kind: 'failed', failure }, ADDRESS)).toBe(`trying again: ${told}`);
});

it('says that keys are missing, and that a bot which runs cancels by itself', () => {
  expect(describeNews({ kind: 'keys-unset', names: ['ODDSMITH_PRIVATE_KEY'] }, ADDRESS)).toContain(
    'no order could be cancelled at the venue: ODDSMITH_PRIVATE_KEY not set in the environment',
  );
  expect(describeNews({ kind: 'swept', marketId: marketId(7), orders: 0 }, ADDRESS)).toBe(
    'market 7: no order was left to cancel',
  );
});

it('does not blame the venue for what the end of the time cut off', () => {
  const failure = { kind: 'not-sent', reason: 'ending' } as const;
  expect(describeNews({ kind: 'failed', failure }, ADDRESS)).toBe('it ended before every request was sent');
});
