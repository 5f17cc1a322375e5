import { assert, constantFrom, integer, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OTHER_CODE, VENUE_ERRORS } from '../../../../../src/venues/futuur/protocol/errors.js';
import { readFailure } from '../../../../../src/venues/futuur/rest/answer.js';

const KNOWN = Object.keys(VENUE_ERRORS);
const texts = oneof(
  string({ unit: 'binary' }),
  constantFrom(...KNOWN, '__proto__', 'constructor', 'toString', OTHER_CODE),
);

describe('the code of a refused request', () => {
  it('is known or `other`, whatever the venue calls it: codes become labels of metrics', () => {
    assert(
      property(integer({ min: 400, max: 499 }), texts, texts, (status, error, detail) => {
        const failure = readFailure({ status, body: { error, detail }, retryAfter: undefined });
        if (failure.kind !== 'refused') throw new Error('expected a refusal');
        expect([...KNOWN, OTHER_CODE]).toContain(failure.code);
        expect(failure.code === error || failure.detail.includes(error)).toBe(true);
      }),
    );
  });
});
