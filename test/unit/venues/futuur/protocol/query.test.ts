import { describe, expect, it } from 'vitest';
import { readQuery, writeQuery } from '../../../../../src/venues/futuur/protocol/query.js';
import {
  BOOK_QUERY,
  EVENTS_QUERY,
  ORDERS_QUERY,
  WAGERS_QUERY,
} from '../../../../../src/venues/futuur/protocol/rest/queries.js';

it('all twelve parameters of the order listing go over and come back', () => {
  const values = {
    status: 'partial_filled',
    side: 'ask',
    market: 2231,
    event: 873,
    currency: 'USDC',
    currency_mode: 'real_money',
    currencies: ['USDC', 'USD'],
    categories: [3, 1],
    search: 'who wins?',
    ordering: '-created_at',
    limit: 50,
    offset: 0,
  } as const;
  const pairs = writeQuery(ORDERS_QUERY, values);
  expect(pairs).toHaveLength(14);
  expect(pairs.slice(6, 10)).toEqual([
    ['currencies', 'USDC'],
    ['currencies', 'USD'],
    ['categories', '3'],
    ['categories', '1'],
  ]);
  expect(readQuery(ORDERS_QUERY, pairs)).toEqual({ ok: true, values });
});

it('what is not given is not written, and reads as missing', () => {
  expect(writeQuery(ORDERS_QUERY, { status: undefined })).toEqual([]);
  expect(readQuery(ORDERS_QUERY, [['unknown', '1']])).toEqual({ ok: true, values: {} });
});

describe('parameters that are refused', () => {
  it.each([
    ['status', 'expired', 'must be one of open, partial_filled, filled, canceled, processing'],
    ['side', 'buy', 'must be one of bid, ask'],
    ['market', '-1', 'must be an integer of at least 0'],
    ['market', '1.5', 'must be an integer of at least 0'],
    ['market', '', 'must be an integer of at least 0'],
    ['market', '9999999999999999', 'must be an integer of at least 0'],
    ['currency', 'USDCX', 'must be text of at most 4 characters'],
    ['search', 'x'.repeat(256), 'must be text of at most 255 characters'],
    ['categories', 'a', 'must be an integer of at least 0, repeated for several'],
  ])('%s=%s', (name, text, problem) => {
    expect(readQuery(ORDERS_QUERY, [[name, text]])).toEqual({ ok: false, fields: { [name]: [problem] } });
  });

  it('one that is given twice', () => {
    const pairs = [
      ['market', '1'],
      ['market', '2'],
    ] as const;
    expect(readQuery(ORDERS_QUERY, pairs)).toEqual({
      ok: false,
      fields: { market: ['is given more than once'] },
    });
  });

  it('one that is required and missing', () => {
    expect(readQuery(BOOK_QUERY, [])).toEqual({ ok: false, fields: { currency_mode: ['is required'] } });
    expect(readQuery(BOOK_QUERY, [['currency_mode', 'play_money']])).toEqual({
      ok: true,
      values: { currency_mode: 'play_money' },
    });
  });
});

it.each([
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
])('a flag may be spelled %s', (text, value) => {
  expect(readQuery(EVENTS_QUERY, [['live', text]])).toEqual({ ok: true, values: { live: value } });
});

it('an empty currency mode of the wager listing means both', () => {
  expect(readQuery(WAGERS_QUERY, [['currency_mode', '']])).toEqual({
    ok: true,
    values: { currency_mode: '' },
  });
  expect(readQuery(WAGERS_QUERY, [['active', 'maybe']])).toEqual({
    ok: false,
    fields: { active: ['must be true or false'] },
  });
});
