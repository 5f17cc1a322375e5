import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { firstProblem } from '../../../../../src/venues/futuur/protocol/errors.js';
import { shape } from '../../../../../src/venues/futuur/protocol/shape.js';

const level = Type.Object({ price: Type.Number({ minimum: 0, maximum: 1 }) });
const sample = shape(
  Type.Object({
    id: Type.Integer(),
    side: Type.Enum(['bid', 'ask']),
    price: Type.Union([Type.Number(), Type.String(), Type.Null()]),
    levels: Type.Optional(Type.Array(level)),
  }),
);
const good = { id: 1, side: 'bid', price: null };

describe('a shape', () => {
  it('accepts what fits, further members included', () => {
    expect(sample.accepts({ ...good, more: true })).toBe(true);
    expect(sample.problems(good)).toEqual({});
    expect(firstProblem(sample.problems(good))).toBe('no problem');
  });

  it.each([
    ['a missing member', { id: 1, side: 'bid' }, { price: ['is required'] }],
    ['several missing members', {}, { id: ['is required'], side: ['is required'], price: ['is required'] }],
    ['an unknown word', { ...good, side: 'buy' }, { side: ['must be one of bid, ask'] }],
    ['none of the alternatives', { ...good, price: true }, { price: ['must be number or string or null'] }],
    [
      'a nested member',
      { ...good, levels: [{ price: 0 }, { price: 2 }] },
      { 'levels.1.price': ['must be <= 1'] },
    ],
    ['a missing nested member', { ...good, levels: [{}] }, { 'levels.0.price': ['is required'] }],
    ['a document that is no object', null, { body: ['must be object'] }],
    ['an array', [], { body: ['must be object'] }],
  ])('names %s', (_, value, problems) => {
    expect(sample.accepts(value)).toBe(false);
    expect(sample.problems(value)).toEqual(problems);
  });

  it('names every wrong field of twenty items', () => {
    const levels = Array.from({ length: 20 }, () => ({ price: 2 }));
    const problems = sample.problems({ id: 'x', side: 'buy', price: true, levels });
    expect(Object.keys(problems)).toHaveLength(23);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1.5, '1'])('takes no %j for an integer', (id) => {
    expect(sample.accepts({ ...good, id })).toBe(false);
  });

  it('says the first problem in one line', () => {
    expect(firstProblem(sample.problems({ ...good, side: 'buy' }))).toBe('side must be one of bid, ask');
  });
});
