import { describe, expect, it } from 'vitest';
import { canonicalBody } from '../../../../../src/venues/futuur/protocol/json-spelling.js';
import { readJson } from '../../../../../src/venues/futuur/protocol/json-spelling.js';

const canonical = (text: string): string => canonicalBody(readJson(text));

describe('one body in several spellings has one canonical text', () => {
  it.each([
    ['member order', '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['white space', '{"a":[1,2]}', ' { "a" : [ 1 ,\n2 ] }\t'],
    ['string escapes', '{"a":"é/"}', '{"\\u0061":"\\u00e9\\/"}'],
    ['trailing zeros', '[100]', '[100.0]'],
    ['exponents', '[100,0.00001]', '[1e2,1E-05]'],
    ['zeros', '[0,0,0]', '[-0,0.00,0e9]'],
    ['nested members', '[{"x":{"b":1,"a":2}}]', '[{"x":{"a":2,"b":1}}]'],
  ])('%s', (_, left, right) => {
    expect(canonical(left)).toBe(canonical(right));
  });
});

describe('different bodies have different texts', () => {
  it.each([
    ['item order', '[1,2]', '[2,1]'],
    ['number and text', '[13]', '["13"]'],
    ['null and missing', '{"a":null}', '{}'],
    ['signs', '[1]', '[-1]'],
    ['digits beyond a double', '[9007199254740993]', '[9007199254740992]'],
    ['fractions beyond a double', '[0.1]', '[0.1000000000000000000001]'],
    ['powers of ten', '[1]', '[10]'],
    ['nesting', '[[1],2]', '[[1,2]]'],
  ])('%s', (_, left, right) => {
    expect(canonical(left)).not.toBe(canonical(right));
  });
});
