import { expect, it } from 'vitest';
import { readForm, writeForm } from '../../../../../src/venues/futuur/protocol/shape.js';

it('writes and reads what urlencode writes', () => {
  const pairs = [
    ['currencies', 'USDC'],
    ['currencies', 'USD'],
    ['search', "it's 50% & more=é"],
    ['empty', ''],
  ] as const;
  const text = 'currencies=USDC&currencies=USD&search=it%27s+50%25+%26+more%3D%C3%A9&empty=';
  expect(writeForm(pairs)).toBe(text);
  expect(readForm(text)).toEqual(pairs);
});

it('reads other spellings of the same', () => {
  expect(readForm('')).toEqual([]);
  expect(readForm('a=1&&b')).toEqual([
    ['a', '1'],
    ['b', ''],
  ]);
  expect(readForm('a=b=c&%61=%20+')).toEqual([
    ['a', 'b=c'],
    ['a', '  '],
  ]);
});

it.each(['a=%', 'a=%zz', 'a=%ff', 'a=%c3%28'])('has no reading for %s', (text) => {
  expect(readForm(text)).toBeNull();
});
