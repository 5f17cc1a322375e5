import { describe, expect, it } from 'vitest';
import {
  isUnreserved,
  pythonFloat,
  pythonNumber,
  pythonString,
  pythonWord,
  quotePlus,
} from '../../../../../src/venues/futuur/protocol/signed-values.js';
import { PYTHON } from './vectors/python-signing.js';

describe('text as a real Python writes it', () => {
  it.each(PYTHON.strings)('repr of %j', ({ text, repr }) => {
    expect(pythonString(text)).toBe(repr);
  });

  it.each(PYTHON.strings)('quote_plus of %j', ({ text, quoted }) => {
    expect(quotePlus(text)).toBe(quoted);
  });

  it.each(PYTHON.numbers)('repr of the number $json', ({ json, repr }) => {
    expect(pythonNumber(json)).toBe(repr);
  });
});

it('escapes what encodeURIComponent leaves alone, and writes a space as plus', () => {
  expect(quotePlus("!'()* ~")).toBe('%21%27%28%29%2A+~');
});

it('knows text that quoting does not change', () => {
  expect(isUnreserved('AZaz09_.-~')).toBe(true);
  expect(isUnreserved('a b')).toBe(false);
  expect(isUnreserved('é')).toBe(false);
});

it('writes a float with a point or an exponent, always', () => {
  expect(pythonFloat(100)).toBe('100.0');
  expect(pythonFloat(-0)).toBe('-0.0');
  expect(pythonFloat(1e16)).toBe('1e+16');
  expect(pythonFloat(0.00001)).toBe('1e-05');
});

it('writes the three words of JSON as Python does', () => {
  expect([true, false, null].map(pythonWord)).toEqual(['True', 'False', 'None']);
});
