import { describe, expect, it } from 'vitest';
import { orderId } from '../../../../../../src/domain/ids.js';
import {
  readBatchCancel,
  readBatchCreate,
  readBatchUpdate,
  readCancelAll,
  readCreatedOrder,
  readOrderPage,
} from '../../../../../../src/venues/futuur/protocol/read/orders.js';
import { BATCH_ORDER, LISTED_ORDER, pageOf } from '../samples.js';

const micros = (text: string): number => Date.parse(text) * 1_000;

const FROM_LISTING = {
  orderId: '501',
  marketId: '2231',
  eventId: null,
  side: 'bid',
  position: 'long',
  currency: 'USDC',
  price: 5_200,
  status: 'open',
  requested: 1_325,
  filled: null,
  averageFillPrice: null,
  createdAt: micros('2026-01-31T09:30:00.250Z'),
  expiresAt: null,
};

const FROM_BATCH = {
  ...FROM_LISTING,
  orderId: '502',
  eventId: '873',
  position: 'short',
  status: 'partial_filled',
  filled: 325,
  expiresAt: micros('2026-02-01T00:00:00Z'),
};

describe('listings', () => {
  it('become reports that know neither event nor fills', () => {
    expect(readOrderPage(pageOf(LISTED_ORDER))).toEqual({
      ok: true,
      value: { orders: [FROM_LISTING], total: 1, nextOffset: null },
    });
    expect(readCreatedOrder(LISTED_ORDER)).toEqual({ ok: true, value: FROM_LISTING });
  });

  it('say where the next page begins', () => {
    const page = pageOf(LISTED_ORDER);
    const pagination = { ...page.pagination, total: 45, next: 'https://x/?offset=20' };
    expect(readOrderPage({ ...page, pagination })).toMatchObject({ value: { total: 45, nextOffset: 20 } });
  });

  it.each([
    ['HTML', undefined, 'body must be object'],
    ['a bare list', [LISTED_ORDER], 'body must be object'],
    ['an order without id', pageOf({ ...LISTED_ORDER, id: undefined }), 'results.0.id'],
    ['shares off the grid', pageOf({ ...LISTED_ORDER, shares: 1.005 }), 'shares: expected at most 2'],
    ['a time that is none', pageOf({ ...LISTED_ORDER, created_at: '2026-02-30' }), 'created_at: expected'],
  ])('that are %s cannot be placed', (_, received, reason) => {
    expect(readOrderPage(received)).toEqual({ ok: false, reason: expect.stringContaining(reason) as string });
  });
});

const created = { index: 0, success: true, order: BATCH_ORDER };
const refused = (index: number, errors: unknown) => ({ index, success: false, errors });

describe('batch create', () => {
  it('gives an outcome for each item, in the order of the request', () => {
    const results = [
      refused(2, { event: ['does not own the market'] }),
      refused(1, 'UserNotEnoughBalance'),
      created,
      refused(3, 'Something in a sentence.'),
      { index: 4, success: false },
    ];
    expect(readBatchCreate({ results, cancelled_existing_order_ids: [7, 8] }, 5)).toEqual({
      ok: true,
      value: {
        kind: 'create-orders',
        items: [
          { ok: true, value: FROM_BATCH },
          { ok: false, code: 'UserNotEnoughBalance', means: 'no-funds' },
          {
            ok: false,
            code: 'ValidationError',
            means: 'invalid',
            detail: '{"event":["does not own the market"]}',
            fields: ['event'],
          },
          { ok: false, code: 'ItemRefused', means: 'unstated', detail: 'Something in a sentence.' },
          { ok: false, code: 'ItemRefused', means: 'unstated' },
        ],
        canceledIds: ['7', '8'],
      },
    });
  });

  it.each([
    ['too few results', [created]],
    ['too many results', [created, refused(1, 'x'), refused(2, 'x')]],
    ['one index twice', [created, refused(0, 'x')]],
    ['an index beyond the request', [created, refused(2, 'x')]],
    ['a success without its order', [created, { index: 1, success: true }]],
  ])('with %s proves nothing', (_, results) => {
    expect(readBatchCreate({ results }, 2)).toMatchObject({ ok: false });
  });
});

describe('batch update and batch cancel', () => {
  const submitted = [orderId(501), orderId(9)];

  it('carry the replacement under its new id', () => {
    const results = [
      { ...created, order_id: 501 },
      { ...refused(1, 'Only open orders can be updated.'), order_id: 9 },
    ];
    expect(readBatchUpdate(results, submitted)).toEqual({
      ok: true,
      value: {
        kind: 'replace-orders',
        items: [
          { ok: true, value: FROM_BATCH },
          { ok: false, code: 'ItemRefused', means: 'unstated', detail: 'Only open orders can be updated.' },
        ],
      },
    });
  });

  it('name the canceled order', () => {
    const results = [
      { index: 1, order_id: 9, success: false, error: 'The order is being processed.' },
      { index: 0, order_id: 501, success: true },
    ];
    expect(readBatchCancel(results, submitted)).toEqual({
      ok: true,
      value: {
        kind: 'cancel-orders',
        items: [
          { ok: true, value: '501' },
          { ok: false, code: 'ItemRefused', means: 'unstated', detail: 'The order is being processed.' },
        ],
      },
    });
  });

  it('about other orders than the submitted ones prove nothing', () => {
    const results = [
      { index: 0, order_id: 501, success: true },
      { index: 1, order_id: 10, success: true },
    ];
    expect(readBatchCancel(results, submitted)).toEqual({
      ok: false,
      reason: 'results of other orders than the submitted ones',
    });
  });
});

it('cancel-all tells what it canceled and what was being processed', () => {
  expect(readCancelAll({ canceled_order_ids: [1, 2], processing_order_ids: [3] })).toEqual({
    ok: true,
    value: { kind: 'cancel-scope', canceledIds: ['1', '2'], processingIds: ['3'] },
  });
  expect(readCancelAll({})).toEqual({ ok: false, reason: 'canceled_order_ids is required' });
});
