import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { eventId, marketId, orderId } from '../../../../../src/domain/ids.js';
import type { AccountWideCancel, CancelScope, LimitOrder } from '../../../../../src/domain/orders.js';
import { money, priceUnits, shares } from '../../../../../src/domain/units.js';
import type { MarketOrder } from '../../../../../src/venues/futuur/protocol/write/orders.js';
import { SystemClock } from '../../../../../src/storage/clocks/system-clock.js';
import { RestClient } from '../../../../../src/venues/futuur/rest/rest-client.js';
import { ITEM_REFUSED } from '../../../../../src/venues/futuur/protocol/errors.js';
import { answers, venueDouble, type VenueDouble } from '../../../../support/wire/venue-double.js';
import { CREDENTIALS } from '../../../../support/wire/wire.js';
import {
  createdBatch,
  batchOrder,
  limitOrder,
  listedOrder,
  replacement,
  wholePage,
} from '../../../../support/wire/wire-orders.js';

const USER = {
  id: 1,
  email: 'maker@example.org',
  wallet: { OOM: '100' },
  email_confirmed: true,
  real_currency_enabled: true,
  kyc_status: 'approved',
};
const WAGER = {
  id: 5,
  status: 'purchased',
  status_display: 'Purchased',
  user: 'https://venue.example/users/1/',
  event: 'https://venue.example/events/873/',
  market: 'https://venue.example/markets/2231/',
  position: 'long',
  position_display: 'Long',
  currency: 'OOM',
  shares: 12.345,
  shares_in_canonical: 12.345,
  total_amount: '6',
  active_purchases_amount: '6',
  roi: '0',
  earnings: '0',
  amount_on_win: '12',
  amount_on_sell: '6',
  last_purchase: '2026-01-31T09:30:00Z',
  last_update: '2026-01-31T09:30:00Z',
};
const EVENT = {
  id: 873,
  title: 'Who wins?',
  status: 'o',
  resolution_mode: 'exclusive',
  markets: [{ id: 2231, title: 'A', status: 'active' }],
};
const LEVEL = {
  price: 0.52,
  total_shares: 13,
  total_amount: 6.76,
  total_fees: 0,
  cumulative_shares: 13,
  cumulative_amount: 6.76,
  cumulative_fees: 0,
};
const marketOrder: MarketOrder = {
  kind: 'market-order',
  eventId: eventId(873),
  marketId: marketId(2231),
  side: 'bid',
  position: 'short',
  currency: 'OOM',
  limit: { amount: money(2_500_000) },
};
const ORDER_BODY = {
  market: 2231,
  event: 873,
  side: 'bid',
  currency: 'OOM',
  position: 'long',
  price: 0.52,
  shares: '13',
  expired_at: null,
};
const tickUnitsOf = () => 100;

interface Endpoint {
  readonly section: string;
  readonly request: string;
  readonly body?: unknown;
  readonly status?: number;
  readonly answer: unknown;
  readonly call: (client: RestClient) => Promise<unknown>;
  readonly value: unknown;
}

