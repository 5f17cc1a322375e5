import { describe, expect, it } from 'vitest';
import {
  JsonTextError,
  readJson,
  type JsonObject,
  NO_SPELLINGS,
  spellingOf,
  writtenNames,
} from '../../../../../src/venues/futuur/protocol/json-spelling.js';

describe('documents that JSON.parse reads too', () => {
  it.each([
    '{}',
    '[]',
    '""',
    '0',
    '-1.5',
    'true',
    'false',
    'null',
    ' { "a" : [ 1 , 2.50 , "x" , { } ] , "b" : null } \r\n\t',
    '"\\u00e9\\n\\"\\\\\\/\\b\\f\\r\\t"',
    '"\\ud83c\\udfb2 🎲 é"',
    '[1e5,1E+5,1e-5,0.10,100.0,-0,-0.0,123456789012345678901234567890,0.0000001,999999999999999.9]',
    '{"":1,"a":{"a":{"a":1}}}',
  ])('%s', (text) => {
    expect(readJson(text).value).toEqual(JSON.parse(text));
  });
});

describe('documents that are refused', () => {
  it.each([
    ['', 'unexpected end at character 0'],
    ['{', 'expected a member name at character 1'],
    ['[1,]', 'expected a value at character 3'],
    ['{"a":1,}', 'expected a member name at character 7'],
    ['{"a" 1}', 'expected : at character 5'],
    ['{"a":1 "b":2}', 'expected , or } at character 7'],
    ['[1 2]', 'expected , or ] at character 3'],
    ['{a:1}', 'expected a member name at character 1'],
    ["{'a':1}", 'expected a member name at character 1'],
    ['1 2', 'unexpected text after the document at character 2'],
    ['"abc', 'unterminated string at character 0'],
    ['"ab\\', 'unknown escape at character 3'],
    ['"\u0001"', 'control character in a string at character 1'],
    ['"\\x"', 'unknown escape at character 1'],
    ['"\\u12g4"', 'expected four hexadecimal digits at character 1'],
    ['"\\ud800"', 'half of a surrogate pair at character 1'],
    ['"\\udc00\\ud800"', 'half of a surrogate pair at character 1'],
    ['{"a":1,"b":2,"a":3}', 'repeated member "a" at character 13'],
    ['{"a":1,"\\u0061":3}', 'repeated member "a" at character 7'],
    ['NaN', 'expected a value at character 0'],
    ['Infinity', 'expected a value at character 0'],
    ['-Infinity', 'expected a number at character 0'],
    ['1e999', 'number too large at character 0'],
    ['[1e309]', 'number too large at character 1'],
    ['01', 'unexpected text after the document at character 1'],
    ['-', 'expected a number at character 0'],
    ['1.', 'unexpected text after the document at character 1'],
    ['.5', 'expected a value at character 0'],
    ['1.2.3', 'unexpected text after the document at character 3'],
    ['1e', 'unexpected text after the document at character 1'],
    ['+1', 'expected a value at character 0'],
    ['0x10', 'unexpected text after the document at character 1'],
    ['tru', 'expected a value at character 0'],
    ['nullx', 'unexpected text after the document at character 4'],
    ['\ufeff{}', 'expected a value at character 0'],
  ])('%j: %s', (text, message) => {
    expect(() => readJson(text)).toThrow(JsonTextError);
    expect(() => readJson(text)).toThrow(message);
  });

  it('nested deeper than the limit', () => {
    expect(readJson(`${'['.repeat(32)}${']'.repeat(32)}`).value).toHaveLength(1);
    expect(() => readJson('['.repeat(33))).toThrow('nested deeper than 32');
    expect(() => readJson('['.repeat(500_000))).toThrow('nested deeper than 32');
    expect(() => readJson('[[1]]', 1)).toThrow('nested deeper than 1');
  });
});

describe('spellings', () => {
  it('are noted only where JavaScript would write the number differently', () => {
    const plain = '[0,1,-1,13,0.52,-0.25,123456789012345,0.000001,12345678.9012345,9007199254740991,100]';
    expect(readJson(plain).spellings).toEqual(NO_SPELLINGS);
    const odd = ['100.0', '0.10', '1e2', '-0', '-0.0', '0.0000001', '12345678901234567890', '1E5'];
    const { value, spellings } = readJson(`[${odd.join(',')}]`);
    const items = value as readonly number[];
    expect(odd.map((_, index) => spellingOf(spellings, items, index))).toEqual(odd);
  });

  it('belong to their own member', () => {
    const { value, spellings } = readJson('{"a":1.0,"b":[1,2.0],"c":1}');
    const body = value as { readonly a: number; readonly b: readonly number[]; readonly c: number };
    expect(spellingOf(spellings, body, 'a')).toBe('1.0');
    expect(spellingOf(spellings, body, 'c')).toBeNull();
    expect(spellingOf(spellings, body.b, 0)).toBeNull();
    expect(spellingOf(spellings, body.b, 1)).toBe('2.0');
  });
});

describe('the order of names', () => {
  it.each(['{"b":1,"a":2}', '{"1":1,"2":2,"a":3}', '{"01":1,"1.5":2,"-1":3}'])(
    '%s is that of JavaScript',
    (text) => {
      expect(readJson(text).spellings).toEqual(NO_SPELLINGS);
    },
  );

  it.each([['{"a":1,"1":2}'], ['{"2":1,"1":2}'], ['{"b":0,"10":1,"9":2,"a":3}']])(
    '%s is noted as written',
    (text) => {
      const { value, spellings } = readJson(text);
      const names = [...text.matchAll(/"(\w+)":/g)].map(([, name]) => name);
      expect(writtenNames(spellings, value as JsonObject)).toEqual(names);
    },
  );
});

describe('member names that repeat from object to object', () => {
  it.each([
    '[{"a":1,"b":2},{"a":3,"b":4},{"b":5,"a":6},{"ab":7},{"":8},{"":9}]',
    '[{"a\\\\":1},{"a\\"b":2},{"a\\":3":4}]',
    '[{"a\\n":1},{"a\\n":2}]',
    '[{"é":{"é":1,"x":2}},{"é":{"é":3}}]',
  ])('are read each as it stands: %s', (text) => {
    expect(readJson(text).value).toEqual(JSON.parse(text));
  });

  it('cannot smuggle a control character through', () => {
    expect(() => readJson('[{"a\\n":1},{"a\n":2}]')).toThrow('control character in a string');
  });
});

it('a member called __proto__ is a member and changes no prototype', () => {
  const value = readJson('{"__proto__":{"polluted":true}}').value as Record<string, unknown>;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.hasOwn(value, '__proto__')).toBe(true);
  expect(value['polluted']).toBeUndefined();
});
