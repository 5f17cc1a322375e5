import { describe, expect, it } from 'vitest';
import { orderId } from '../../../../src/domain/ids.js';
import type { LimitOrder, OrderReport } from '../../../../src/domain/orders.js';
import { priceUnits, shares } from '../../../../src/domain/units.js';
import type { ClaimedOrder, JournalRecord } from '../../../../src/core/ports/journal.js';
import { OpenWork } from '../../../../src/storage/journal/open-work.js';
import { approved } from '../../../support/bot/effects.js';
import {
  answered,
  canceled,
  claims,
  created,
  end,
  notSent,
  ownOrders,
  refused,
  replaceRequest,
  report,
  request,
  run,
  unknown,
} from '../../../support/disk/journal-records.js';

/** What is left open after these records. */
function left(
  records: readonly JournalRecord[],
  bounds = { runs: 3, requests: 3, orders: 3 },
): JournalRecord[] {
  const work = new OpenWork(bounds);
  records.forEach((record) => work.note(record));
  return work.records();
}

describe('what the next start needs of a journal', () => {
  it('is the run alone when everything was answered and cancelled', () => {
    expect(left([run('a'), request(1), created(1, 7), request(2), canceled(2, 7)])).toEqual([run('a')]);
  });

  it('is a creating request without an answer, or whose answer proves nothing', () => {
    const records = [run('a'), request(1), request(2), unknown(2), request(3), notSent(3)];
    expect(left(records)).toEqual([run('a'), request(1), request(2), unknown(2)]);
  });

  it('is one that was throttled: another copy of it may have been taken', () => {
    const records = [
      run('a'),
      request(1),
      refused(1, 'Throttled', 429),
      request(2),
      refused(2, 'InvalidShares'),
    ];
    expect(left(records)).toEqual([run('a'), request(1), refused(1, 'Throttled', 429)]);
  });

  it('is one that was lost and whose second copy came to nothing, read back from a journal that rotated, too', () => {
    const rotated = left([run('a'), request(1), unknown(1)]);
    expect(left([...rotated, notSent(1)])).toEqual([run('a'), request(1), notSent(1)]);
    expect(left([...rotated, request(1), refused(1, 'ValidationError')])).toContainEqual(request(1));
    expect(left([...rotated, request(1), refused(1, 'InvalidShares')])).toEqual([run('a')]);
  });

  it('is not a cancel without an answer: it may be repeated freely', () => {
    const asked = request(1, { kind: 'cancel-orders', orderIds: [orderId(7)] });
    expect(left([run('a'), asked])).toEqual([run('a')]);
  });

  it('is every order that an answer showed resting and none showed gone', () => {
    const body = {
      kind: 'create-orders',
      items: [
        { ok: true, value: report(7) },
        { ok: true, value: report(8, 'filled') },
        { ok: false, code: 'InvalidShares', means: 'bad-shares' },
      ],
      canceledIds: [orderId(5)],
    } as const;
    expect(left([run('a'), ownOrders(5, 6), request(1), answered(1, body)])).toEqual([
      run('a'),
      ownOrders(6, 7),
    ]);
  });

  it('is the replacement, not the order that it replaced; a failed replacement keeps the old one', () => {
    const body = {
      kind: 'replace-orders',
      items: [
        { ok: true, value: report(9) },
        { ok: false, code: 'NotFound', means: 'not-found' },
      ],
    } as const;
    const records = [run('a'), ownOrders(7, 8), replaceRequest(1, 7, 8), answered(1, body)];
    expect(left(records)).toEqual([run('a'), ownOrders(8, 9)]);
  });

  it('leaves out what a cancel in scope reports, but not what it reports as processing', () => {
    const body = { kind: 'cancel-scope', canceledIds: [orderId(7)], processingIds: [orderId(8)] } as const;
    expect(left([run('a'), ownOrders(7, 8), answered(1, body)])).toEqual([run('a'), ownOrders(8)]);
  });

  it('keeps earlier runs until one ends clean', () => {
    const crashed = [run('a'), request(1), run('b'), request(1), created(1, 7)];
    expect(left([...crashed, end('orders-may-remain')])).toEqual([
      run('a'),
      request(1),
      run('b'),
      ownOrders(7),
    ]);
    expect(left([...crashed, end('clean'), run('c')])).toEqual([run('c')]);
  });

  it('forgets an earlier run that left nothing open, and an earlier order that this run cancelled', () => {
    expect(left([run('a'), ownOrders(7), run('b'), canceled(1, 7), run('c')])).toEqual([run('c')]);
  });

  it('is bounded: the oldest go first', () => {
    const requests = [1, 2, 3, 4].map((id) => request(id));
    expect(left([run('a'), ...requests, ownOrders(1, 2, 3, 4)])).toEqual([
      run('a'),
      ownOrders(2, 3, 4),
      request(2),
      request(3),
      request(4),
    ]);
    const runs = ['a', 'b', 'c', 'd'].flatMap((name) => [run(name), ownOrders(1)]);
    expect(left(runs)).toEqual(runs.slice(2));
  });

  const asked = (...prices: number[]) => {
    const { eventId, marketId, side, position, currency } = report(1) as LimitOrder & OrderReport;
    const place = { eventId, marketId, side, position, currency };
    const orders = prices.map((price) =>
      approved({ ...place, price: priceUnits(price), shares: shares(100), expiresAt: null }),
    );
    return { kind: 'create-orders', orders } as const;
  };
  const found = (id: number | null, price: number): ClaimedOrder => {
    const { expiresAt: _, ...order } = asked(price).orders[0]!;
    return { ...order, orderId: id === null ? null : orderId(id) };
  };

  it('is no request all of whose orders were found, and the orders', () => {
    const records = [run('a'), request(1, asked(4_000, 4_100)), unknown(1)];
    const one = claims({ ours: [found(7, 4_100)] });
    expect(left([...records, one])).toEqual([run('a'), ownOrders(7), ...records.slice(1), one]);
    expect(left([...records, one, claims({ ours: [found(8, 4_000)] })])).toEqual([run('a'), ownOrders(7, 8)]);
    expect(left([...records, one, canceled(2, 7)])).toEqual([
      ...records,
      claims({ ours: [found(null, 4_100)] }),
    ]);
  });

  it('is of a run before, where its lost order is found by the next, read back from a journal that rotated, too', () => {
    const records = [
      run('a'),
      request(1, asked(4_000, 4_100)),
      run('b'),
      claims({ ours: [found(7, 4_000)] }),
    ];
    const once = left(records);
    expect(once).toEqual([run('a'), ownOrders(7), records[1], records[3], run('b')]);
    expect(left(once)).toEqual(once);
  });

  it('is which orders are others, or may be, until an answer names them or they end', () => {
    const others = claims({ foreign: [orderId(3), orderId(4)], ambiguous: [orderId(5), orderId(6)] });
    const records = [run('a'), ownOrders(5), others];
    expect(left(records)).toEqual([run('a'), others]);
    expect(left([...records, request(1), created(1, 4, 5)])).toEqual([
      run('a'),
      ownOrders(4, 5),
      claims({ foreign: [orderId(3)], ambiguous: [orderId(6)] }),
    ]);
    expect(left([...records, ownOrders(8), claims({ ended: [6, 8].map(orderId) })])).toEqual([
      run('a'),
      claims({ foreign: [orderId(3), orderId(4)], ambiguous: [orderId(5)] }),
    ]);
    expect(left([...records, end('clean'), run('b')])).toEqual([run('b')]);
  });

  it('says the same again when its own records are read back', () => {
    const records = left([run('a'), request(1), run('b'), request(1), created(1, 7), request(2)]);
    expect(left(records)).toEqual(records);
  });
});
