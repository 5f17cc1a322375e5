import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/domain/errors.js';
import { depthOf, asStrategy } from '../../../../src/core/strategy/registry.js';
import { NO_QUOTES } from '../../../../src/core/strategy/sdk.js';

const strategy = (depth?: (params: { readonly rungs: number }) => unknown) =>
  asStrategy({ name: 'ladder', params: {}, quote: () => NO_QUOTES, ...(depth && { depth }) }, 'ladder.ts');

describe('the depth of a strategy', () => {
  it('is what it makes of its parameters', () => {
    expect(
      depthOf(
        strategy(({ rungs }) => rungs * 2),
        { rungs: 3 },
      ),
    ).toBe(6);
  });

  it('is one level a side where it does not say', () => {
    expect(depthOf(strategy(), { levels: 3 })).toBe(1);
  });

  it.each([NaN, 1.5, -1, undefined, '3'])('is for its author to mend where it says %s', (said) => {
    expect(() =>
      depthOf(
        strategy(() => said),
        {},
      ),
    ).toThrow(UsageError);
  });

  it('is for its author to mend where it throws', () => {
    const broken = (): never => {
      throw new RangeError('no such rung');
    };
    expect(() => depthOf(strategy(broken), {})).toThrow(
      /^strategy ladder: .* threw RangeError: no such rung \(depth\.test\.ts:\d+:\d+\)$/,
    );
  });
});
