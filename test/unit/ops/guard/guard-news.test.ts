import { expect, it } from 'vitest';
import { describeNews } from '../../../../src/ops/guard/guard-news.js';
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

it('does not blame the venue for what the end of the time cut off', () => {
  const failure = { kind: 'not-sent', reason: 'ending' } as const;
  expect(describeNews({ kind: 'failed', failure }, ADDRESS)).toBe(
    'it ended before the venue had been asked for everything',
  );
});
