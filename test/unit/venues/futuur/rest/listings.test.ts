import { describe, expect, it } from 'vitest';
import { eventId, marketId, orderId } from '../../../../../src/domain/ids.js';
import type { KnownOrders } from '../../../../../src/domain/orders.js';
import type { Caller } from '../../../../../src/venues/futuur/rest/calls.js';
import { listHoldings, listOrders } from '../../../../../src/venues/futuur/rest/listings.js';
import { OrderShelves } from '../../../../support/wire/order-shelves.js';
import { ms } from '../../../../support/orders/own-order-reports.js';

const AMPLE = 20;
const WORKING = ['processing id +0', 'open id +0', 'partial_filled id +0'];

const PLACE = { marketId: marketId(8), eventId: eventId(7) };
const missing = (ids: readonly number[], place: typeof PLACE | null = null, pages = AMPLE): KnownOrders => ({
  places: new Map(ids.map((id) => [orderId(id), place])),
  pages,
});

/** Ids 1 to `count` are over: the even ones canceled, the others filled. */
function history(count: number): OrderShelves {
  const shelves = new OrderShelves();
  for (let id = 1; id <= count; id += 1) shelves.put(id, id % 2 === 0 ? 'canceled' : 'filled');
  return shelves;
}

const SILENCE = {
  kind: 'refused',
  status: 429,
  code: 'Throttled',
  means: 'throttled',
  detail: '',
  retryAfterMs: 7_000,
} as const;