const ENDPOINTS: readonly Endpoint[] = [
  { section: '4.1', request: 'GET /me/', answer: USER, call: (client) => client.me(), value: USER },
  {
    section: '4.2',
    request: 'POST /me/safe/',
    body: { safe_address: '0xabc', chain_id: 137 },
    answer: { ...USER, is_wallet_user: 'true' },
    call: (client) => client.registerWallet({ safe_address: '0xabc', chain_id: 137 }),
    value: { is_wallet_user: 'true' },
  },
  {
    section: '4.3',
    request: 'GET /me/balances/?currency=OOM',
    answer: [
      { currency: 'OOM', amount: '12.5' },
      { currency: 'EUR', amount: '1' },
    ],
    call: (client) => client.balances('OOM'),
    value: new Map([['OOM', 12_500_000]]),
  },
  {
    section: '4.4, limit order',
    request: 'POST /orders/',
    body: ORDER_BODY,
    status: 201,
    answer: listedOrder(7),
    call: (client) => client.createLimitOrder(limitOrder, 'k1'),
    value: { orderId: '7', price: 5_200, requested: 1_300, status: 'open' },
  },
  {
    section: '4.4, market order',
    request: 'POST /orders/',
    body: {
      market: 2231,
      event: 873,
      side: 'bid',
      currency: 'OOM',
      position: 'short',
      price: null,
      amount: '2.5',
    },
    status: 201,
    answer: { ...listedOrder(7, 'filled'), price: null },
    call: (client) => client.createMarketOrder(marketOrder, 'k1'),
    value: { orderId: '7', price: null, status: 'filled' },
  },
  {
    section: '4.5',
    request: 'GET /orders/?status=filled&market=2231&limit=5&offset=10',
    answer: wholePage([listedOrder(7, 'filled')]),
    call: (client) => client.orders({ status: 'filled', market: 2231, limit: 5, offset: 10 }),
    value: { total: 1, nextOffset: null },
  },
  {
    section: '4.6',
    request: 'PATCH /orders/7/cancel/',
    status: 204,
    answer: undefined,
    call: (client) => client.cancelOrder(orderId(7)),
    value: '7',
  },
  {
    section: '4.7',
    request: 'POST /orders/batch/',
    body: { orders: [ORDER_BODY] },
    answer: createdBatch(7),
    call: (client) => client.batchCreate([limitOrder], 'k1'),
    value: { kind: 'create-orders', items: [{ ok: true, value: { orderId: '7' } }], canceledIds: [] },
  },
  {
    section: '4.8',
    request: 'POST /orders/batch-update/',
    body: {
      orders: [
        { id: 7, shares: '10', price: '0.51', expired_at: null },
        { id: 8, shares: '10', price: '0.51', expired_at: null },
      ],
    },
    answer: [
      { index: 0, order_id: 7, success: true, order: batchOrder(9) },
      { index: 1, order_id: 8, success: false, errors: 'MarketClosed' },
    ],
    call: (client) => client.batchUpdate([replacement(7), replacement(8)], 'k1'),
    value: {
      items: [
        { ok: true, value: { orderId: '9' } },
        { ok: false, code: 'MarketClosed' },
      ],
    },
  },
  {
    section: '4.9',
    request: 'POST /orders/batch-cancel/',
    body: { order_ids: [7, 8] },
    answer: [
      { index: 0, order_id: 7, success: true },
      { index: 1, order_id: 8, success: false, error: 'The order is already filled.' },
    ],
    call: (client) => client.batchCancel([orderId(7), orderId(8)]),
    value: {
      items: [
        { ok: true, value: '7' },
        { ok: false, code: ITEM_REFUSED },
      ],
    },
  },
  {
    section: '4.10, one market',
    request: 'POST /orders/cancel-all/',
    body: { event: 873, market: 2231 },
    answer: { canceled_order_ids: [7], processing_order_ids: [8] },
    call: (client) => client.cancelScope({ kind: 'market', eventId: eventId(873), marketId: marketId(2231) }),
    value: { canceledIds: ['7'], processingIds: ['8'] },
  },
  {
    section: '4.10, one event',
    request: 'POST /orders/cancel-all/',
    body: { event: 873 },
    answer: { canceled_order_ids: [], processing_order_ids: [] },
    call: (client) => client.cancelScope({ kind: 'event', eventId: eventId(873) }),
    value: { canceledIds: [] },
  },
  {
    section: '4.10, the whole account',
    request: 'POST /orders/cancel-all/',
    body: {},
    answer: { canceled_order_ids: [7], processing_order_ids: [] },
    call: (client) => client.cancelWholeAccount({ kind: 'account-wide', confirmedBy: 'operator' }),
    value: { canceledIds: ['7'] },
  },
  {
    section: '4.11',
    request: 'GET /wagers/?active=true&event=873',
    answer: wholePage([WAGER, { ...WAGER, id: 6, status: 'sold' }]),
    call: (client) => client.wagers({ active: true, event: 873 }),
    value: { holdings: [{ marketId: '2231', eventId: '873', position: 'long', shares: 1_234 }], total: 2 },
  },
  {
    section: '4.12',
    request: 'GET /wagers/5/',
    answer: { ...WAGER, actions: 'https://venue.example/wagers/5/actions/' },
    call: (client) => client.wager(5),
    value: { id: 5, actions: 'https://venue.example/wagers/5/actions/' },
  },
  {
    section: '4.13',
    request: 'GET /events/873/wagers/?active=true&currency_mode=play_money',
    answer: [WAGER],
    call: (client) => client.eventWagers(eventId(873), { active: true, currency_mode: 'play_money' }),
    value: [{ marketId: '2231' }],
  },
  {
    section: '4.14',
    request: 'GET /markets/2231/book/?currency_mode=play_money&position=long',
    answer: { bid: [{ ...LEVEL, total_user_shares: 3 }], ask: [] },
    call: (client) => client.book(marketId(2231), 'play_money'),
    value: { bids: { prices: [5_200], shares: [1_300] }, ownBids: [300], ownAsks: [] },
  },
  {
    section: '4.15',
    request: 'GET /events/873/price_history/?currency_mode=play_money&time_interval=week',
    answer: { currency_mode: 'play_money', time_interval: 'week', history: [] },
    call: (client) => client.priceHistory(eventId(873), 'play_money', 'week'),
    value: { history: [] },
  },
  {
    section: '4.16',
    request: 'GET /events/873/get_tax/',
    answer: { tax_play_money: null, tax_real_money: 0.02 },
    call: (client) => client.tax(eventId(873)),
    value: { tax_real_money: 0.02 },
  },
  {
    section: '4.17',
    request: 'POST /v2.0/pusher/auth/',
    body: 'channel_name=private-user-1&socket_id=1.2',
    answer: { auth: 'key:abc' },
    call: (client) => client.authorizeChannel({ channel_name: 'private-user-1', socket_id: '1.2' }),
    value: { auth: 'key:abc' },
  },
  {
    section: 'events',
    request: 'GET /events/?search=cup&limit=2',
    answer: wholePage([EVENT]),
    call: (client) => client.events({ search: 'cup', limit: 2 }, tickUnitsOf),
    value: { events: [{ id: '873', status: 'open', resolutionMode: 'exclusive' }] },
  },
  {
    section: 'event',
    request: 'GET /events/873/',
    answer: EVENT,
    call: (client) => client.event(eventId(873), tickUnitsOf),
    value: { id: '873', markets: [{ id: '2231', tickUnits: 100 }] },
  },
  {
    section: 'rebates',
    request: 'GET /wagers/rebates/?date=2026-01-31&event=873',
    answer: { rebated_fee_usd: 1.5 },
    call: (client) => client.rebates({ date: '2026-01-31', event: 873 }),
    value: { rebated_fee_usd: 1.5 },
  },
];

