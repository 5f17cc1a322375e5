import { describe, expect, it } from 'vitest';
import type { Money, PriceUnits, Shares } from '../../../../../src/domain/units.js';
import {
  DecimalError,
  decimalNumber,
  formatDecimal,
  formatMoney,
  formatPrice,
  formatShares,
  moneyNumber,
  priceNumber,
  readDecimal,
  readMoney,
  readPrice,
  readProbability,
  readShares,
  readTicks,
  sharesNumber,
} from '../../../../../src/venues/futuur/protocol/decimals.js';

describe('decimals that are read', () => {
  it.each([
    ['0.52', 4, 5_200],
    ['.52', 4, 5_200],
    ['0.5200', 4, 5_200],
    ['0.520000000000', 4, 5_200],
    ['13', 2, 1_300],
    ['13.', 2, 1_300],
    ['013', 2, 1_300],
    ['+13', 2, 1_300],
    ['-4.10', 6, -4_100_000],
    ['-0', 2, 0],
    ['-0.00', 2, 0],
    ['1e2', 2, 10_000],
    ['1.5E-3', 4, 15],
    ['5.2e-1', 4, 5_200],
    ['0.000001', 6, 1],
    ['9007199254.740991', 6, Number.MAX_SAFE_INTEGER],
    ['-9007199254.740991', 6, -Number.MAX_SAFE_INTEGER],
    ['9007199254740991', 0, Number.MAX_SAFE_INTEGER],
    [0.52, 4, 5_200],
    [0.29, 2, 29],
    [1.005, 4, 10_050],
    [-0, 2, 0],
    [1e-6, 6, 1],
    [2_147_483_648.123456, 6, 2_147_483_648_123_456],
  ])('%j at %i places is %i', (value, places, count) => {
    expect(readDecimal(value, places, 'x')).toBe(count);
  });
});

describe('decimals that are refused, with field and expectation', () => {
  it.each([
    ['', 'shares: expected a decimal, found ""'],
    ['-', 'shares: expected a decimal, found "-"'],
    ['.', 'shares: expected a decimal, found "."'],
    ['abc', 'shares: expected a decimal, found "abc"'],
    ['1,5', 'shares: expected a decimal, found "1,5"'],
    [' 1', 'shares: expected a decimal, found " 1"'],
    ['1_000', 'shares: expected a decimal, found "1_000"'],
    ['0x10', 'shares: expected a decimal, found "0x10"'],
    ['1.2.3', 'shares: expected a decimal, found "1.2.3"'],
    ['--1', 'shares: expected a decimal, found "--1"'],
    ['NaN', 'shares: expected a decimal, found "NaN"'],
    ['Infinity', 'shares: expected a decimal, found "Infinity"'],
    ['1e99999', 'shares: expected a decimal, found "1e99999"'],
    ['1e400', 'shares: expected a smaller number, found "1e400"'],
    ['90071992547409.92', 'shares: expected a smaller number, found "90071992547409.92"'],
    [Number.NaN, 'shares: expected a finite decimal, found NaN'],
    [Number.POSITIVE_INFINITY, 'shares: expected a finite decimal, found Infinity'],
    [Number.NEGATIVE_INFINITY, 'shares: expected a finite decimal, found -Infinity'],
    [1e308, 'shares: expected a smaller number, found "1e+308"'],
    [null, 'shares: expected a decimal, found null'],
    [undefined, 'shares: expected a decimal, found undefined'],
    [true, 'shares: expected a decimal, found true'],
    [[1], 'shares: expected a decimal, found an array'],
    [{}, 'shares: expected a decimal, found an object'],
    ['0.001', 'shares: expected at most 2 decimal places, found "0.001"'],
    ['1e-3', 'shares: expected at most 2 decimal places, found "1e-3"'],
    [0.001, 'shares: expected at most 2 decimal places, found "0.001"'],
    [0.1 + 0.2, 'shares: expected at most 2 decimal places, found "0.30000000000000004"'],
  ])('%j', (value, message) => {
    expect(() => readDecimal(value, 2, 'shares')).toThrow(DecimalError);
    expect(() => readDecimal(value, 2, 'shares')).toThrow(message);
  });

  it('a hostile length is cut in the message and never computed', () => {
    const error = new DecimalError('x', 'a decimal', '9'.repeat(100_000));
    expect(error.message.length).toBeLessThan(120);
    expect(() => readDecimal('9'.repeat(100_000), 2, 'x')).toThrow(DecimalError);
  });
});

