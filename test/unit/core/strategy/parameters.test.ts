import { describe, expect, it } from 'vitest';
import grouped from '../../../support/strategies/grouped.js';
import { checkParameters, describeParameter, param } from '../../../../src/core/strategy/parameters.js';

const declared = {
  halfSpread: param.probability({ default: 0.02, max: 0.5, help: '' }),
  shares: param.shares({ default: 10, min: 0.01, help: '' }),
  levels: param.count({ default: 1, min: 1, max: 10, help: '' }),
  waitMs: param.ms({ default: 500, help: '' }),
  budget: param.currency({ default: 100, help: '' }),
  tilt: param.ratio({ default: -1, help: '' }),
  side: param.choice({ values: ['both', 'bids', 'asks'], default: 'both', help: '' }),
  isShy: param.switch({ default: false, help: '' }),
};
const issuesOf = (raw: Readonly<Record<string, unknown>>) => {
  const check = checkParameters(declared, raw);
  return check.ok ? [] : check.issues;
};
const valuesOf = (raw: Readonly<Record<string, unknown>>) => {
  const check = checkParameters(declared, raw);
  return check.ok ? check.values : null;
};

describe('parameters', () => {
  it('take their defaults', () => {
    expect(valuesOf({})).toEqual({
      halfSpread: 0.02,
      shares: 10,
      levels: 1,
      waitMs: 500,
      budget: 100,
      tilt: -1,
      side: 'both',
      isShy: false,
    });
  });

  it('are read from numbers and from decimal text', () => {
    expect(
      valuesOf({ halfSpread: '0.015', shares: 20, tilt: '-2.5', side: 'asks', isShy: true }),
    ).toMatchObject({
      halfSpread: 0.015,
      shares: 20,
      tilt: -2.5,
      side: 'asks',
      isShy: true,
    });
  });

  it('include both ends of their range', () => {
    expect(valuesOf({ halfSpread: 0.5, levels: 10, shares: 0.01 })).not.toBeNull();
    expect(issuesOf({ halfSpread: 0.5001, levels: 11, shares: 0.009 }).map(({ name }) => name)).toEqual([
      'halfSpread',
      'shares',
      'levels',
    ]);
  });

  it.each([
    ['halfSpread', '2%'],
    ['halfSpread', '0x1'],
    ['halfSpread', ''],
    ['halfSpread', null],
    ['halfSpread', NaN],
    ['halfSpread', true],
    ['halfSpread', [0.1]],
    ['waitMs', '500ms'],
    ['waitMs', 'Infinity'],
    ['levels', 1.5],
    ['side', 'neither'],
    ['side', 0],
    ['isShy', 'yes'],
    ['isShy', 1],
  ])('refuse %s: %j', (name, found) => {
    expect(issuesOf({ [name]: found })).toMatchObject([{ name, found }]);
  });

  it('say in words what they expect', () => {
    expect(Object.values(declared).map(describeParameter)).toEqual([
      'a number (probability) from 0 to 0.5',
      'a number (shares) from 0.01 to 1000000000 in steps of 0.01',
      'an integer (count) from 1 to 10',
      'a number (ms) from 0 to 86400000',
      'a number (currency) from 0 to 1000000000 in steps of 0.000001',
      'a number from -1000000 to 1000000',
      'one of both, bids, asks',
      'true or false',
    ]);
  });

  it('are refused between two steps of what the venue trades, with the nearest values', () => {
    const sizes = {
      shares: param.shares({ default: 10, min: 0.01, help: 'size' }),
      cash: param.currency({ default: 1, help: '' }),
    };
    expect(checkParameters(sizes, { shares: 10.01, cash: '0.000001' })).toMatchObject({ ok: true });
    expect(checkParameters(sizes, { shares: '10.009', cash: 0.0000001 })).toMatchObject({
      issues: [
        {
          name: 'shares',
          expected: 'a number (shares) from 0.01 to 1000000000 in steps of 0.01, such as 10 or 10.01',
        },
        {
          name: 'cash',
          expected: 'a number (currency) from 0 to 1000000000 in steps of 0.000001, such as 0 or 0.000001',
        },
      ],
    });
    expect(checkParameters(sizes, { shares: 0.001 })).toMatchObject({
      issues: [{ expected: 'a number (shares) from 0.01 to 1000000000 in steps of 0.01, such as 0.01' }],
    });
  });

  it('name an unknown one with the nearest known', () => {
    expect(issuesOf({ halfSpred: 0.1 })).toEqual([
      {
        name: 'halfSpred',
        found: 'halfSpred',
        expected: `one of the parameters ${Object.keys(declared).join(', ')}`,
        nearest: 'halfSpread',
      },
    ]);
  });

  it('do not mistake a property of every object for one of theirs', () => {
    expect(issuesOf({ constructor: 1, toString: 2 }).map(({ name }) => name)).toEqual([
      'constructor',
      'toString',
    ]);
  });

  it('report everything that is wrong at once', () => {
    expect(issuesOf({ levels: 0, isShy: 'no', other: 1 })).toHaveLength(3);
  });

  it('may change while running unless declared otherwise', () => {
    expect(Object.values(declared).every(({ live }) => live)).toBe(true);
    expect(param.ms({ default: 1, help: '', live: false }).live).toBe(false);
  });
});

describe('parameters of several values', () => {
  const declaredGroups = grouped.params;
  const rest = { bands: [{ margin: 1 }] };

  it('complete a record field by field, and take any names of a map', () => {
    expect(checkParameters(declaredGroups, {})).toEqual({
      ok: true,
      values: { ...rest, limits: { near: 1, mode: 'calm' }, weights: {} },
    });
    expect(
      checkParameters(declaredGroups, { limits: { near: '2' }, weights: { 11: '0.5', 'b-c': 3 } }),
    ).toEqual({
      ok: true,
      values: { ...rest, limits: { near: 2, mode: 'calm' }, weights: { 11: 0.5, 'b-c': 3 } },
    });
  });

  it('name the field that is wrong, and what was expected', () => {
    const weights = { a: 1, b: 2, c: 3 };
    expect(checkParameters(declaredGroups, { limits: { nera: 1, near: 11 }, weights })).toMatchObject({
      ok: false,
      issues: [
        { name: 'limits.nera', nearest: 'near' },
        { name: 'limits.near', found: 11, expected: 'a number from 0 to 10' },
        {
          name: 'weights',
          expected: 'at most 2 names of letters, digits, _ or -, each with a number from 0 to 10',
        },
      ],
    });
    expect(checkParameters(declaredGroups, { limits: 3 })).toMatchObject({
      issues: [{ name: 'limits', expected: 'the fields { near, mode }' }],
    });
  });
});