describe('a pass over the orders', () => {
  it('reads none of what is over when nothing was missed', async () => {
    const shelves = history(10);
    shelves.put(11, 'open');
    const outcome = await listOrders(shelves.caller, missing([11]));
    expect(outcome).toMatchObject({ ok: true, value: { working: [{ orderId: '11' }], ended: [] } });
    expect(shelves.pages).toEqual(WORKING);
  });

  it('goes on to `filled`, newest first, and no further once all was found', async () => {
    const shelves = history(600);
    expect(await listOrders(shelves.caller, missing([599, 597]))).toMatchObject({
      ok: true,
      value: {
        ended: [
          { orderId: '599', status: 'filled' },
          { orderId: '597', status: 'filled' },
        ],
      },
      sentAt: ms(1),
    });
    expect(shelves.pages).toEqual([...WORKING, 'filled -id +0']);
  });

  it('tells what works before it looks for what is over', async () => {
    const shelves = history(3);
    shelves.put(4, 'open');
    const told: unknown[] = [];
    await listOrders(shelves.caller, missing([3]), (working, sentAt) =>
      told.push(
        working.map(({ orderId }) => orderId),
        sentAt,
        shelves.pages.length,
      ),
    );
    expect(told).toEqual([['4'], ms(1), WORKING.length]);
  });

  it('then to `canceled`, in pages that overlap', async () => {
    const shelves = history(600);
    expect(await listOrders(shelves.caller, missing([312]))).toMatchObject({
      value: { ended: [{ orderId: '312', status: 'canceled' }] },
    });
    expect(shelves.pages.slice(3)).toEqual([
      'filled -id +0',
      'filled -id +80',
      'canceled -id +0',
      'canceled -id +80',
    ]);
  });

  it('reads no page beyond the oldest that was missed, however long the history', async () => {
    const shelves = history(5_000);
    const outcome = await listOrders(shelves.caller, missing([5_001]));
    expect(outcome).toMatchObject({ ok: true, value: { ended: [] } });
    expect(shelves.pages.slice(3)).toEqual(['filled -id +0', 'canceled -id +0']);
  });

  it('reads no more pages than it may, half of them of each list', async () => {
    const shelves = history(5_000);
    const outcome = await listOrders(shelves.caller, missing([2], null, 4));
    expect(outcome).toMatchObject({ ok: true, value: { ended: [] } });
    expect(shelves.pages.slice(3)).toEqual([
      'filled -id +0',
      'filled -id +80',
      'canceled -id +0',
      'canceled -id +80',
    ]);
  });

  it('asks for one market where all were missed in one', async () => {
    const asked: string[] = [];
    const shelves = history(2);
    const caller: Caller = (call) => {
      asked.push(call.query.map((pair) => pair.join('=')).join('&'));
      return shelves.caller(call);
    };
    await listOrders(caller, missing([2], PLACE));
    expect(asked.slice(3)).toEqual([
      'status=filled&market=8&ordering=-id&limit=100&offset=0',
      'status=canceled&market=8&ordering=-id&limit=100&offset=0',
    ]);
  });

  it.each(['filled', 'canceled'])(
    'tells what works though `%s` cannot be read, and says so',
    async (status) => {
      const shelves = history(2);
      shelves.put(4, 'open');
      const caller: Caller = (call) =>
        call.query.some(([name, value]) => name === 'status' && value === status)
          ? Promise.resolve({ ok: false, failure: { kind: 'unknown', reason: 'time-out' }, sentAt: ms(9) })
          : shelves.caller(call);
      const outcome = await listOrders(caller, missing([3]));
      expect(outcome).toMatchObject({
        value: { working: [{ orderId: '4' }], ended: 'unread' },
        sentAt: ms(1),
      });
    },
  );

  it.each(['time-out', 'silence'])('tells what was filled before `canceled` ends in a %s', async (what) => {
    const shelves = history(6);
    const failure = what === 'silence' ? SILENCE : ({ kind: 'unknown', reason: 'time-out' } as const);
    const caller: Caller = (call) =>
      call.query.some(([, value]) => value === 'canceled')
        ? Promise.resolve({ ok: false, failure, sentAt: ms(9) })
        : shelves.caller(call);
    const told: unknown[] = [];
    await listOrders(caller, missing([2, 3]), (_, sentAt, filled) =>
      told.push([sentAt, filled?.map(({ orderId }) => orderId)]),
    );
    expect(told).toEqual([
      [ms(1), undefined],
      [ms(1), ['3']],
    ]);
  });

  it('is a refusal where the venue asks for silence while it goes on, though what works was told', async () => {
    const shelves = history(2);
    shelves.put(4, 'open');
    const caller: Caller = (call) =>
      call.query.some(([, value]) => value === 'canceled')
        ? Promise.resolve({ ok: false, failure: SILENCE, sentAt: ms(9) })
        : shelves.caller(call);
    const told: unknown[] = [];
    const outcome = await listOrders(caller, missing([3]), (working) => told.push(working.length));
    expect(outcome).toEqual({ ok: false, failure: SILENCE, sentAt: ms(1) });
    expect(told).toEqual([1]);
  });

  it('finds again what it found in a list that shifted under it, for hundreds had ended meanwhile', async () => {
    const shelves = new OrderShelves((pages) => {
      if (pages === 4) for (let id = 601; id <= 1_000; id += 1) shelves.put(id, 'filled');
    });
    for (let id = 1; id <= 600; id += 1) shelves.put(id, 'filled');
    const outcome = await listOrders(shelves.caller, missing([501, 850]));
    expect(shelves.pages.slice(3, 6)).toEqual(['filled -id +0', 'filled -id +80', 'filled -id +0']);
    expect(outcome).toMatchObject({ value: { ended: [{ orderId: '850' }, { orderId: '501' }] } });
  });
});

describe('a pass over what is held', () => {
  it('looks among the past bets of an event that has a disabled market', async () => {
    const asked: string[] = [];
    const caller = ((call) => {
      asked.push(call.query.map((pair) => pair.join(' ')).join(', '));
      return Promise.resolve({ ok: true, value: { holdings: [], nextOffset: null }, sentAt: ms(1) });
    }) as Caller;
    await listHoldings(caller, 'play_money', [eventId(200)]);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('event 200');
  });
});