describe('rounding happens only under its name', () => {
  it.each([
    ['floor', '1.239', 123],
    ['floor', '-1.231', -124],
    ['ceil', '1.231', 124],
    ['ceil', '-1.239', -123],
    ['nearest', '1.235', 124],
    ['nearest', '1.2349999999999999999999', 123],
    ['floor', 0.30000000000000004, 30],
    ['floor', '1e-9', 0],
    ['floor', '1.23', 123],
    ['ceil', 1.23, 123],
  ] as const)('%s of %j is %i', (rounding, value, count) => {
    expect(readDecimal(value, 2, 'x', rounding)).toBe(count);
  });
});

describe('prices, probabilities, ticks, shares and money', () => {
  it('a price is strictly inside (0, 1), a probability may touch both', () => {
    expect(readPrice('0.0001', 'price')).toBe(1);
    expect(readPrice(0.9999, 'price')).toBe(9_999);
    for (const outside of ['0', '1', '-0.5', 1, 0, 1.5]) {
      expect(() => readPrice(outside, 'price')).toThrow('price: expected a price between 0 and 1');
    }
    expect([readProbability(0, 'p'), readProbability('1', 'p')]).toEqual([0, 10_000]);
    expect(() => readProbability(1.0001, 'p')).toThrow('p: expected a probability from 0 to 1');
    expect(() => readProbability('-0.1', 'p')).toThrow(DecimalError);
  });

  it('a price must lie on the grid of its market', () => {
    expect(readTicks('0.52', 100, 'price')).toBe(52);
    expect(readTicks(0.521, 10, 'price')).toBe(521);
    expect(() => readTicks('0.525', 100, 'price')).toThrow(
      'price: expected a multiple of 0.01, found "0.525"',
    );
  });

  it('shares are never negative, money may be', () => {
    expect(readShares('12.34', 's')).toBe(1_234);
    expect(readShares('12.349', 's', 'floor')).toBe(1_234);
    expect(() => readShares('-0.01', 's')).toThrow('s: expected shares of at least 0');
    expect(readMoney('-5', 'm')).toBe(-5_000_000);
  });
});

describe('decimals that are written', () => {
  it('as canonical text', () => {
    expect(formatPrice(5_200 as PriceUnits)).toBe('0.52');
    expect(formatPrice(10_000 as PriceUnits)).toBe('1');
    expect(formatShares(1_300 as Shares)).toBe('13');
    expect(formatShares(5 as Shares)).toBe('0.05');
    expect(formatMoney(1 as Money)).toBe('0.000001');
    expect(formatMoney(-4_100_000 as Money)).toBe('-4.1');
    expect(formatMoney(Number.MAX_SAFE_INTEGER as Money)).toBe('9007199254.740991');
    expect(formatDecimal(0, 6)).toBe('0');
    expect(formatDecimal(-0, 6)).toBe('0');
  });

  it('as JSON numbers without exponent or binary dust', () => {
    expect(JSON.stringify([priceNumber(5_200 as PriceUnits), sharesNumber(1_300 as Shares)])).toBe(
      '[0.52,13]',
    );
    expect(JSON.stringify([moneyNumber(1 as Money), moneyNumber(-0 as Money)])).toBe('[0.000001,0]');
    expect(JSON.stringify(moneyNumber(300_000 as Money))).toBe('0.3');
    expect(JSON.stringify(moneyNumber((2 ** 51 - 1) as Money))).toBe('2251799813.685247');
  });

  it('never from something that is no integer, or not exact', () => {
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 0.5, 2 ** 53]) {
      expect(() => formatDecimal(wrong, 2)).toThrow(RangeError);
      expect(() => decimalNumber(wrong, 2)).toThrow(RangeError);
    }
    expect(() => decimalNumber(2 ** 52, 6)).toThrow(RangeError);
    expect(() => formatDecimal(1, 7)).toThrow('places must be 0 to 6: 7');
  });
});
