import { describe, expect, it } from 'vitest';
import { errorBody } from '../../../../../../src/venues/futuur/protocol/errors.js';
import { readFailure } from '../../../../../../src/venues/futuur/rest/answer.js';

const failure = (status: number, body: unknown, retryAfter?: string) =>
  readFailure({ status, body, retryAfter });

describe('a failed answer', () => {
  it('is a refusal when the venue worded it', () => {
    expect(failure(401, errorBody('ExpiredTimestamp'))).toEqual({
      kind: 'refused',
      status: 401,
      code: 'ExpiredTimestamp',
      means: 'too-late',
      detail: "The timestamp is too far from the service's time.",
      retryAfterMs: null,
    });
  });

  it('names the first wrong field', () => {
    const body = errorBody('ValidationError', 'Invalid.', { price: ['is required'] });
    expect(failure(400, body)).toMatchObject({
      code: 'ValidationError',
      detail: 'Invalid. price is required',
    });
  });

  it('is a refusal on 429 whatever its body, with the time to wait', () => {
    expect(failure(429, undefined, '30')).toEqual({
      kind: 'refused',
      status: 429,
      code: 'Throttled',
      means: 'throttled',
      detail: '',
      retryAfterMs: 30_000,
    });
    expect(failure(429, { error: 'wager_action_duplicated' })).toMatchObject({
      code: 'wager_action_duplicated',
    });
  });

  it.each([
    ['a 5xx, even with an error body', 500, errorBody('InternalError')],
    ['a gateway page', 502, undefined],
    ['a 4xx of some proxy', 403, undefined],
    ['a 4xx whose body is another document', 400, { message: 'no' }],
    ['a redirect', 302, undefined],
    ['a success that did not fit', 200, '<html>'],
  ])('is unknown for %s: it may have happened', (_, status, body) => {
    expect(failure(status, body)).toMatchObject({ kind: 'unknown' });
  });
});
