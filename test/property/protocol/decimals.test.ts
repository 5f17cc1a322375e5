import fc from 'fast-check';
import { it } from 'vitest';
import { Decimal } from 'decimal.js';
import { decimalNumber, formatDecimal, readDecimal } from '../../../src/protocol/decimals.js';

const places = fc.integer({ min: 0, max: 6 });
const safe = fc.maxSafeInteger();
const countable = fc.integer({ min: -(2 ** 51), max: 2 ** 51 });

it('text written from any count reads back as that count', () => {
  fc.assert(
    fc.property(safe, places, (count, at) => readDecimal(formatDecimal(count, at), at, 'x') === count + 0),
  );
});

it('a JSON number written from a count reads back, and prints as the canonical text', () => {
  fc.assert(
    fc.property(countable, places, (count, at) => {
      const text = JSON.stringify(decimalNumber(count, at));
      return text === formatDecimal(count, at) && readDecimal(JSON.parse(text), at, 'x') === count + 0;
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
      const expected =
        new Decimal(text)
          .times(10 ** at)
          .toDecimalPlaces(0, mode)
          .toNumber() + 0;
      return readDecimal(text, at, 'x', rounding) === expected;
    }),
  );
});

it('no value of any type is read as NaN or as an unsafe integer', () => {
  fc.assert(
    fc.property(fc.anything(), places, (value, at) => {
      try {
        return Number.isSafeInteger(readDecimal(value, at, 'x', 'floor'));
      } catch (error) {
        return error instanceof Error && error.name === 'DecimalError';
      }
    }),
  );
});
