import { describe, expect, it } from 'vitest';
import { orderId } from '../../../../src/domain/ids.js';
import { InheritedIds } from '../../../../src/execution/orders/inherited-ids.js';

const ids = (...numbers: number[]) => numbers.map((number) => orderId(number));

const open = (...numbers: number[]) =>
  ids(...numbers).map((id) => ({ orderId: id, status: 'open' }) as const);
const partlyFilled = (...numbers: number[]) =>
  ids(...numbers).map((id) => ({ orderId: id, status: 'partial_filled' }) as const);

/** Whether all is known after these listings. */
function areKnownAfter(
  expected: readonly number[],
  ...passes: readonly Parameters<InheritedIds['listed']>[0][]
): boolean {
  const inherited = new InheritedIds();
  inherited.expect(ids(...expected));
  for (const present of passes) inherited.listed(present);
  return inherited.areKnown;
}

describe('what runs before were given', () => {
  it('is known when there is nothing', () => {
    expect(areKnownAfter([])).toBe(true);
  });

  it('is known once a listing has shown all of it', () => {
    expect(areKnownAfter([1, 2])).toBe(false);
    expect(areKnownAfter([1, 2], open(1, 2, 3))).toBe(true);
    expect(areKnownAfter([1, 2], open(1), open(2))).toBe(true);
  });

  it('is gone when two listings have not shown it', () => {
    const others = [...open(1), ...partlyFilled(7)];
    expect(areKnownAfter([1, 2], others)).toBe(false);
    expect(areKnownAfter([1, 2], others, others)).toBe(true);
  });

  it('is not gone yet when two listings showed nothing that is partly filled', () => {
    expect(areKnownAfter([1, 2], open(1), open(1))).toBe(false);
    expect(areKnownAfter([1, 2], open(1), open(1), open(1), open(1))).toBe(true);
  });

  it('is not gone yet when two listings showed nothing at all', () => {
    expect(areKnownAfter([1], [], [])).toBe(false);
    expect(areKnownAfter([1], [], [], [], [])).toBe(true);
  });

  it('is not gone yet when two listings showed nothing that is open', () => {
    const others = partlyFilled(7);
    expect(areKnownAfter([1], others, others)).toBe(false);
    expect(areKnownAfter([1], others, others, others, others)).toBe(true);
  });
});
