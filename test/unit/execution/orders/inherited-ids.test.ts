import { describe, expect, it } from 'vitest';
import { marketId, orderId } from '../../../../src/domain/ids.js';
import { InheritedIds } from '../../../../src/execution/orders/inherited-ids.js';

const ids = (...numbers: number[]) => numbers.map((number) => orderId(number));

const TRADED = marketId(1);
const listing = (...numbers: number[]) => ids(...numbers).map((id) => ({ orderId: id, marketId: TRADED }));
const elsewhere = (id: number) => ({ orderId: orderId(id), marketId: marketId(2) });

/** What is expected of earlier runs, after these listings. */
function after(expected: readonly number[], ...passes: readonly Parameters<InheritedIds['listed']>[0][]) {
  const inherited = new InheritedIds((market) => market === TRADED);
  inherited.expect(ids(...expected));
  for (const present of passes) inherited.listed(present);
  return inherited;
}

describe('what runs before were given', () => {
  it('is known when there is nothing', () => {
    expect(after([])).toMatchObject({ areKnown: true, missed: [] });
  });

  it('is known once a listing has shown all of it', () => {
    expect(after([1, 2])).toMatchObject({ areKnown: false, missed: [] });
    expect(after([1, 2], listing(1, 2, 3))).toMatchObject({ areKnown: true, missed: [] });
    expect(after([1, 2], listing(1), listing(2))).toMatchObject({ areKnown: true, missed: [] });
  });

  it('is missed when two listings have not shown it, and never taken for gone', () => {
    expect(after([1, 2], listing(1))).toMatchObject({ areKnown: false, missed: [] });
    expect(after([1, 2], listing(1), [])).toMatchObject({ areKnown: false, missed: ids(2) });
    const often = Array.from({ length: 20 }, () => []);
    expect(after([1, 2], ...often)).toMatchObject({ areKnown: false, missed: ids(1, 2) });
  });

  it('is to be cancelled at once where a listing shows it in a market that is not traded any more', () => {
    const inherited = after([1, 2], [...listing(1), elsewhere(2), elsewhere(3)]);
    expect(inherited).toMatchObject({ areKnown: false, missed: ids(2) });
    inherited.listed(listing(1));
    expect(inherited.missed).toEqual(ids(2));
    inherited.cancelled(orderId(2), true);
    expect(inherited).toMatchObject({ areKnown: true, missed: [] });
  });

  it('is known once a cancel has taken it', () => {
    const inherited = after([1, 2], listing(), listing());
    for (const id of ids(1, 7)) inherited.cancelled(id, true);
    expect(inherited).toMatchObject({ areKnown: false, missed: ids(2) });
    inherited.cancelled(orderId(2), true);
    expect(inherited).toMatchObject({ areKnown: true, missed: [] });
  });

  it('is known once a cancel was refused twice: the first time it may have been in processing', () => {
    const inherited = after([1], listing(), listing());
    inherited.cancelled(orderId(1), false);
    expect(inherited).toMatchObject({ areKnown: false, missed: ids(1) });
    inherited.cancelled(orderId(1), false);
    expect(inherited.areKnown).toBe(true);
  });
});
