import { describe, expect, it } from 'vitest';
import { orderId } from '../../../src/domain/ids.js';
import { InheritedIds } from '../../../src/execution/inherited-ids.js';

const ids = (...numbers: number[]) => numbers.map((number) => orderId(number));

/** Whether all is known after these listings. */
function areKnownAfter(expected: readonly number[], ...passes: readonly (readonly number[])[]): boolean {
  const inherited = new InheritedIds();
  inherited.expect(ids(...expected));
  for (const present of passes) inherited.listed(new Set(ids(...present)));
  return inherited.areKnown;
}

describe('what runs before were given', () => {
  it('is known when there is nothing', () => {
    expect(areKnownAfter([])).toBe(true);
  });

  it('is known once a listing has shown all of it', () => {
    expect(areKnownAfter([1, 2])).toBe(false);
    expect(areKnownAfter([1, 2], [1, 2, 3])).toBe(true);
    expect(areKnownAfter([1, 2], [1], [2])).toBe(true);
  });

  it('is gone when two listings have not shown it', () => {
    expect(areKnownAfter([1, 2], [1])).toBe(false);
    expect(areKnownAfter([1, 2], [1], [1])).toBe(true);
  });

  it('is not gone yet when two listings showed nothing at all', () => {
    expect(areKnownAfter([1], [], [])).toBe(false);
    expect(areKnownAfter([1], [], [], [], [])).toBe(true);
  });
});