async function clientOf(venue: VenueDouble): Promise<RestClient> {
  const client = new RestClient({
    baseUrl: venue.url,
    credentials: CREDENTIALS,
    nested: 'python',
    timeoutMs: 5_000,
    clock: new SystemClock(),
    observe: () => undefined,
  });
  onTestFinished(() => client.close());
  return client;
}

describe('the REST client', () => {
  it.each(ENDPOINTS)('speaks $section: $request', async ({ request, body, status, answer, call, value }) => {
    const venue = await venueDouble(answers(status ?? 200, answer));
    expect(await call(await clientOf(venue))).toMatchObject({ ok: true, value });
    const [received] = venue.received;
    expect(`${received?.method} ${received?.path}`).toBe(request);
    expect(bodyOf(received?.body ?? '')).toEqual(body);
  });

  it('lists active orders over all pages of all three statuses', async () => {
    const venue = await venueDouble((received, response) => {
      const status = new URL(received.path, 'http://x').searchParams.get('status') ?? '';
      const ids = { processing: [1], open: [1, 2], partial_filled: [3] }[status] ?? [];
      answers(200, wholePage(ids.map((id) => listedOrder(id, status))))(received, response);
    });
    const outcome = await (await clientOf(venue)).activeOrders();
    expect(outcome).toMatchObject({
      ok: true,
      value: [
        { orderId: '1', status: 'open' },
        { orderId: '2', status: 'open' },
        { orderId: '3', status: 'partial_filled' },
      ],
    });
    expect(venue.received.map(({ path }) => path)).toEqual(
      ['processing', 'open', 'partial_filled'].map(
        (status) => `/orders/?status=${status}&ordering=id&limit=100&offset=0`,
      ),
    );
  });

  it('lists holdings of one currency mode', async () => {
    const venue = await venueDouble(answers(200, wholePage([WAGER])));
    const outcome = await (await clientOf(venue)).holdings('play_money');
    expect(outcome).toMatchObject({ ok: true, value: [{ marketId: '2231' }] });
    expect(venue.received[0]?.path).toBe('/wagers/?active=true&currency_mode=play_money&limit=100&offset=0');
  });
});

describe('the types of orders and cancels', () => {
  it('keep a market order, a limit order and the two cancels apart', () => {
    expectTypeOf<MarketOrder>().not.toExtend<LimitOrder>();
    expectTypeOf<LimitOrder>().not.toExtend<MarketOrder>();
    expectTypeOf<Omit<LimitOrder, 'price'>>().not.toExtend<LimitOrder>();
    expectTypeOf<AccountWideCancel>().not.toExtend<CancelScope>();
    expectTypeOf<CancelScope>().not.toExtend<AccountWideCancel>();
    expectTypeOf<Record<string, never>>().not.toExtend<CancelScope>();
  });

  it('are backed at run time: what is not the order it should be never leaves', async () => {
    const venue = await venueDouble();
    const client = await clientOf(venue);
    const unpriced = { ...limitOrder, price: priceUnits(0) };
    const unsized = { ...limitOrder, shares: shares(0) };
    expect(() => client.createLimitOrder(unpriced, 'k')).toThrow(/refused to encode/);
    expect(() => client.batchCreate([limitOrder, unsized], 'k')).toThrow(/refused to encode/);
    expect(() => client.batchCreate([], 'k')).toThrow(/refused to encode/);
    expect(() => client.batchCancel([])).toThrow(/refused to encode/);
    expect(venue.received).toEqual([]);
  });
});

function bodyOf(text: string): unknown {
  if (text === '') return undefined;
  return text.startsWith('{') ? JSON.parse(text) : text;
}
