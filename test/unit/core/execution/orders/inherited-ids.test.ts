import { describe, expect, it } from 'vitest';
import { marketId, orderId } from '../../../../../src/domain/ids.js';
import { lostOrder } from '../../../../../src/core/execution/orders/left-behind.js';
import { limitOrder } from '../../../../support/orders/order-scenario.js';
import { ms, reportOf } from '../../../../support/orders/own-order-reports.js';
import { InheritedIds } from '../../../../../src/core/execution/orders/inherited-ids.js';

const ids = (...numbers: number[]) => numbers.map((number) => orderId(number));

const TRADED = marketId(1);
const WINDOW_US = 60_000_000;
const UNTRADED = marketId(2);
const ASKED = { ...limitOrder(40, 10), marketId: UNTRADED };
const listing = (...numbers: number[]) =>
  numbers.map((id) => ({ ...reportOf(limitOrder(30, 10), id), marketId: TRADED }));
const elsewhere = (id: number, createdAt = ms(0)) => ({
  ...reportOf(ASKED, id, { createdAt }),
  marketId: UNTRADED,
});

/** What is expected of earlier runs, after these listings. */
function after(expected: readonly number[], ...passes: readonly Parameters<InheritedIds['listed']>[0][]) {
  const inherited = new InheritedIds((market) => market === TRADED, WINDOW_US);
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

  it('is known once a listing has shown it, or its end', () => {
    const inherited = after([1, 2, 3]);
    inherited.listed(listing(1), [...listing(2), elsewhere(3)]);
    expect(inherited).toMatchObject({ areKnown: true, missed: [] });
  });

  it('is missed when two listings have not shown it, and never taken for gone', () => {
    expect(after([1, 2], listing(1))).toMatchObject({ areKnown: false, missed: [] });
    expect(after([1, 2], listing(1), [])).toMatchObject({ areKnown: false, missed: ids(2) });
    const often = Array.from({ length: 20 }, () => []);
    expect(after([1, 2], ...often)).toMatchObject({ areKnown: false, missed: ids(1, 2) });
  });

  it('is not missed where nobody could say what is over', () => {
    const inherited = after([1, 2], listing(1));
    inherited.listed([], 'unread');
    expect(inherited).toMatchObject({ areKnown: false, missed: [] });
    inherited.listed([]);
    expect(inherited).toMatchObject({ areKnown: false, missed: ids(2) });
  });

  it('is missed where nobody can ever say what is over', () => {
    const inherited = after([1, 2, 3]);
    for (let pass = 0; pass < 3; pass += 1) {
      expect(inherited.missed).toEqual([]);
      inherited.listed([], 'pending', listing(1));
      inherited.listed(listing(2), 'unread');
    }
    expect(inherited).toMatchObject({ areKnown: false, missed: ids(3) });
  });

  it('is to be cancelled at once where a listing shows it in a market that is not traded any more', () => {
    const inherited = after([1, 2], [...listing(1), elsewhere(2), elsewhere(3)]);
    expect(inherited).toMatchObject({ areKnown: false, missed: ids(2) });
    inherited.listed(listing(1));
    expect(inherited.missed).toEqual(ids(2));
    inherited.cancelled(orderId(2), true);
    expect(inherited).toMatchObject({ areKnown: true, missed: [] });
  });

  it('is to be cancelled, too, where a lost create in such a market comes late', () => {
    const inherited = after([]);
    inherited.expectLost([lostOrder(ASKED, ms(0))]);
    inherited.listed([...listing(1), elsewhere(2, ms(61_000))]);
    expect(inherited).toMatchObject({ areKnown: true, missed: [] });
    inherited.listed([elsewhere(3, ms(30_000))]);
    expect(inherited).toMatchObject({ areKnown: false, missed: ids(3) });
    inherited.cancelled(orderId(3), true);
    expect(inherited).toMatchObject({ areKnown: true, missed: [] });
  });

  it('is awaited by our clock of now, when that was set', () => {
    const inherited = after([]);
    inherited.expectLost([lostOrder(ASKED, ms(0))]);
    const until = inherited.mayComeUntil;
    inherited.clockSet(600_000_000);
    expect(inherited.mayComeUntil - until).toBe(600_000_000);
    inherited.listed([elsewhere(3, ms(630_000))]);
    expect(inherited).toMatchObject({ areKnown: false, missed: ids(3) });
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
