import { Decimal } from 'decimal.js';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  DecimalError,
  decimalNumber,
  formatDecimal,
  readDecimal,
} from '../../../../../src/venues/futuur/protocol/decimals.js';

const places = fc.integer({ min: 0, max: 6 });
const countable = fc.integer({ min: -(2 ** 51), max: 2 ** 51 });

/** Adding zero turns -0 into 0, which is what every reader returns. */
const unsigned = (zero: number): number => zero + 0;

it('text written from any count reads back as that count', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), places, (count, at) => {
      expect(readDecimal(formatDecimal(count, at), at, 'x')).toBe(unsigned(count));
    }),
  );
});

it('a JSON number written from a count reads back, and prints as the canonical text', () => {
  fc.assert(
    fc.property(countable, places, (count, at) => {
      const text = JSON.stringify(decimalNumber(count, at));
      expect(text).toBe(formatDecimal(count, at));
      expect(readDecimal(JSON.parse(text), at, 'x')).toBe(unsigned(count));
    }),
  );
});

it('reading agrees with decimal.js for every spelling, under every rounding', () => {
  const spelling = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      fc.stringMatching(/^\d{0,9}$/),
      fc.stringMatching(/^(\.\d{0,12})?$/),
    )
    .map((parts) => parts.join(''))
    .filter((text) => /\d/.test(text));
  const modes = [
    ['floor', Decimal.ROUND_FLOOR],
    ['ceil', Decimal.ROUND_CEIL],
    ['nearest', Decimal.ROUND_HALF_UP],
  ] as const;
  fc.assert(
    fc.property(spelling, places, fc.constantFrom(...modes), (text, at, [rounding, mode]) => {
      const expected = new Decimal(text).times(10 ** at).toDecimalPlaces(0, mode);
      expect(readDecimal(text, at, 'x', rounding)).toBe(unsigned(expected.toNumber()));
    }),
  );
});

it('a value of any type is read as a safe integer or refused as no decimal', () => {
  const outcome = (value: unknown, at: number): unknown => {
    try {
      return Number.isSafeInteger(readDecimal(value, at, 'x', 'floor'));
    } catch (error) {
      return error instanceof DecimalError || error;
    }
  };
  fc.assert(
    fc.property(fc.anything(), places, (value, at) => {
      expect(outcome(value, at)).toBe(true);
    }),
  );
});
