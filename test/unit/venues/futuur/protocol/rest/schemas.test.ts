import { describe, expect, it } from 'vitest';
import {
  balanceRows,
  registeredUser,
  userPrivate,
  walletRegistration,
  channelAuthorization,
  channelAuthorizationPairs,
  channelAuthorizationRequest,
} from '../../../../../../src/venues/futuur/protocol/rest/account.js';
import {
  book,
  eventPage,
  listedEvent,
  priceHistory,
  tax,
} from '../../../../../../src/venues/futuur/protocol/rest/events.js';
import {
  batchCancel,
  batchCancelResult,
  batchCreateResult,
  batchEnvelope,
  batchOrderCreation,
  batchUpdateResult,
  cancelAll,
  cancelAllResult,
  orderUpdateItem,
  listedOrder,
  orderCreation,
  orderPage,
} from '../../../../../../src/venues/futuur/protocol/rest/orders.js';
import {
  rebates,
  wagerDetail,
  wagerList,
  wagerPage,
} from '../../../../../../src/venues/futuur/protocol/rest/wagers.js';
import type { Shape } from '../../../../../../src/venues/futuur/protocol/shape.js';
import { BATCH_ORDER, BOOK_LEVEL, EVENT, LISTED_ORDER, pageOf, USER, WAGER } from '../samples.js';

const creation = { market: 2231, side: 'bid', currency: 'USDC', price: 0.52, shares: '13' };
const failed = { index: 1, success: false, errors: { price: ['must be between 0 and 1'] } };

const documents: readonly (readonly [string, Shape<unknown>, unknown])[] = [
  ['2.1 user', userPrivate, USER],
  [
    '4.2 registration',
    walletRegistration,
    { safe_address: '0x52908400098527886E0F7030069857D2E4169EE7', chain_id: 137 },
  ],
  ['4.2 registered user', registeredUser, USER],
  ['2.2 balances', balanceRows, [{ currency: 'USDC', amount: '5000.5' }]],
  ['2.3 listed order', listedOrder, LISTED_ORDER],
  ['2.3 listed market order', listedOrder, { ...LISTED_ORDER, price: null, status: 'filled' }],
  ['4.5 order page', orderPage, pageOf(LISTED_ORDER)],
  ['2.4 creation', orderCreation, creation],
  [
    '2.4 creation with all',
    orderCreation,
    {
      ...creation,
      event: 873,
      position: 'long',
      price: null,
      shares: null,
      amount: 5.5,
      expired_at: null,
      cancel_conflicting_orders: true,
    },
  ],
  ['2.4 batch item', batchOrderCreation, { ...creation, position: 'short' }],
  ['4.7 envelope', batchEnvelope, { orders: [null, 1, {}] }],
  [
    '4.7 results',
    batchCreateResult,
    { results: [{ index: 0, success: true, order: BATCH_ORDER }, failed], cancelled_existing_order_ids: [9] },
  ],
  ['4.8 item', orderUpdateItem, { id: 501, shares: '10', price: '0.51', expired_at: null }],
  [
    '4.8 results',
    batchUpdateResult,
    [
      { index: 0, order_id: 501, success: true, order: BATCH_ORDER },
      { ...failed, order_id: 502, errors: 'text' },
    ],
  ],
  ['4.9 request', batchCancel, { order_ids: [501] }],
  [
    '4.9 results',
    batchCancelResult,
    [{ index: 0, order_id: 501, success: false, error: 'is being processed' }],
  ],
  ['4.10 request', cancelAll, {}],
  ['4.10 result', cancelAllResult, { canceled_order_ids: [1], processing_order_ids: [] }],
  ['4.11 page', wagerPage, pageOf(WAGER)],
  ['4.12 detail', wagerDetail, { ...WAGER, actions: 'https://api.example.org/wagers/77/actions/' }],
  ['4.13 list', wagerList, [WAGER]],
  [
    '4.14 book',
    book,
    { bid: [BOOK_LEVEL], ask: [{ ...BOOK_LEVEL, total_user_shares: 1, total_user_shares_requested: 2 }] },
  ],
  [
    '4.15 history',
    priceHistory,
    {
      currency_mode: 'play_money',
      time_interval: 'day',
      history: [
        { timestamp: '2026-01-31T00:00:00Z', outcomes: [{ outcome_id: 2231, name: 'A', price: 0.5 }] },
      ],
    },
  ],
  ['4.16 tax', tax, { tax_play_money: null, tax_real_money: 0.02 }],
  ['4.17 request', channelAuthorizationRequest, { socket_id: '123.456', channel_name: 'private-user-1' }],
  ['4.17 answer', channelAuthorization, { auth: 'key:signature' }],
  ['event', listedEvent, EVENT],
  ['event page', eventPage, pageOf(EVENT)],
  ['rebates', rebates, { rebated_fee_usd: 0.5 }],
];

describe('documents as the specification writes them are accepted', () => {
  it.each(documents)('%s', (_, shape, document) => {
    expect(shape.problems(document)).toEqual({});
    expect(shape.accepts(document)).toBe(true);
  });
});

describe('documents that are something else are refused', () => {
  it.each(documents)('%s', (_, shape) => {
    for (const other of [null, undefined, 'text', 7, true, [[]]]) {
      expect(shape.accepts(other)).toBe(false);
    }
  });
});

describe('requests with a wrong field name it', () => {
  it.each([
    [orderCreation, { ...creation, market: -1 }, 'market'],
    [orderCreation, { ...creation, market: '2231' }, 'market'],
    [orderCreation, { ...creation, market: 2 ** 53 }, 'market'],
    [orderCreation, { ...creation, side: 'buy' }, 'side'],
    [orderCreation, { ...creation, currency: 'BTC' }, 'currency'],
    [orderCreation, { ...creation, price: true }, 'price'],
    [orderCreation, { ...creation, price: {} }, 'price'],
    [orderCreation, { ...creation, shares: [1] }, 'shares'],
    [orderCreation, { ...creation, expired_at: 5 }, 'expired_at'],
    [orderCreation, { ...creation, cancel_conflicting_orders: 'yes' }, 'cancel_conflicting_orders'],
    [batchOrderCreation, creation, 'position'],
    [batchEnvelope, { orders: [] }, 'orders'],
    [batchEnvelope, { orders: Array.from({ length: 21 }) }, 'orders'],
    [batchEnvelope, { orders: 'all' }, 'orders'],
    [orderUpdateItem, { shares: '1' }, 'id'],
    [batchCancel, { order_ids: [] }, 'order_ids'],
    [batchCancel, { order_ids: ['1'] }, 'order_ids.0'],
    [cancelAll, { event: null }, 'event'],
    [walletRegistration, { safe_address: '', chain_id: 1 }, 'safe_address'],
    [channelAuthorizationRequest, { socket_id: '1', channel_name: 'private-user-1' }, 'socket_id'],
  ] as readonly (readonly [Shape<unknown>, unknown, string])[])('%#: %j', (shape, document, field) => {
    expect(Object.keys(shape.problems(document))).toEqual([field]);
  });
});

it('the channel authorisation signs its two form parameters', () => {
  expect(channelAuthorizationPairs({ socket_id: '1.2', channel_name: 'private-user-1' })).toEqual([
    ['channel_name', 'private-user-1'],
    ['socket_id', '1.2'],
  ]);
});
